//! The bridge from predicates to propositions: canonical atoms, the strong
//! reading, and the axioms that letters obey (DESIGN sections 3 and 4).
//!
//! An atom may be unknown, and an unknown literal must never count as held. So
//! a three-valued atom `p` becomes two propositions, `p+` (known to hold) and
//! `p-` (known not to), and a formula in negation normal form uses the one its
//! literal needs. Automata and all decisions work on these propositions; the
//! axioms say which combinations can occur at one event.

mod linear;

use crate::event::EventKind;
use crate::predicate::{
    Atom, CompareOp, EventPredicate, Formula, Term, ToolEvent, ToolPattern, ToolRef, predicate_kind,
};
use crate::time::Time;
use crate::value::{Kind, Value};
use lictor_ltlf::{Axioms, TooLarge};
use rust_decimal::Decimal;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Longest list of constants that `in` is spelt out for.
const MAX_SPELT_OUT: usize = 32;

/// A proposition of the automata: a canonical atom known to hold, or known not
/// to hold. A two-valued atom appears only with `positive` set and may stand
/// under a negation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// The canonical atom.
    pub atom: Atom,
    /// `p+` if set, else `p-`.
    pub positive: bool,
}

/// A formula over literals, ready for translation.
pub type Encoded = lictor_ltlf::Formula<Literal>;

/// The negation normal form of a formula under the strong reading.
///
/// # Errors
/// [`TooLarge`] if the formula is nested or grows beyond what automata accept.
pub fn encode(formula: &Formula) -> Result<Encoded, TooLarge> {
    formula.nnf(&mut |atom, positive| encode_atom(atom, positive))
}

fn encode_atom(atom: &Atom, positive: bool) -> Encoded {
    match atom {
        Atom::Event(EventPredicate::Tool(event, tools)) => {
            let each = tools.alternatives().map(|tool| {
                let pattern = ToolPattern::new([tool.clone()]);
                let atom = pattern.map(|tool| Atom::Event(EventPredicate::Tool(*event, tool)));
                atom.map_or(Encoded::False, |atom| literal(atom, positive))
            });
            if positive {
                Encoded::or(each)
            } else {
                Encoded::and(each)
            }
        }
        Atom::In(term, Term::Constant(Value::List(values))) if values.len() <= MAX_SPELT_OUT => {
            let values: BTreeSet<&Value> = values.iter().collect();
            let each = values.into_iter().map(|value| {
                let equal = Atom::Compare(
                    CompareOp::Equal,
                    term.clone(),
                    Term::Constant(value.clone()),
                );
                let (atom, same) = canonical(&equal);
                literal(atom, positive == same)
            });
            if positive {
                Encoded::or(each)
            } else {
                Encoded::and(each)
            }
        }
        _ => {
            let (atom, same) = canonical(atom);
            literal(atom, positive == same)
        }
    }
}

fn literal(atom: Atom, positive: bool) -> Encoded {
    if atom.is_two_valued() {
        let held = Encoded::Atom(Literal {
            atom,
            positive: true,
        });
        if positive { held } else { Encoded::not(held) }
    } else {
        Encoded::Atom(Literal { atom, positive })
    }
}

/// The canonical form of an atom, and whether it has the same truth value (or
/// else the opposite one).
pub fn canonical(atom: &Atom) -> (Atom, bool) {
    let Atom::Compare(op, left, right) = atom else {
        return (atom.clone(), true);
    };
    let (op, left, right) =
        linear::arrange(*op, left, right).unwrap_or_else(|| (*op, left.clone(), right.clone()));
    let (op, left, right) = oriented(op, left, right);
    let (op, same) = match op {
        CompareOp::NotEqual => (CompareOp::Equal, false),
        CompareOp::Greater => (CompareOp::LessOrEqual, false),
        CompareOp::GreaterOrEqual => (CompareOp::Less, false),
        op => (op, true),
    };
    if let (true, Term::Constant(Value::Number(bound))) = (left.is_natural(), &right)
        && let Some(atom) = natural_bound(op, &left, *bound)
    {
        return (atom, same);
    }
    (Atom::Compare(op, left, right), same)
}

/// A constant stands on the right; of two other terms the smaller one stands on
/// the left.
fn oriented(op: CompareOp, left: Term, right: Term) -> (CompareOp, Term, Term) {
    let is_constant = |term: &Term| matches!(term, Term::Constant(_) | Term::Duration(_));
    let swap = match (is_constant(&left), is_constant(&right)) {
        (true, false) => true,
        (false, false) => left > right,
        _ => false,
    };
    if swap {
        (mirrored(op), right, left)
    } else {
        (op, left, right)
    }
}

/// The operator that says the same with the sides exchanged.
fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
        op => op,
    }
}

/// Over natural numbers `t <= n` is `t < n + 1`, and `t == 0` is `t < 1`.
fn natural_bound(op: CompareOp, term: &Term, bound: Decimal) -> Option<Atom> {
    let below = |bound: Decimal| {
        Atom::Compare(
            CompareOp::Less,
            term.clone(),
            Term::Constant(Value::Number(bound)),
        )
    };
    match op {
        CompareOp::Equal if bound.is_zero() => Some(below(Decimal::ONE)),
        CompareOp::LessOrEqual => Some(below(bound.floor().checked_add(Decimal::ONE)?)),
        CompareOp::Less => Some(below(bound.ceil())),
        _ => None,
    }
}

/// The propositions of an encoded formula.
pub fn literals(formula: &Encoded) -> BTreeSet<Literal> {
    formula.atoms().into_iter().cloned().collect()
}

/// What holds of every letter over these propositions: one kind per event and
/// at most one tool per call or return, an outcome is a return, a yes is a user
/// turn, `p+` and `p-` exclude each other, constants of one term exclude each
/// other and bounds on one quantity form intervals.
pub fn letter_axioms(literals: &BTreeSet<Literal>) -> Axioms<Literal> {
    axioms(letter_constraints(literals))
}

/// Constraints as axioms. They are propositional by construction, over whatever
/// names the caller gave the literals.
pub fn axioms<A: Ord + Clone>(constraints: Vec<lictor_ltlf::Formula<A>>) -> Axioms<A> {
    let mut axioms = Axioms::none();
    for constraint in constraints {
        let required = axioms.require(constraint);
        debug_assert!(
            required.is_ok(),
            "letter constraints have no temporal operator"
        );
    }
    axioms
}

/// The same as formulas: implications between two literals and exclusions of two.
pub fn letter_constraints(literals: &BTreeSet<Literal>) -> Vec<Encoded> {
    let mut constraints = Vec::new();
    let all: Vec<&Literal> = literals.iter().collect();
    for (index, left) in all.iter().enumerate() {
        for right in all.iter().skip(index + 1) {
            constraints.extend(between(left, right));
        }
    }
    constraints
}

fn between(left: &Literal, right: &Literal) -> Vec<Encoded> {
    if left.atom == right.atom {
        return vec![excludes(left, right)];
    }
    match (&left.atom, &right.atom) {
        (Atom::Event(a), Atom::Event(b)) => between_events((left, a), (right, b)),
        (Atom::Known(term), other) if speaks_of(other, term) => vec![implies(right, left)],
        (other, Atom::Known(term)) if speaks_of(other, term) => vec![implies(left, right)],
        (Atom::Compare(..), Atom::Compare(..)) => between_comparisons(left, right),
        _ => Vec::new(),
    }
}

/// Whether the atom, when its truth is known, needs the term to have a value.
fn speaks_of(atom: &Atom, term: &Term) -> bool {
    match atom {
        // A condition on elements may be settled without the terms in it: there
        // may be no element.
        Atom::Quantified(_, list, _, _) => list == term,
        Atom::Listed(_) => false,
        other => !other.is_two_valued() && other.terms().contains(&term),
    }
}

/// Whether two texts could be one id, which compare without case, blanks and a
/// leading `#` where the catalog says so.
fn may_be_one_id(a: &str, b: &str) -> bool {
    let plain = |text: &str| -> String {
        let kept = text.trim_start().trim_start_matches('#').chars();
        let kept = kept.filter(|c| !c.is_whitespace());
        kept.flat_map(char::to_lowercase).collect()
    };
    plain(a) == plain(b)
}

fn between_events(
    (left, a): (&Literal, &EventPredicate),
    (right, b): (&Literal, &EventPredicate),
) -> Vec<Encoded> {
    // `confirms` is three-valued, and known to be false off user turns.
    let refused = |literal: &Literal, predicate: &EventPredicate| {
        *predicate == EventPredicate::Confirms && !literal.positive
    };
    let off_user = |predicate: &EventPredicate| predicate_kind(predicate) != EventKind::User;
    if refused(left, a) {
        return if off_user(b) {
            vec![implies(right, left)]
        } else {
            Vec::new()
        };
    }
    if refused(right, b) {
        return if off_user(a) {
            vec![implies(left, right)]
        } else {
            Vec::new()
        };
    }
    match (includes(a, b), includes(b, a)) {
        (true, _) => vec![implies(right, left)],
        (_, true) => vec![implies(left, right)],
        _ if exclude_each_other(a, b) => vec![excludes(left, right)],
        _ => Vec::new(),
    }
}

/// Whether `a` holds at every event at which `b` does.
fn includes(a: &EventPredicate, b: &EventPredicate) -> bool {
    match (a, b) {
        (EventPredicate::User, EventPredicate::UserSays(_) | EventPredicate::Confirms) => true,
        (EventPredicate::Agent, EventPredicate::AgentSays(_)) => true,
        (EventPredicate::Tool(outer, tools), EventPredicate::Tool(inner, others)) => {
            let event = outer == inner
                || (*outer == ToolEvent::Return && inner.kind() == EventKind::Return);
            let any = tools.alternatives().any(|tool| *tool == ToolRef::Any);
            event && (any || tools == others)
        }
        _ => false,
    }
}

fn exclude_each_other(a: &EventPredicate, b: &EventPredicate) -> bool {
    if predicate_kind(a) != predicate_kind(b) {
        return true;
    }
    match (a, b) {
        (EventPredicate::Tool(first, tools), EventPredicate::Tool(second, others)) => {
            let outcomes = [*first, *second];
            let opposite =
                outcomes.contains(&ToolEvent::Ok) && outcomes.contains(&ToolEvent::Error);
            let classes = |tools: &ToolPattern| {
                tools
                    .alternatives()
                    .any(|tool| !matches!(tool, ToolRef::Tool(_)))
            };
            opposite || (!classes(tools) && !classes(others) && tools != others)
        }
        _ => false,
    }
}

/// Relations between two comparisons of one term with constants: which truth
/// value of one follows from a truth value of the other.
fn between_comparisons(left: &Literal, right: &Literal) -> Vec<Encoded> {
    let (Atom::Compare(first, term, a), Atom::Compare(second, other, b)) =
        (&left.atom, &right.atom)
    else {
        return Vec::new();
    };
    let (Some(a), Some(b), true) = (constant(a), constant(b), term == other) else {
        return Vec::new();
    };
    let (a, b) = (a.as_ref(), b.as_ref());
    let equality_only = [first, second].iter().all(|op| **op == CompareOp::Equal);
    if a.kind() != b.kind() {
        // No value equals constants of two kinds.
        return if equality_only && left.positive && right.positive {
            vec![excludes(left, right)]
        } else {
            Vec::new()
        };
    }
    // Two spellings of one time are equal, and so may be two of one id.
    if let (Value::Text(a), Value::Text(b)) = (a, b)
        && ((Time::parse(a).is_some() && Time::parse(b).is_some()) || may_be_one_id(a, b))
    {
        return Vec::new();
    }
    // Texts have no third point that lies below both, so only their equality is used.
    if a.kind() == Kind::Text && !equality_only {
        return Vec::new();
    }
    let Some(points) = sample_points(term, a, b) else {
        return Vec::new();
    };
    let mut constraints = Vec::new();
    // Under `left` as this literal states it, the other atom can only be …
    let outcomes: BTreeSet<bool> = points
        .iter()
        .filter(|point| compare(*first, point, a) == left.positive)
        .map(|point| compare(*second, point, b))
        .collect();
    if !outcomes.contains(&right.positive) {
        constraints.push(excludes(left, right));
    } else if outcomes.len() == 1 {
        constraints.push(implies(left, right));
    }
    let outcomes: BTreeSet<bool> = points
        .iter()
        .filter(|point| compare(*second, point, b) == right.positive)
        .map(|point| compare(*first, point, a))
        .collect();
    if outcomes.len() == 1 && outcomes.contains(&left.positive) {
        constraints.push(implies(right, left));
    }
    constraints
}

/// The value of a constant; a stretch of time is its seconds.
fn constant(term: &Term) -> Option<Cow<'_, Value>> {
    match term {
        Term::Constant(value) => Some(Cow::Borrowed(value)),
        Term::Duration(length) => Some(Cow::Owned(Value::Number(Decimal::from(length.0)))),
        _ => None,
    }
}

/// Values that realise every combination of truth values two comparisons with
/// these constants can have.
fn sample_points(term: &Term, a: &Value, b: &Value) -> Option<Vec<Value>> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let half = Decimal::new(5, 1);
            let mut points = Vec::new();
            for bound in [a, b] {
                for step in [Decimal::ZERO, half, Decimal::ONE] {
                    points.push(bound.checked_add(step)?);
                    points.push(bound.checked_sub(step)?);
                }
            }
            points.push(a.checked_add(*b)?.checked_div(Decimal::TWO)?);
            if term.is_natural() {
                points.push(Decimal::ZERO);
                points.retain(|point| point.is_integer() && !point.is_sign_negative());
            }
            Some(points.into_iter().map(Value::Number).collect())
        }
        // A third value that equals neither; its text does not matter.
        (Value::Text(a), Value::Text(b)) => Some(vec![
            Value::Text(a.clone()),
            Value::Text(b.clone()),
            Value::Text(format!("{a}{b}+")),
        ]),
        (Value::Bool(_), Value::Bool(_)) => Some(vec![Value::Bool(false), Value::Bool(true)]),
        _ => None,
    }
}

fn compare(op: CompareOp, left: &Value, right: &Value) -> bool {
    match op {
        CompareOp::Equal => left == right,
        CompareOp::NotEqual => left != right,
        CompareOp::Less => left < right,
        CompareOp::LessOrEqual => left <= right,
        CompareOp::Greater => left > right,
        CompareOp::GreaterOrEqual => left >= right,
    }
}

fn implies(from: &Literal, to: &Literal) -> Encoded {
    Encoded::implies(Encoded::Atom(from.clone()), Encoded::Atom(to.clone()))
}

fn excludes(left: &Literal, right: &Literal) -> Encoded {
    Encoded::not(Encoded::and([
        Encoded::Atom(left.clone()),
        Encoded::Atom(right.clone()),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Mode, parse_formula};
    use lictor_ltlf::{Limits, equivalent, satisfiable};

    fn encoded(text: &str) -> Encoded {
        encode(&parse_formula(text, Mode::Strict).unwrap().value).unwrap()
    }

    #[track_caller]
    fn satisfies(text: &str, expected: bool) {
        let formula = encoded(text);
        let axioms = letter_axioms(&literals(&formula));
        let trace = satisfiable(&formula, &axioms, &Limits::default()).unwrap();
        assert_eq!(trace.is_some(), expected, "{text}: {trace:?}");
    }

    #[track_caller]
    fn same(left: &str, right: &str, expected: bool) {
        let (one, other) = (encoded(left), encoded(right));
        let mut all = literals(&one);
        all.extend(literals(&other));
        let answer = equivalent(&one, &other, &letter_axioms(&all), &Limits::default()).unwrap();
        assert_eq!(answer.is_yes(), expected, "{left} and {right}: {answer:?}");
    }

    #[test]
    fn an_event_is_one_thing() {
        satisfies("F (call(a) & call(b))", false);
        satisfies("F (call(a) & user)", false);
        satisfies("F (call(a) & confirms)", false);
        satisfies("F (ok(a) & error(a))", false);
        satisfies("F (ok(a) & !return(a))", false);
        satisfies("F (call(a) & !call(@any))", false);
        satisfies("F (confirms & !user)", false);
        satisfies("F (user_says(/a/) & user_says(/b/))", true);
        satisfies("F call(a) & F call(b) & F (ok(a) & return(a))", true);
        // Off user turns `confirms` is known to be false.
        satisfies("F (call(a) & !confirms)", true);
        same("G (call(a) -> !confirms)", "true", true);
    }

    #[test]
    fn constants_exclude_each_other_and_bounds_form_intervals() {
        satisfies(r#"F (arg.x == "a" & arg.x == "b")"#, false);
        satisfies(r#"F (arg.x == "1" & arg.x == 1)"#, false);
        satisfies("F (arg.x < 3 & arg.x > 5)", false);
        satisfies("F (arg.x < 3 & arg.x >= 3)", false);
        satisfies("F (arg.x > 3 & arg.x < 4)", true);
        satisfies("F (count(ok(t)) > 3 & count(ok(t)) < 5)", true);
        satisfies("F (count(ok(t)) > 3 & count(ok(t)) < 4)", false);
        satisfies("F (arg.x == 3 & !(arg.x < 4))", false);
        satisfies("F (arg.x == true & arg.x == false)", false);
        satisfies("F (since(user) < 24h & since(user) > 2d)", false);
        satisfies("F (since(user) > 24h & 2d > since(user))", true);
        satisfies(r##"F (arg.x == "#W1" & arg.x == "w1")"##, true);
        // Two spellings of one time are equal, so they do not exclude each other.
        satisfies(
            r#"F (arg.x == "2026-01-01T00:00:00Z" & arg.x == "2026-01-01T01:00:00+01:00")"#,
            true,
        );
    }

    #[test]
    fn unknown_is_neither_true_nor_false() {
        // A call is refused unless the condition is known, whichever way it is put.
        same("G (call(t) -> arg.x == 1 | arg.x != 1)", "true", false);
        same("G (call(t) -> known(arg.x) | !known(arg.x))", "true", true);
        satisfies("F (arg.x == 1 & !known(arg.x))", false);
        // Without an element, a condition on elements needs nothing.
        satisfies("F (all(arg.x as x, x == arg.y) & !known(arg.y))", true);
        satisfies("F (all(arg.x as x, x == arg.y) & !known(arg.x))", false);
    }

    #[test]
    fn ways_to_write_the_same_are_the_same() {
        same(
            "G (call(t) -> count(ok(s)) >= 1)",
            "G (call(t) -> count(ok(s)) > 0)",
            true,
        );
        same(
            "G (call(t) -> count(ok(s)) == 0)",
            "G (call(t) -> !(count(ok(s)) > 0))",
            true,
        );
        same(
            r#"G (call(t) -> arg.x in ["b", "a"])"#,
            r#"G (call(t) -> arg.x == "a" | arg.x == "b")"#,
            true,
        );
        same(
            r#"G (call(t) -> !(arg.x == "a"))"#,
            r#"G (call(t) -> arg.x != "a")"#,
            true,
        );
        same("G (call(t) -> 3 < arg.x)", "G (call(t) -> arg.x > 3)", true);
        same(
            "G (call(t) -> arg.x == ctx.y)",
            "G (call(t) -> ctx.y == arg.x)",
            true,
        );
        same(
            "G (call(s | t) -> arg.x > 3)",
            "G (call(s) -> arg.x > 3) & G (call(t) -> arg.x > 3)",
            true,
        );
        same(
            "G (call(t) -> arg.x > 3)",
            "G (call(t) -> arg.x >= 3)",
            false,
        );
    }
}
