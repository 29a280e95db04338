//! Which contracts an event can move.
//!
//! A contract whose automaton stays where it is on every event that none of its
//! event predicates names needs no step on such events. So a decision costs what
//! the contracts that mention the called tool cost, whatever the size of the
//! library. Automata that do not idle are stepped on every event they observe.

use crate::ground::Now;
use crate::program::Program;
use lictor_contract::event::EventKind;
use lictor_contract::predicate::{Atom, EventPredicate, ToolRef};
use std::collections::{BTreeMap, BTreeSet};

/// For each event the contracts to step, in library order.
#[derive(Debug, Default)]
pub(crate) struct Dispatch {
    calls: ByTool,
    returns: ByTool,
    user: Vec<usize>,
    agent: Vec<usize>,
}

#[derive(Debug, Default)]
struct ByTool {
    named: BTreeMap<String, Vec<usize>>,
    /// For tools that no contract names.
    others: Vec<usize>,
}

impl ByTool {
    fn of(&self, tool: &str) -> &[usize] {
        self.named.get(tool).unwrap_or(&self.others)
    }
}

/// What the event predicates of one contract name.
#[derive(Default)]
struct Mentions {
    tools: BTreeSet<String>,
    every_tool: bool,
    words: bool,
}

impl Dispatch {
    /// Sorts the contracts of a library.
    pub(crate) fn new(programs: &[Program]) -> Dispatch {
        Dispatch {
            calls: by_tool(programs, EventKind::Call),
            returns: by_tool(programs, EventKind::Return),
            user: by_words(programs, EventKind::User),
            agent: by_words(programs, EventKind::Agent),
        }
    }

    /// The contracts that the event can move.
    pub(crate) fn concerned(&self, now: &Now<'_>) -> &[usize] {
        match now {
            Now::Call(call) => self.calls.of(&call.tool),
            Now::Return { record, .. } | Now::Counted(record) => self.returns.of(&record.tool),
            Now::User { .. } => &self.user,
            Now::Agent { .. } => &self.agent,
        }
    }
}

fn by_tool(programs: &[Program], kind: EventKind) -> ByTool {
    let mentions: Vec<Mentions> = programs
        .iter()
        .map(|program| mentions(program, kind))
        .collect();
    let every = |index: usize, mentions: &Mentions| {
        let program = programs.get(index);
        program.is_some_and(|program| {
            program.steps_on.contains(&kind) && (mentions.every_tool || !program.idles)
        })
    };
    let concerned = |tool: Option<&str>| -> Vec<usize> {
        let each = mentions.iter().enumerate();
        each.filter(|(index, mentions)| {
            every(*index, mentions) || tool.is_some_and(|tool| mentions.tools.contains(tool))
        })
        .map(|(index, _)| index)
        .collect()
    };
    let tools: BTreeSet<&String> = mentions
        .iter()
        .flat_map(|mentions| &mentions.tools)
        .collect();
    ByTool {
        named: tools
            .into_iter()
            .map(|tool| (tool.clone(), concerned(Some(tool))))
            .collect(),
        others: concerned(None),
    }
}

fn by_words(programs: &[Program], kind: EventKind) -> Vec<usize> {
    let each = programs.iter().enumerate();
    each.filter(|(_, program)| {
        program.steps_on.contains(&kind) && (mentions(program, kind).words || !program.idles)
    })
    .map(|(index, _)| index)
    .collect()
}

/// What the event predicates of this kind name.
fn mentions(program: &Program, kind: EventKind) -> Mentions {
    let mut found = Mentions::default();
    for atom in program.atoms() {
        let Atom::Event(predicate) = atom else {
            continue;
        };
        if lictor_contract::predicate::predicate_kind(predicate) != kind {
            continue;
        }
        match predicate {
            EventPredicate::Tool(_, tools) => {
                found.tools.extend(tools.names().map(str::to_owned));
                found.every_tool |= tools
                    .alternatives()
                    .any(|tool| !matches!(tool, ToolRef::Tool(_)));
            }
            _ => found.words = true,
        }
    }
    found
}
