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
    /// By the tool of a call, contracts with parameters that its call or its
    /// answer can move.
    keyed: ByTool,
    /// Contracts with parameters that may owe something, by the kind of the
    /// events on which they step.
    owing: BTreeMap<EventKind, Vec<usize>>,
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
            keyed: keyed(programs),
            owing: [EventKind::Call, EventKind::Return]
                .map(|kind| (kind, owing(programs, kind)))
                .into(),
        }
    }

    /// The contracts that must know which values of their parameters a call of
    /// this tool is about, in library order.
    pub(crate) fn keyed(&self, tool: &str) -> &[usize] {
        self.keyed.of(tool)
    }

    /// The contracts that owe something for each value of their parameters, so
    /// that an event which moves none of them may still be the first of its
    /// values that they observe.
    pub(crate) fn owing(&self, now: &Now<'_>) -> &[usize] {
        let of = self.owing.get(&now.kind());
        of.map(Vec::as_slice).unwrap_or_default()
    }

    /// The contracts that the event can move.
    pub(crate) fn concerned(&self, now: &Now<'_>) -> &[usize] {
        match now {
            Now::Call(call) => self.calls.of(&call.tool),
            Now::Return { record, .. } | Now::Counted { record, .. } => {
                self.returns.of(&record.tool)
            }
            Now::User { .. } => &self.user,
            Now::Agent { .. } => &self.agent,
        }
    }
}

fn keyed(programs: &[Program]) -> ByTool {
    let [calls, returns] = [EventKind::Call, EventKind::Return].map(|kind| by_tool(programs, kind));
    let has_parameters = |index: &usize| {
        let program = programs.get(*index);
        program.is_some_and(|program| !program.contract.for_each.is_empty())
    };
    let both = |of: &dyn Fn(&ByTool) -> Vec<usize>| {
        let all: BTreeSet<usize> = of(&calls).into_iter().chain(of(&returns)).collect();
        all.into_iter().filter(has_parameters).collect()
    };
    let tools = calls.named.keys().chain(returns.named.keys());
    ByTool {
        named: tools
            .map(|tool| (tool.clone(), both(&|by_tool| by_tool.of(tool).to_vec())))
            .collect(),
        others: both(&|by_tool| by_tool.others.clone()),
    }
}

fn owing(programs: &[Program], kind: EventKind) -> Vec<usize> {
    let each = programs.iter().enumerate();
    each.filter(|(_, program)| {
        !program.contract.for_each.is_empty()
            && program.steps_on.contains(&kind)
            && program.guarantee.may_owe()
    })
    .map(|(index, _)| index)
    .collect()
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
