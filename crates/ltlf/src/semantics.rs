//! Direct semantics on a finite trace: the reference that automata and decisions are tested against.
//!
//! Written from the definitions by quantifying over positions, and sharing no code with the automata. Each subformula is
//! evaluated once at every position, so the cost is at most (operators) × (positions)².
//!
//! On a trace of n positions, at position i: `X f` iff i+1 < n and f at i+1; `a U b` iff b at some j in i..n and a at every
//! k in i..j; `a R b` iff at each j in i..n b holds or a held at some k in i..j; `a W b` = `b R (a | b)`; `a M b` =
//! `b U (a & b)`. `Y`, `S`, `T` mirror `X`, `U`, `R` into the past. On the empty trace atoms, `X F U M Y O S` are false,
//! `WX G R W WY H T` are true, and the Boolean operators are compositional.

use crate::formula::Formula;

/// Whether a trace satisfies a formula at its first position, or as the empty trace.
///
/// `valuation` says whether an atom holds in a letter. The formula's depth must be within
/// [`crate::Limits::MAX_DEPTH`], as that of every parsed formula is.
pub fn holds<A, T>(formula: &Formula<A>, trace: &[T], valuation: impl Fn(&T, &A) -> bool) -> bool {
    match values(formula, trace, valuation).first() {
        Some(value) => *value,
        None => holds_on_empty(formula),
    }
}

/// Whether a trace satisfies a formula at a position; `None` past the end.
pub fn holds_at<A, T>(
    formula: &Formula<A>,
    trace: &[T],
    position: usize,
    valuation: impl Fn(&T, &A) -> bool,
) -> Option<bool> {
    values(formula, trace, valuation).get(position).copied()
}

/// The value of a formula at every position of a trace.
pub fn values<A, T>(
    formula: &Formula<A>,
    trace: &[T],
    valuation: impl Fn(&T, &A) -> bool,
) -> Vec<bool> {
    evaluate(formula, trace, &valuation)
}

/// Whether the empty trace satisfies a formula.
pub fn holds_on_empty<A>(formula: &Formula<A>) -> bool {
    match formula {
        Formula::True => true,
        Formula::False | Formula::Atom(_) => false,
        Formula::Not(f) => !holds_on_empty(f),
        Formula::And(all) => all.iter().all(holds_on_empty),
        Formula::Or(all) => all.iter().any(holds_on_empty),
        Formula::Implies(f, g) => !holds_on_empty(f) || holds_on_empty(g),
        Formula::Iff(f, g) => holds_on_empty(f) == holds_on_empty(g),
        Formula::Next(_)
        | Formula::Eventually(_)
        | Formula::Until(..)
        | Formula::StrongRelease(..)
        | Formula::Yesterday(_)
        | Formula::Once(_)
        | Formula::Since(..) => false,
        Formula::WeakNext(_)
        | Formula::Always(_)
        | Formula::Release(..)
        | Formula::WeakUntil(..)
        | Formula::WeakYesterday(_)
        | Formula::Historically(_)
        | Formula::Triggered(..) => true,
    }
}

fn evaluate<A, T>(
    formula: &Formula<A>,
    trace: &[T],
    valuation: &dyn Fn(&T, &A) -> bool,
) -> Vec<bool> {
    let n = trace.len();
    let sub = |f: &Formula<A>| evaluate(f, trace, valuation);
    let everywhere = |value: &dyn Fn(usize) -> bool| (0..n).map(value).collect::<Vec<bool>>();
    match formula {
        Formula::True => vec![true; n],
        Formula::False => vec![false; n],
        Formula::Atom(atom) => trace.iter().map(|letter| valuation(letter, atom)).collect(),
        Formula::Not(f) => {
            let f = sub(f);
            everywhere(&|i| !at(&f, i))
        }
        Formula::And(all) => {
            let mut values = vec![true; n];
            for f in all {
                for (value, other) in values.iter_mut().zip(sub(f)) {
                    *value &= other;
                }
            }
            values
        }
        Formula::Or(all) => {
            let mut values = vec![false; n];
            for f in all {
                for (value, other) in values.iter_mut().zip(sub(f)) {
                    *value |= other;
                }
            }
            values
        }
        Formula::Implies(f, g) => {
            let (f, g) = (sub(f), sub(g));
            everywhere(&|i| !at(&f, i) || at(&g, i))
        }
        Formula::Iff(f, g) => {
            let (f, g) = (sub(f), sub(g));
            everywhere(&|i| at(&f, i) == at(&g, i))
        }
        Formula::Next(f) => {
            let f = sub(f);
            everywhere(&|i| i + 1 < n && at(&f, i + 1))
        }
        Formula::WeakNext(f) => {
            let f = sub(f);
            everywhere(&|i| i + 1 >= n || at(&f, i + 1))
        }
        Formula::Eventually(f) => {
            let f = sub(f);
            everywhere(&|i| (i..n).any(|j| at(&f, j)))
        }
        Formula::Always(f) => {
            let f = sub(f);
            everywhere(&|i| (i..n).all(|j| at(&f, j)))
        }
        Formula::Until(f, g) => until(&sub(f), &sub(g)),
        Formula::Release(f, g) => release(&sub(f), &sub(g)),
        Formula::WeakUntil(f, g) => {
            let (f, g) = (sub(f), sub(g));
            release(&g, &everywhere(&|i| at(&f, i) || at(&g, i)))
        }
        Formula::StrongRelease(f, g) => {
            let (f, g) = (sub(f), sub(g));
            until(&g, &everywhere(&|i| at(&f, i) && at(&g, i)))
        }
        Formula::Yesterday(f) => {
            let f = sub(f);
            everywhere(&|i| i.checked_sub(1).is_some_and(|j| at(&f, j)))
        }
        Formula::WeakYesterday(f) => {
            let f = sub(f);
            everywhere(&|i| i.checked_sub(1).is_none_or(|j| at(&f, j)))
        }
        Formula::Once(f) => {
            let f = sub(f);
            everywhere(&|i| (0..=i).any(|j| at(&f, j)))
        }
        Formula::Historically(f) => {
            let f = sub(f);
            everywhere(&|i| (0..=i).all(|j| at(&f, j)))
        }
        Formula::Since(f, g) => since(&sub(f), &sub(g)),
        Formula::Triggered(f, g) => triggered(&sub(f), &sub(g)),
    }
}

fn at(values: &[bool], position: usize) -> bool {
    values.get(position).copied().unwrap_or(false)
}

/// The innermost quantifier stops at the first position that settles it, which keeps the cost quadratic: walking j upward,
/// the answer is known at the first right operand or the first gap in the left one.
fn until(left: &[bool], right: &[bool]) -> Vec<bool> {
    let n = right.len();
    (0..n)
        .map(|i| {
            (i..n)
                .find(|j| at(right, *j) || !at(left, *j))
                .is_some_and(|j| at(right, j))
        })
        .collect()
}

/// As for `until`: the answer is known at the first failure of the right operand, or the first left one before it.
fn release(left: &[bool], right: &[bool]) -> Vec<bool> {
    let n = right.len();
    (0..n)
        .map(|i| {
            (i..n)
                .find(|j| at(left, *j) || !at(right, *j))
                .is_none_or(|j| at(right, j))
        })
        .collect()
}

/// `until`, walking back from the position.
fn since(left: &[bool], right: &[bool]) -> Vec<bool> {
    (0..right.len())
        .map(|i| {
            (0..=i)
                .rev()
                .find(|j| at(right, *j) || !at(left, *j))
                .is_some_and(|j| at(right, j))
        })
        .collect()
}

/// `release`, walking back from the position.
fn triggered(left: &[bool], right: &[bool]) -> Vec<bool> {
    (0..right.len())
        .map(|i| {
            (0..=i)
                .rev()
                .find(|j| at(left, *j) || !at(right, *j))
                .is_none_or(|j| at(right, j))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    /// A trace is written with one word per position, each letter of the word an atom that holds, `-` for none.
    fn check(formula: &str, trace: &str, expected: &str) {
        let letters: Vec<&str> = trace.split_whitespace().collect();
        let formula = parse(formula).unwrap();
        let values: String = values(&formula, &letters, |letter, atom| {
            letter.contains(atom.as_str())
        })
        .into_iter()
        .map(|value| if value { '1' } else { '0' })
        .collect();
        assert_eq!(values, expected);
    }

    #[test]
    fn future() {
        check("X a", "a a -", "100");
        check("WX a", "a a -", "101");
        check("F a", "- a -", "110");
        check("G a", "- a a", "011");
        check("a U b", "a a b a", "1110");
        check("a U b", "a - b -", "0010");
        check("a R b", "b ab -", "110");
        check("a R b", "b b b", "111");
        check("a W b", "a a a", "111");
        check("a W b", "a - b", "001");
        check("a M b", "b b b", "000");
        check("a M b", "b b ab -", "1110");
    }

    #[test]
    fn past() {
        check("Y a", "a - a", "010");
        check("WY a", "a - a", "110");
        check("O a", "- a -", "011");
        check("H a", "a a - a", "1100");
        check("a S b", "b a a - a", "11100");
        check("a T b", "b b - ab b", "11011");
        check("O F a", "- - a", "111");
    }

    #[test]
    fn the_empty_trace() {
        for text in [
            "a", "X true", "F true", "a U b", "a M b", "Y true", "O true", "a S b", "false",
        ] {
            let formula = parse(text).unwrap();
            assert!(!holds(&formula, &[] as &[&str], |_, _| true), "{text}");
            assert!(holds(&Formula::not(formula), &[] as &[&str], |_, _| true));
        }
        assert_eq!(
            holds_at(&parse("true").unwrap(), &["a"], 1, |_, _| true),
            None
        );
    }
}
