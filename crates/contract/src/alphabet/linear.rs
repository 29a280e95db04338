//! One form for comparisons of linear sums, however their author arranged them.
//!
//! `a - b <= 2 * c` and `b >= a - 2 * c` are one statement, and a vote by
//! meaning must see that. All terms go to one side, each with its coefficient;
//! the smallest term is made positive; then what is positive stands on the left
//! and the rest, with the constant, on the right. The atom so written has the
//! same truth value at every event, unknown included, since it has the same
//! terms: a comparison in which a term cancels out is left as it is.

use crate::predicate::{ArithmeticOp, CompareOp, Term};
use crate::value::Value;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// `left op right` in the one form; none if it is no comparison of sums.
pub fn arrange(op: CompareOp, left: &Term, right: &Term) -> Option<(CompareOp, Term, Term)> {
    let is_sum = |term: &Term| matches!(term, Term::Arithmetic(..));
    if !is_sum(left) && !is_sum(right) {
        return None;
    }
    let mut sum = Sum::default();
    sum.add(left, Decimal::ONE)?;
    sum.add(right, Decimal::NEGATIVE_ONE)?;
    if sum.terms.values().any(Decimal::is_zero) {
        return None;
    }
    let (_, first) = sum.terms.first_key_value()?;
    let flipped = first.is_sign_negative();
    let sign = if flipped {
        Decimal::NEGATIVE_ONE
    } else {
        Decimal::ONE
    };
    let mut sides = [Vec::new(), Vec::new()];
    for (term, coefficient) in sum.terms {
        let coefficient = coefficient.checked_mul(sign)?;
        let [positive, negative] = &mut sides;
        let side = if coefficient.is_sign_negative() {
            negative
        } else {
            positive
        };
        side.push(scaled(term, coefficient.abs()));
    }
    let [positive, mut negative] = sides;
    let constant = sum
        .constant
        .checked_mul(sign)?
        .checked_mul(Decimal::NEGATIVE_ONE)?;
    if !constant.is_zero() || negative.is_empty() {
        negative.push(Term::Constant(Value::Number(constant)));
    }
    let op = if flipped { super::mirrored(op) } else { op };
    Some((op, total(positive)?, total(negative)?))
}

/// Terms with their coefficients, and a constant.
#[derive(Default)]
struct Sum {
    terms: BTreeMap<Term, Decimal>,
    constant: Decimal,
}

impl Sum {
    /// Adds `factor * term`; none if the term is no linear sum or overflows.
    fn add(&mut self, term: &Term, factor: Decimal) -> Option<()> {
        match term {
            Term::Constant(Value::Number(number)) => {
                self.constant = self.constant.checked_add(number.checked_mul(factor)?)?;
            }
            Term::Arithmetic(ArithmeticOp::Add, left, right) => {
                self.add(left, factor)?;
                self.add(right, factor)?;
            }
            Term::Arithmetic(ArithmeticOp::Subtract, left, right) => {
                self.add(left, factor)?;
                self.add(right, factor.checked_mul(Decimal::NEGATIVE_ONE)?)?;
            }
            Term::Arithmetic(ArithmeticOp::Multiply, left, right) => match (&**left, &**right) {
                (Term::Constant(Value::Number(number)), other)
                | (other, Term::Constant(Value::Number(number))) => {
                    self.add(other, factor.checked_mul(*number)?)?;
                }
                _ => return None,
            },
            Term::Constant(_) => return None,
            other => {
                let coefficient = self.terms.entry(other.clone()).or_default();
                *coefficient = coefficient.checked_add(factor)?;
            }
        }
        Some(())
    }
}

fn scaled(term: Term, coefficient: Decimal) -> Term {
    if coefficient == Decimal::ONE {
        return term;
    }
    let coefficient = Term::Constant(Value::Number(coefficient.normalize()));
    Term::Arithmetic(
        ArithmeticOp::Multiply,
        Box::new(coefficient),
        Box::new(term),
    )
}

fn total(terms: Vec<Term>) -> Option<Term> {
    terms
        .into_iter()
        .reduce(|sum, term| Term::Arithmetic(ArithmeticOp::Add, Box::new(sum), Box::new(term)))
}

#[cfg(test)]
mod tests {
    use crate::alphabet::canonical;
    use crate::language::{Mode, parse_formula};
    use crate::predicate::{Atom, Formula};

    fn form(text: &str) -> (String, bool) {
        let parsed = parse_formula(text, Mode::Strict).unwrap().value;
        let Formula::Atom(atom @ Atom::Compare(..)) = parsed else {
            panic!("{text} is no comparison");
        };
        let (atom, same) = canonical(&atom);
        (atom.to_string(), same)
    }

    #[track_caller]
    fn check(texts: &[&str]) {
        for pair in texts.windows(2) {
            assert_eq!(form(pair[0]), form(pair[1]), "{} and {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn arrangements_of_one_statement_are_one_atom() {
        check(&[
            "arg.total - arg.nonfree <= 2 * len(arg.people)",
            "arg.nonfree >= arg.total - 2 * len(arg.people)",
            "arg.nonfree + len(arg.people) * 2 >= arg.total",
            "arg.nonfree + len(arg.people) - arg.total >= 0 - len(arg.people)",
        ]);
        check(&[
            "arg.total - arg.nonfree <= 0",
            "arg.nonfree >= arg.total",
            "arg.total <= arg.nonfree",
        ]);
        check(&[
            "arg.a + 1 == arg.b",
            "arg.b - 1 == arg.a",
            "arg.a == arg.b - 1",
        ]);
        check(&["count(ok(t)) + 1 <= 3", "count(ok(t)) < 3"]);
    }

    #[test]
    fn different_statements_stay_apart() {
        assert_ne!(form("arg.a - arg.b <= 1"), form("arg.a - arg.b < 1"));
        assert_ne!(form("arg.a - arg.b <= 1"), form("arg.b - arg.a <= 1"));
        assert_ne!(form("arg.a - arg.b <= 1"), form("arg.a - 2 * arg.b <= 1"));
    }

    #[test]
    fn a_term_that_cancels_out_stays_since_it_may_be_unknown() {
        assert_eq!(
            form("arg.a - arg.a < 1"),
            ("arg.a - arg.a < 1".to_owned(), true)
        );
    }
}
