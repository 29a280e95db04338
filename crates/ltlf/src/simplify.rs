//! Cheap, sound rewriting: constants, double negation, idempotence, contradiction, absorption, and the temporal operators
//! that collapse over each other or over constants.
//!
//! The result has the same value at every position of every trace and on the empty trace. Most temporal laws fail on the
//! empty trace alone (`F true` is `true` except there), and only operands reached through Boolean operators are ever asked
//! there; so below a temporal operator every law applies, and above it those whose two sides agree on the empty trace.

use std::collections::BTreeSet;

use crate::formula::Formula;
use crate::semantics::holds_on_empty;

/// Above this many operands absorption, which compares each with each, is left out.
const MAX_ABSORBED: usize = 64;

impl<A: Ord + Clone> Formula<A> {
    /// An equivalent formula that is no larger.
    #[must_use]
    pub fn simplify(&self) -> Self {
        rewrite(self, true)
    }
}

/// `may_be_empty` says whether the value on the empty trace matters here.
fn rewrite<A: Ord + Clone>(formula: &Formula<A>, may_be_empty: bool) -> Formula<A> {
    let inner = |f: &Formula<A>| rewrite(f, false);
    let same = |f: &Formula<A>| rewrite(f, may_be_empty);
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => formula.clone(),
        Formula::Not(f) => negation(same(f)),
        Formula::And(all) => list(all.iter().map(same), true),
        Formula::Or(all) => list(all.iter().map(same), false),
        Formula::Implies(f, g) => implication(same(f), same(g)),
        Formula::Iff(f, g) => equivalence(same(f), same(g)),
        Formula::Next(f) => settle(Formula::next(inner(f)), may_be_empty),
        Formula::WeakNext(f) => settle(Formula::weak_next(inner(f)), may_be_empty),
        Formula::Eventually(f) => settle(Formula::eventually(inner(f)), may_be_empty),
        Formula::Always(f) => settle(Formula::always(inner(f)), may_be_empty),
        Formula::Yesterday(f) => settle(Formula::yesterday(inner(f)), may_be_empty),
        Formula::WeakYesterday(f) => settle(Formula::weak_yesterday(inner(f)), may_be_empty),
        Formula::Once(f) => settle(Formula::once(inner(f)), may_be_empty),
        Formula::Historically(f) => settle(Formula::historically(inner(f)), may_be_empty),
        Formula::Until(f, g) => settle(Formula::until(inner(f), inner(g)), may_be_empty),
        Formula::Release(f, g) => settle(Formula::release(inner(f), inner(g)), may_be_empty),
        Formula::WeakUntil(f, g) => settle(Formula::weak_until(inner(f), inner(g)), may_be_empty),
        Formula::StrongRelease(f, g) => {
            settle(Formula::strong_release(inner(f), inner(g)), may_be_empty)
        }
        Formula::Since(f, g) => settle(Formula::since(inner(f), inner(g)), may_be_empty),
        Formula::Triggered(f, g) => settle(Formula::triggered(inner(f), inner(g)), may_be_empty),
    }
}

/// Applies the law for the temporal operator at the root, where it holds.
fn settle<A: Ord + Clone>(formula: Formula<A>, may_be_empty: bool) -> Formula<A> {
    match temporal(&formula) {
        Some(simpler) if !may_be_empty || holds_on_empty(&simpler) == holds_on_empty(&formula) => {
            simpler
        }
        _ => formula,
    }
}

/// What a temporal operator over simplified operands amounts to on non-empty traces, if it is something simpler.
fn temporal<A: Ord + Clone>(formula: &Formula<A>) -> Option<Formula<A>> {
    use Formula::{
        Always, Eventually, False, Historically, Next, Once, Release, Since, StrongRelease,
        Triggered, True, Until, WeakNext, WeakUntil, WeakYesterday, Yesterday,
    };
    Some(match formula {
        Next(f) | Yesterday(f) if **f == False => False,
        WeakNext(f) | WeakYesterday(f) if **f == True => True,
        Eventually(f) | Always(f) | Once(f) | Historically(f) => match (formula, &**f) {
            (_, constant @ (True | False)) => constant.clone(),
            (Eventually(_), Eventually(_))
            | (Always(_), Always(_))
            | (Once(_), Once(_))
            | (Historically(_), Historically(_)) => (**f).clone(),
            _ => return None,
        },
        Until(f, g) | Since(f, g) => match (&**f, &**g) {
            (_, constant @ (True | False)) => constant.clone(),
            (False, g) => g.clone(),
            (f, g) if f == g => g.clone(),
            (True, g) if matches!(formula, Until(..)) => Formula::eventually(g.clone()),
            (True, g) => Formula::once(g.clone()),
            _ => return None,
        },
        Release(f, g) | Triggered(f, g) => match (&**f, &**g) {
            (_, constant @ (True | False)) => constant.clone(),
            (True, g) => g.clone(),
            (f, g) if f == g => g.clone(),
            (False, g) if matches!(formula, Release(..)) => Formula::always(g.clone()),
            (False, g) => Formula::historically(g.clone()),
            _ => return None,
        },
        WeakUntil(f, g) => match (&**f, &**g) {
            (True, _) | (_, True) => True,
            (False, g) => g.clone(),
            (f, False) => Formula::always(f.clone()),
            (f, g) if f == g => g.clone(),
            _ => return None,
        },
        StrongRelease(f, g) => match (&**f, &**g) {
            (False, _) | (_, False) => False,
            (True, g) => g.clone(),
            (f, True) => Formula::eventually(f.clone()),
            (f, g) if f == g => g.clone(),
            _ => return None,
        },
        _ => return None,
    })
}

fn negation<A>(f: Formula<A>) -> Formula<A> {
    match f {
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        Formula::Not(inner) => *inner,
        other => Formula::not(other),
    }
}

fn implication<A: Ord + Clone>(f: Formula<A>, g: Formula<A>) -> Formula<A> {
    match (f, g) {
        (Formula::True, g) => g,
        (Formula::False, _) | (_, Formula::True) => Formula::True,
        (f, Formula::False) => negation(f),
        (f, g) if f == g => Formula::True,
        (f, g) => Formula::implies(f, g),
    }
}

fn equivalence<A: Ord + Clone>(f: Formula<A>, g: Formula<A>) -> Formula<A> {
    match (f, g) {
        (Formula::True, f) | (f, Formula::True) => f,
        (Formula::False, f) | (f, Formula::False) => negation(f),
        (f, g) if f == g => Formula::True,
        (f, g) => Formula::iff(f, g),
    }
}

/// A conjunction or a disjunction of simplified formulas.
fn list<A: Ord + Clone>(all: impl Iterator<Item = Formula<A>>, is_and: bool) -> Formula<A> {
    let neutral = Formula::constant(is_and);
    let absorbing = Formula::constant(!is_and);
    let mut flat: Vec<Formula<A>> = Vec::new();
    for formula in all {
        match formula {
            Formula::And(inner) if is_and => flat.extend(inner),
            Formula::Or(inner) if !is_and => flat.extend(inner),
            other => flat.push(other),
        }
    }
    let mut seen: BTreeSet<Formula<A>> = BTreeSet::new();
    flat.retain(|formula| *formula != neutral && seen.insert(formula.clone()));
    let contradicts = |formula: &Formula<A>| match formula {
        Formula::Not(inner) => seen.contains(inner),
        _ => false,
    };
    if seen.contains(&absorbing) || flat.iter().any(contradicts) {
        return absorbing;
    }
    if flat.len() <= MAX_ABSORBED {
        // `a & (a | b)` is `a`: an operand of the dual kind goes if one of its own operands stands beside it.
        flat.retain(|formula| match formula {
            Formula::Or(inner) if is_and => !inner.iter().any(|f| seen.contains(f)),
            Formula::And(inner) if !is_and => !inner.iter().any(|f| seen.contains(f)),
            _ => true,
        });
    }
    if is_and {
        Formula::and(flat)
    } else {
        Formula::or(flat)
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::parse;

    fn check(input: &str, expected: &str) {
        assert_eq!(parse(input).unwrap().simplify().to_string(), expected);
    }

    #[test]
    fn boolean_laws() {
        check("!!a & true & a", "a");
        check("a | !a & true", "true");
        check("a & (b | a) & (c -> true)", "a");
        check("a & b | a | c & a", "a");
        check("(a -> a) & (b <-> false)", "!b");
    }

    #[test]
    fn temporal_laws() {
        check("F F a & G G b", "F a & G b");
        check("F (true U a)", "F a");
        check("G (a W false)", "G a");
        check("X false | WX true", "true");
        check("X (a U true)", "X true");
        check("O (false S a)", "O a");
        check("false T a", "H a");
    }

    #[test]
    fn the_empty_trace_keeps_its_value() {
        check("F true", "F true");
        check("G false", "G false");
        check("X F true", "X true");
        check("!a U !a", "!a U !a");
        check("a U a", "a");
    }
}
