//! What happens in a session: DESIGN's finite sequence of events.
//!
//! A call and its return are two events (ContrAgent, Definition 1). The agent's
//! words are events, too, but never facts.

use crate::value::Value;
use std::collections::BTreeMap;

/// Number of a turn; all calls of one message share it, and their returns do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(pub u32);

/// Names one call within its session. The feeder gives the numbers; recorded
/// ids are not used since recordings repeat them and leave them empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u32);

/// The arguments of a call as they could be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// An object of named values.
    Read(BTreeMap<String, Value>),
    /// Text that is no JSON object; every term over it is unknown.
    Unreadable(String),
}

impl Arguments {
    /// The value of an argument; none if it is absent or unreadable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Arguments::Read(values) => values.get(name),
            Arguments::Unreadable(_) => None,
        }
    }
}

/// A tool call that the agent proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name within the session.
    pub id: CallId,
    /// The turn it belongs to.
    pub turn: Turn,
    /// Name of the tool, as the agent wrote it.
    pub tool: String,
    /// Its arguments.
    pub arguments: Arguments,
    /// Number of calls in the same message, where the door sees whole messages.
    pub turn_size: Option<u32>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The tool did what it was asked.
    Ok,
    /// The tool reported a failure.
    Error,
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Return {
    /// The call it answers.
    pub call: CallId,
    /// Whether it succeeded.
    pub outcome: Outcome,
    /// The decoded result.
    pub result: Value,
}

/// One event of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A fact from the host, such as the caller's identity.
    Context {
        /// Name of the fact.
        key: String,
        /// Its value from now on.
        value: Value,
    },
    /// Non-blank text written by the user.
    User {
        /// The turn it opens.
        turn: Turn,
        /// The text.
        text: String,
    },
    /// Text written by the agent.
    Agent {
        /// The turn it belongs to.
        turn: Turn,
        /// The text.
        text: String,
    },
    /// A proposed call.
    Call(Call),
    /// An answer of a tool.
    Return(Return),
}

/// The kinds of event that a contract can step on (DESIGN section 4).
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// Tool calls.
    Call,
    /// Tool returns.
    Return,
    /// User turns.
    User,
    /// Agent turns.
    Agent,
}

impl Event {
    /// The kind a contract may step on; none for host context.
    pub fn kind(&self) -> Option<EventKind> {
        match self {
            Event::Context { .. } => None,
            Event::User { .. } => Some(EventKind::User),
            Event::Agent { .. } => Some(EventKind::Agent),
            Event::Call(_) => Some(EventKind::Call),
            Event::Return(_) => Some(EventKind::Return),
        }
    }
}
