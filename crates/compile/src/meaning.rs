//! What a rule means, as canonical text: two rules agree if their minimal
//! automata over canonical atoms are equal, in whatever words they came.

use crate::schema;
use lictor_contract::alphabet::{Encoded, Literal, encode, letter_axioms, literals};
use lictor_contract::catalog::Tool;
use lictor_contract::event::EventKind;
use lictor_contract::predicate::{Atom, Formula, Path, Term};
use lictor_contract::rule::{Obligation, steps_on};
use lictor_ltlf::{Dfa, Letter, Limits, TooLarge, decide};

/// What one rule may cost. A rule of a policy is small; one that is not is
/// better split than waited for.
pub const LIMITS: Limits = Limits {
    max_states: 2_000,
    max_nodes: 400_000,
};

/// A rule's meaning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meaning {
    /// The automaton of the assumption.
    pub assumption: String,
    /// The automaton of the guarantee.
    pub guarantee: String,
    /// The kinds of event it steps on.
    pub steps_on: Vec<EventKind>,
    /// The arguments for each of whose values it stands on its own.
    pub for_each: Vec<String>,
}

/// The meaning of an obligation.
///
/// # Errors
/// [`TooLarge`] if an automaton needs more than [`LIMITS`].
pub fn meaning(obligation: &Obligation) -> Result<Meaning, TooLarge> {
    Ok(Meaning {
        assumption: canonical(&obligation.assumption)?.0,
        guarantee: canonical(&obligation.guarantee)?.0,
        steps_on: steps_on(obligation),
        for_each: obligation.for_each.clone(),
    })
}

/// The canonical text of a formula's automaton, and its number of states.
///
/// # Errors
/// As [`meaning`].
pub fn canonical(formula: &Formula) -> Result<(String, usize), TooLarge> {
    let encoded = encode(formula)?;
    let axioms = letter_axioms(&literals(&encoded));
    let dfa = Dfa::translate(&encoded, &axioms, &LIMITS)?;
    Ok((dfa.canonical_text(name), dfa.state_count()))
}

/// Whether two formulas mean the same, even where one of them mentions atoms
/// that do not matter.
///
/// # Errors
/// As [`meaning`].
pub fn same(left: &Formula, right: &Formula) -> Result<bool, TooLarge> {
    let (left, right) = (encode(left)?, encode(right)?);
    let axioms = letter_axioms(&literals(&Encoded::and([left.clone(), right.clone()])));
    Ok(decide::equivalent(&left, &right, &axioms, &LIMITS)?.is_yes())
}

/// A shortest trace that satisfies the formula, if there is one.
///
/// # Errors
/// As [`meaning`].
pub fn witness(formula: &Formula) -> Result<Option<Vec<Letter<Literal>>>, TooLarge> {
    let encoded = encode(formula)?;
    let axioms = letter_axioms(&literals(&encoded));
    decide::satisfiable(&encoded, &axioms, &LIMITS)
}

/// A shortest trace that breaks the formula, if there is one.
///
/// # Errors
/// As [`meaning`].
pub fn counterexample(formula: &Formula) -> Result<Option<Vec<Letter<Literal>>>, TooLarge> {
    let encoded = encode(formula)?;
    let axioms = letter_axioms(&literals(&encoded));
    decide::satisfiable(&Encoded::not(encoded), &axioms, &LIMITS)
}

/// One letter as a line of text: what is known to hold (`p`) and what is known
/// not to (`not p`); `nothing in particular` for the empty letter.
pub fn letter_text(letter: &Letter<Literal>) -> String {
    let parts: Vec<String> = letter
        .iter()
        .map(|literal| {
            let no = if literal.positive { "" } else { "not " };
            format!("{no}{}", literal.atom)
        })
        .collect();
    if parts.is_empty() {
        "any other event".to_owned()
    } else {
        parts.join(", ")
    }
}

fn name(literal: &Literal) -> String {
    let sign = if literal.positive { '+' } else { '-' };
    format!("{sign}{}", literal.atom)
}

/// The formula at the calls of a tool whose schema demands some arguments:
/// those are known there (a trace axiom), so the premise `known(arg.x) ->` adds
/// nothing. A demand `known(arg.x)` stays, since a rule may repeat the schema.
///
/// # Errors
/// As [`meaning`].
pub fn with_required(formula: &Formula, tool: &Tool) -> Result<Formula, TooLarge> {
    formula.nnf(&mut |atom, positive| match atom {
        Atom::Known(Term::Arg(path)) if !positive && always_present(tool, path) => Formula::False,
        _ if positive => Formula::Atom(atom.clone()),
        _ => Formula::not(Formula::Atom(atom.clone())),
    })
}

fn always_present(tool: &Tool, path: &Path) -> bool {
    let reached = schema::reach(tool, path);
    reached.optional.is_none()
        && reached.missing.is_none()
        && !reached.spread
        && reached.schema.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lictor_contract::language::{Mode, parse_formula};

    #[test]
    fn a_required_argument_is_no_premise() {
        let catalog = lictor_contract::catalog::Catalog::from_json(
            r#"[{"name": "t", "parameters": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a"]}}]"#,
        )
        .unwrap();
        let tool = catalog.get("t").unwrap();
        let check = |left: &str, right: &str, expected: bool| {
            let left = with_required(&formula(left), tool).unwrap();
            assert_eq!(same(&left, &formula(right)).unwrap(), expected);
        };
        check(
            "G (call(t) -> known(arg.a) -> arg.a == 1)",
            "G (call(t) -> arg.a == 1)",
            true,
        );
        check(
            "G !(call(t) & known(arg.a) & arg.a == 1)",
            "G (call(t) -> arg.a != 1)",
            true,
        );
        check(
            "G (call(t) -> known(arg.b) -> arg.b == 1)",
            "G (call(t) -> arg.b == 1)",
            false,
        );
        check("G (call(t) -> known(arg.a))", "true", false);
    }

    fn formula(text: &str) -> Formula {
        parse_formula(text, Mode::Strict).unwrap().value
    }

    #[track_caller]
    fn check(left: &str, right: &str, same_text: bool) {
        let (left, right) = (formula(left), formula(right));
        assert_eq!(
            canonical(&left).unwrap().0 == canonical(&right).unwrap().0,
            same_text
        );
        assert_eq!(same(&left, &right).unwrap(), same_text);
    }

    #[test]
    fn what_a_rule_stands_for_is_a_part_of_its_meaning() {
        let rule = |names: &[&str]| Obligation {
            assumption: Formula::True,
            guarantee: formula("G (call(t) -> O ok(u))"),
            for_each: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let meaning = |names: &[&str]| meaning(&rule(names)).unwrap();
        assert_eq!(meaning(&["a"]), meaning(&["a"]));
        assert_ne!(meaning(&["a"]), meaning(&[]));
        assert_ne!(meaning(&["a", "b"]), meaning(&["b", "a"]));
    }

    #[test]
    fn wording_does_not_matter() {
        check(
            "G (call(t) -> arg.a <= 5)",
            "G !(call(t) & !(5 >= arg.a))",
            true,
        );
        check(
            r#"G (call(t) -> arg.a in ["x", "y"])"#,
            r#"G (call(t) -> arg.a == "y" | arg.a == "x")"#,
            true,
        );
        check(
            "G (call(t) -> count(ok(u)) > 0)",
            "G (call(t) -> count(ok(u)) >= 1)",
            true,
        );
        check(
            "G (call(t) -> arg.a <= 5)",
            "G (call(t) -> arg.a < 5)",
            false,
        );
        check(
            "G (call(t) -> arg.a <= 5)",
            "G (call(u) -> arg.a <= 5)",
            false,
        );
        // A demand that must be known to hold is more than one that must not be known to fail.
        check(
            "G (call(t) -> arg.a == 1)",
            "G !(call(t) & arg.a != 1)",
            true,
        );
        check("G (call(t) -> arg.a == 1 | arg.a != 1)", "G true", false);
    }
}
