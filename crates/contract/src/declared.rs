//! What is declared about tools and records beyond their schemas: the forms of
//! a result, what a call may carry, and which records a write makes stale.
//!
//! An overlay file says these things, or recorded runs suggest them; a library
//! carries them to whoever replays or enforces it.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One of the forms a result of a tool comes in, tried in order.
///
/// Where a tool has forms, a result that fits none of them is an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultForm {
    /// A condition over `result` that tells the form.
    pub ok: String,
    /// The path from `result` to the value that it carries.
    pub value: String,
}

/// A kind of record that several tools return, and that writes change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// The record's field, and the argument it is looked up by.
    pub key: String,
    /// Tools, by id, whose value is the record: reads, and writes that answer with it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub returned_by: BTreeSet<String>,
    /// What a write, by id, makes stale.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub invalidated_by: BTreeMap<String, Invalidation>,
}

/// What one write makes stale of one kind of record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Invalidation {
    /// Fields of the record; none: the whole record.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub fields: BTreeSet<String>,
    /// The argument of the write that holds the record's key; none: every record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// What a tool's schema says of one parameter, as far as decoding and grounding
/// need it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParameterRecord {
    /// The JSON types that its value may have; empty if the schema does not say.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub types: BTreeSet<String>,
    /// The value that stands for an absent argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    /// Whether every call carries it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
}

/// Whether a truth value is the one that is left out of files.
pub(crate) fn is_false(it: &bool) -> bool {
    !*it
}
