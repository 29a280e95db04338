//! Who acts and what happens: names, tools, and predicates over one event.

use crate::event::EventKind;
use std::collections::BTreeSet;

/// A name that a draft may leave open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// A name of the catalog.
    Known(String),
    /// `?words`: the author did not know the exact name; resolve fills it in.
    Placeholder(String),
}

/// One tool, a class of tools, or a placeholder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolRef {
    /// A tool by name, known or not.
    Tool(Name),
    /// `@read`: every tool that changes nothing.
    Read,
    /// `@write`: every tool that may change something.
    Write,
    /// `@any`: every tool.
    Any,
}

/// Tools joined by `|`; never empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolPattern(BTreeSet<ToolRef>);

impl ToolPattern {
    /// A pattern of the given alternatives; none if there are none.
    pub fn new(tools: impl IntoIterator<Item = ToolRef>) -> Option<Self> {
        let tools: BTreeSet<_> = tools.into_iter().collect();
        (!tools.is_empty()).then_some(ToolPattern(tools))
    }

    /// The pattern of one tool.
    pub fn tool(name: impl Into<String>) -> Self {
        ToolPattern(BTreeSet::from([ToolRef::Tool(Name::Known(name.into()))]))
    }

    /// The pattern of several named tools; none if there are none.
    pub fn tools<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Option<Self> {
        Self::new(
            names
                .into_iter()
                .map(|name| ToolRef::Tool(Name::Known(name.into()))),
        )
    }

    /// The alternatives in order.
    pub fn alternatives(&self) -> impl Iterator<Item = &ToolRef> {
        self.0.iter()
    }

    /// The named tools; classes and placeholders are left out.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|tool| match tool {
            ToolRef::Tool(Name::Known(name)) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether the pattern names this tool. Classes must be expanded before.
    pub fn names_tool(&self, tool: &str) -> bool {
        self.names().any(|name| name == tool)
    }
}

/// What happened to a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolEvent {
    /// The agent called it.
    Call,
    /// It answered.
    Return,
    /// It answered with success.
    Ok,
    /// It answered with a failure.
    Error,
}

impl ToolEvent {
    /// The word that stands for it in a formula.
    pub fn word(self) -> &'static str {
        match self {
            ToolEvent::Call => "call",
            ToolEvent::Return => "return",
            ToolEvent::Ok => "ok",
            ToolEvent::Error => "error",
        }
    }

    /// The kind of event that carries it.
    pub fn kind(self) -> EventKind {
        match self {
            ToolEvent::Call => EventKind::Call,
            ToolEvent::Return | ToolEvent::Ok | ToolEvent::Error => EventKind::Return,
        }
    }
}

/// A predicate over the current event alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventPredicate {
    /// `call(T)`, `return(T)`, `ok(T)`, `error(T)`.
    Tool(ToolEvent, ToolPattern),
    /// `user`: the user wrote something.
    User,
    /// `agent`: the agent wrote something.
    Agent,
    /// `user_says(/re/)`.
    UserSays(Pattern),
    /// `agent_says(/re/)`.
    AgentSays(Pattern),
    /// `confirms`: the user said yes to what the agent asked. Three-valued.
    Confirms,
}

/// A regular expression of the linear-time engine; ignores case unless it
/// says `(?-i)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(pub String);
