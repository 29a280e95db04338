//! Where each atom of a formula is evaluated: at calls or returns of which
//! tools, and under which terms known to have a value.
//!
//! In negation normal form an event predicate guards its neighbours in two
//! shapes only: `call(T) & c`, and `!call(T) | c`, which is the implication. A
//! temporal operator moves to other events, so its operand starts unguarded.

use lictor_contract::predicate::{Atom, EventPredicate, Formula, Term, ToolEvent};
use lictor_ltlf::TooLarge;
use std::collections::BTreeSet;

/// An atom as negation normal form leaves it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sign {
    /// The atom as written.
    pub atom: Atom,
    /// Whether it is demanded to hold, or demanded not to.
    pub positive: bool,
}

/// A formula in negation normal form that keeps its atoms as written.
pub type Signed = lictor_ltlf::Formula<Sign>;

/// Brings a formula into that form.
///
/// # Errors
/// [`TooLarge`] if it is nested too deeply.
pub fn signed(formula: &Formula) -> Result<Signed, TooLarge> {
    formula.nnf(&mut |atom, positive| {
        Signed::Atom(Sign {
            atom: atom.clone(),
            positive,
        })
    })
}

/// What is known at the event at which an atom is evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// It is a call of one of these tools; empty if that is not known.
    pub calls: BTreeSet<String>,
    /// It is a return of one of these tools; empty if that is not known.
    pub returns: BTreeSet<String>,
    /// These terms have a value.
    pub known: BTreeSet<Term>,
}

impl Context {
    /// The tools whose arguments `arg` reads here.
    pub fn argument_tools(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().chain(&self.returns).map(String::as_str)
    }

    fn learn(&mut self, sign: &Sign) {
        match &sign.atom {
            Atom::Event(EventPredicate::Tool(event, tools)) => {
                let side = match event {
                    ToolEvent::Call => &mut self.calls,
                    ToolEvent::Return | ToolEvent::Ok | ToolEvent::Error => &mut self.returns,
                };
                side.extend(tools.names().map(str::to_owned));
            }
            Atom::Known(term) => {
                self.known.insert(term.clone());
            }
            _ => {}
        }
    }
}

/// One atom with its surroundings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The atom and its sign.
    pub sign: Sign,
    /// What is known where it stands.
    pub context: Context,
}

/// All atoms of a formula with their surroundings, from left to right.
pub fn occurrences(formula: &Signed) -> Vec<Occurrence> {
    let mut found = Vec::new();
    let mut open = vec![(formula, Context::default())];
    while let Some((formula, context)) = open.pop() {
        match formula {
            Signed::Atom(sign) => found.push(Occurrence {
                sign: sign.clone(),
                context,
            }),
            Signed::And(parts) | Signed::Or(parts) => {
                let conjunction = matches!(formula, Signed::And(_));
                let mut inner = context;
                for part in parts {
                    if let Signed::Atom(sign) = part
                        && sign.positive == conjunction
                    {
                        inner.learn(sign);
                    }
                }
                open.extend(parts.iter().rev().map(|part| (part, inner.clone())));
            }
            _ => open.extend(
                formula
                    .children()
                    .into_iter()
                    .rev()
                    .map(|part| (part, Context::default())),
            ),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use lictor_contract::language::{Mode, parse_formula};

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &[&str], usize)]) {
        let formula = parse_formula(text, Mode::Strict).unwrap().value;
        let seen: Vec<(String, Vec<String>, usize)> = occurrences(&signed(&formula).unwrap())
            .into_iter()
            .filter_map(|occurrence| match &occurrence.sign.atom {
                Atom::Compare(_, Term::Arg(path), _) => Some((
                    path.head().unwrap().to_owned(),
                    occurrence
                        .context
                        .argument_tools()
                        .map(str::to_owned)
                        .collect(),
                    occurrence.context.known.len(),
                )),
                _ => None,
            })
            .collect();
        let expected: Vec<(String, Vec<String>, usize)> = expected
            .iter()
            .map(|(name, tools, known)| {
                (
                    (*name).to_owned(),
                    tools.iter().map(|tool| (*tool).to_owned()).collect(),
                    *known,
                )
            })
            .collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn guards_reach_their_neighbours_and_no_further() {
        check("G (call(t) -> arg.a == 1)", &[("a", &["t"], 0)]);
        check(
            "G (call(t|u) & arg.a == 1 -> F arg.b == 1)",
            &[("a", &["t", "u"], 0), ("b", &[], 0)],
        );
        check("G !(ok(t) & arg.a == 1)", &[("a", &["t"], 0)]);
        check("G (call(t) | arg.a == 1)", &[("a", &[], 0)]);
        check(
            "G (call(t) -> known(arg.a) -> arg.a == 1 | arg.b == 2)",
            &[("a", &["t"], 1), ("b", &["t"], 1)],
        );
        check(
            "F (call(t) & known(arg.a) & arg.a == 1)",
            &[("a", &["t"], 1)],
        );
    }
}
