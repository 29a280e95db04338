//! What is kept of a graded run, with the keys of the documentation.

use super::loops::Loop;
use crate::run::Name;
use lictor_contract::event::EventKind;
use lictor_monitor::{RefusalKind, Verdict};
use serde::Serialize;

/// A call that the gate would have refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The first contract, in library order, that refuses it for this kind of
    /// reason; null for an unknown tool.
    pub contract: Option<String>,
    /// `violated` if any contract is violated.
    pub kind: RefusalKind,
    /// 0-based index in the source's message array.
    pub message: usize,
    /// 0-based index of the call in its message.
    pub position: usize,
    /// The recorded call id.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// Why, in words.
    pub reason: String,
    /// The other contracts that refuse it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Whether the tool may change something.
    #[serde(skip)]
    pub is_write: bool,
    /// Every contract that refuses it, with the kind of its reason.
    #[serde(skip)]
    pub refusals: Vec<(String, RefusalKind)>,
}

/// An event other than a call that broke a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Falsification {
    /// Which contract.
    pub contract: String,
    /// 0-based index in the source's message array.
    pub message: usize,
    /// `return`, `user` or `agent`.
    pub event: EventKind,
}

/// An obligation that nothing met before the run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unmet {
    /// Which contract.
    pub contract: String,
    /// What it demands.
    pub reason: String,
}

/// What `evaluate --format jsonl` prints for one run (DESIGN section 8).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRecord {
    /// The source's own run id, else `FILE#INDEX`.
    pub run: String,
    /// The task.
    pub task: Option<Name>,
    /// The trial.
    pub trial: Option<i64>,
    /// The reward.
    pub reward: Option<f64>,
    /// Whether the run passed, if its source says so.
    pub pass: Option<bool>,
    /// The join of the contracts' values.
    pub env: Verdict,
    /// `fail` iff a contract refuses a call, an event breaks one, or one is pending.
    pub agent: Verdict,
    /// Calls in all.
    pub calls: u64,
    /// Calls of tools that may change something.
    pub writes: u64,
    /// The calls the gate would have refused.
    pub violations: Vec<Violation>,
    /// Other events that broke a contract.
    pub falsified: Vec<Falsification>,
    /// What nothing met before the end.
    pub pending: Vec<Unmet>,
    /// Refused calls that were tried again and again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<Loop>,
    /// The file the run comes from.
    #[serde(skip)]
    pub file: String,
}
