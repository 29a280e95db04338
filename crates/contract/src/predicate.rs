//! The closed vocabulary of interaction predicates (DESIGN section 3).
//!
//! A formula is LTLf over [`Atom`]s; an atom is an event predicate or a
//! condition over [`Term`]s. The syntax tree keeps what its author wrote;
//! [`crate::alphabet`] brings atoms to a canonical form for the automata.

mod atom;
mod term;
mod tool;
mod walk;

pub use atom::{Atom, CompareOp, Condition, Quantifier};
pub use term::{
    ArithmeticOp, Count, Function, Gauge, Key, Lookup, Occurrence, Path, Seconds, Segment, Term,
};
pub use tool::{EventPredicate, Name, Pattern, ToolEvent, ToolPattern, ToolRef};

use crate::event::EventKind;
use std::collections::BTreeSet;

/// An LTLf formula over interaction predicates.
pub type Formula = lictor_ltlf::Formula<Atom>;

/// The event kinds that the atoms of a formula observe (DESIGN section 4): a
/// contract steps on these alone. A formula over facts alone observes calls.
pub fn observed_kinds(formula: &Formula) -> BTreeSet<EventKind> {
    let atoms = formula.atoms();
    let mut kinds: BTreeSet<EventKind> = atoms
        .iter()
        .filter_map(|atom| match atom {
            Atom::Event(predicate) => Some(predicate_kind(predicate)),
            _ => None,
        })
        .collect();
    let mentions = |test: fn(&Term) -> bool| {
        atoms
            .iter()
            .any(|atom| atom.all_terms().iter().any(|term| test(term)))
    };
    if mentions(|term| matches!(term, Term::Result(_))) {
        kinds.insert(EventKind::Return);
    }
    // `arg` beside a return predicate reads the arguments of the return's call
    // and adds no kind of its own.
    if !kinds.contains(&EventKind::Return) && mentions(|term| matches!(term, Term::Arg(_))) {
        kinds.insert(EventKind::Call);
    }
    if kinds.is_empty() {
        kinds.insert(EventKind::Call);
    }
    kinds
}

/// The kind of event a predicate can be true at.
pub fn predicate_kind(predicate: &EventPredicate) -> EventKind {
    match predicate {
        EventPredicate::Tool(event, _) => event.kind(),
        EventPredicate::User | EventPredicate::UserSays(_) | EventPredicate::Confirms => {
            EventKind::User
        }
        EventPredicate::Agent | EventPredicate::AgentSays(_) => EventKind::Agent,
    }
}
