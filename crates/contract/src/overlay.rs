//! The overlay file: what schemas cannot say of tools and their records.
//!
//! ```yaml
//! ids: [order_id]
//! tools:
//!   get_balance:
//!     effect: read
//!     results:
//!       - {ok: "result[0] == true", value: "result[1]"}
//!       - {ok: "true", value: result}
//! entities:
//!   order:
//!     key: order_id
//!     returned_by: [get_order, cancel_order]
//!     invalidated_by:
//!       return_items: {fields: [status, items], key: order_id}
//! ```
//!
//! Every key is optional, and a key that is unknown, repeated or empty is an
//! error: a typo must not leave a tool without what its rules rely on.

mod apply;
mod condition;
mod fields;
mod read;

use crate::catalog::Effect;
use crate::declared::ResultForm;
use crate::source::Position;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// An overlay that could be read; [`crate::catalog::Catalog::apply`] holds it
/// against the tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay {
    ids: BTreeSet<String>,
    tools: Vec<(Word, ToolPart)>,
    entities: BTreeMap<String, EntityPart>,
}

/// Why an overlay cannot be used: one mistake, where it stands, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {message}; {help}", position.line, position.column)]
pub struct OverlayError {
    /// Where in the overlay.
    pub position: Position,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl OverlayError {
    fn new(position: Position, message: impl Into<String>, help: impl Into<String>) -> Self {
        OverlayError {
            position,
            message: message.into(),
            help: help.into(),
        }
    }
}

/// A name that the overlay uses, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    at: Position,
}

/// What the overlay says of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ToolPart {
    effect: Option<Effect>,
    aliases: Vec<Word>,
    trusted: Option<bool>,
    results: Option<Vec<ResultForm>>,
    shape: Option<Json>,
}

/// What the overlay says of one kind of record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EntityPart {
    key: String,
    returned_by: Vec<Word>,
    invalidated_by: Vec<(Word, InvalidationPart)>,
}

/// What a write makes stale; nothing said: every record as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct InvalidationPart {
    fields: BTreeSet<String>,
    key: Option<Word>,
}

#[cfg(test)]
mod tests;
