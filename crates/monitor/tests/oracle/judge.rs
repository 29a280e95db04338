//! What a contract says to a call, from all events so far.

use super::facts::{Event, View};
use super::letters::assignments;
use super::logic::{Logic, Memory, State, T3};
use lictor_contract::event::EventKind;
use lictor_contract::predicate::{Atom, EventPredicate, Formula, Term, ToolEvent};
use lictor_monitor::RefusalKind;
use std::collections::BTreeSet;

/// One contract.
#[derive(Debug)]
pub struct Judge {
    guarantee: Logic,
    /// The negation of the assumption.
    broken: Option<Logic>,
    kinds: BTreeSet<EventKind>,
    memory: Memory,
    broken_memory: Memory,
}

/// Where a contract stands.
#[derive(Clone)]
struct Standing {
    strong: State,
    /// What some assignment of the unknown leads to.
    open: BTreeSet<State>,
    broken: Option<State>,
    idle: bool,
}

fn kind(event: &Event) -> EventKind {
    match event {
        Event::Call(_) => EventKind::Call,
        Event::Return { .. } => EventKind::Return,
        Event::User(_) => EventKind::User,
        Event::Agent => EventKind::Agent,
    }
}

fn observed(formula: &Formula) -> BTreeSet<EventKind> {
    let mut kinds = BTreeSet::new();
    let mut arguments = false;
    for atom in formula.atoms() {
        if let Atom::Event(predicate) = atom {
            kinds.insert(match predicate {
                EventPredicate::Tool(ToolEvent::Call, _) => EventKind::Call,
                EventPredicate::Tool(..) => EventKind::Return,
                EventPredicate::Agent | EventPredicate::AgentSays(_) => EventKind::Agent,
                _ => EventKind::User,
            });
        }
        arguments |= atom
            .all_terms()
            .iter()
            .any(|term| matches!(term, Term::Arg(_)));
    }
    if kinds.is_empty() || arguments && !kinds.contains(&EventKind::Return) {
        kinds.insert(EventKind::Call);
    }
    kinds
}

impl Judge {
    /// None if nothing can keep the guarantee, since no call then enters failure.
    pub fn new(assumption: &Formula, guarantee: &Formula) -> Option<Judge> {
        let mut kinds = observed(guarantee);
        let broken = (*assumption != Formula::True).then(|| {
            kinds.extend(observed(assumption));
            Logic::new(&Formula::Not(Box::new(assumption.clone())))
        });
        let mut judge = Judge {
            guarantee: Logic::new(guarantee),
            broken,
            kinds,
            memory: Memory::default(),
            broken_memory: Memory::default(),
        };
        let start = judge.guarantee.start();
        (!judge.guarantee.is_lost(&start, &mut judge.memory)).then_some(judge)
    }

    /// Where the event leads, and whether it enters failure.
    fn step(&mut self, from: &Standing, view: &View<'_>) -> (Standing, bool) {
        let letter = view.letter(&self.guarantee.atoms);
        let strong = self.guarantee.step(&from.strong, &letter);
        let unknown: Vec<usize> = (0..letter.len())
            .filter(|index| letter[*index] == T3::Unknown)
            .collect();
        let mut open = BTreeSet::new();
        for letter in assignments(&self.guarantee.atoms, &letter, &unknown) {
            for state in &from.open {
                open.insert(self.guarantee.step(state, &letter));
            }
        }
        open.retain(|state| !self.guarantee.is_lost(state, &mut self.memory));
        let mut idle = from.idle;
        let broken = self.broken.as_ref().zip(from.broken.as_ref());
        let broken = broken.map(|(logic, state)| {
            let state = logic.step(state, &view.letter(&logic.atoms));
            idle |= logic.is_won(&state, &mut self.broken_memory);
            state
        });
        let fails = !idle && self.guarantee.is_lost(&strong, &mut self.memory);
        (
            Standing {
                strong,
                open,
                broken,
                idle,
            },
            fails,
        )
    }

    /// What the contract says to the call `now` after all these events.
    pub fn decide(&mut self, events: &[Event], now: &Event) -> Option<RefusalKind> {
        let start = self.guarantee.start();
        let mut standing = Standing {
            open: BTreeSet::from([start.clone()]),
            strong: start,
            broken: self.broken.as_ref().map(Logic::start),
            idle: false,
        };
        for (at, event) in events.iter().enumerate() {
            if !self.kinds.contains(&kind(event)) || is_withheld(events, event) {
                continue;
            }
            let view = View {
                before: &events[..at],
                now: event,
            };
            let (next, fails) = self.step(&standing, &view);
            // An event that breaks the contract is in the trace; the contract skips it.
            if !fails {
                standing = next;
            }
        }
        if !self.kinds.contains(&EventKind::Call) {
            return None;
        }
        let (next, fails) = self.step(
            &standing,
            &View {
                before: events,
                now,
            },
        );
        match (fails, next.open.is_empty()) {
            (false, _) => None,
            (true, true) => Some(RefusalKind::Violated),
            (true, false) => Some(RefusalKind::Undecidable),
        }
    }
}

/// Whether the event is, or answers, a call that a gate stopped.
fn is_withheld(events: &[Event], event: &Event) -> bool {
    let id = match event {
        Event::Call(call) => call.id,
        Event::Return { call, .. } => *call,
        _ => return false,
    };
    events
        .iter()
        .any(|other| matches!(other, Event::Call(call) if call.id == id && call.withheld))
}
