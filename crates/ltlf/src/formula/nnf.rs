//! Negation normal form: negation pushed down to the atoms through the duals.
//!
//! Each operator has its dual in the syntax (`X`/`WX`, `F`/`G`, `U`/`R`, `W`/`M`, `Y`/`WY`, `O`/`H`, `S`/`T`), so only an
//! equivalence grows. What a positive and a negative atom become is the caller's choice, because a three-valued atom turns
//! into two propositions, 'known to hold' and 'known not to hold', of which neither is the negation of the other.

use super::Formula;
use crate::limits::{Bound, TooLarge};

/// The largest result; only nested equivalences, which double, can come near it.
const MAX_SIZE: usize = 200_000;

impl<A> Formula<A> {
    /// The negation normal form, with `literal` deciding what an atom becomes when it stands positively (`true`) or under a
    /// negation (`false`).
    ///
    /// # Errors
    /// [`TooLarge`] if the formula is too deep or its nested equivalences would make the result too big.
    pub fn nnf<B>(
        &self,
        literal: &mut dyn FnMut(&A, bool) -> Formula<B>,
    ) -> Result<Formula<B>, TooLarge> {
        self.check_depth()?;
        Rewriter { literal, size: 0 }.go(self, true)
    }

    /// The negation normal form over the same atoms: negation stands before atoms only.
    ///
    /// # Errors
    /// As [`Formula::nnf`].
    pub fn nnf_plain(&self) -> Result<Formula<A>, TooLarge>
    where
        A: Clone,
    {
        self.nnf(&mut |atom, positive| {
            let atom = Formula::Atom(atom.clone());
            if positive { atom } else { Formula::not(atom) }
        })
    }
}

struct Rewriter<'a, A, B> {
    literal: &'a mut dyn FnMut(&A, bool) -> Formula<B>,
    size: usize,
}

impl<A, B> Rewriter<'_, A, B> {
    fn go(&mut self, formula: &Formula<A>, positive: bool) -> Result<Formula<B>, TooLarge> {
        self.size += 1;
        if self.size > MAX_SIZE {
            return Err(TooLarge::new(Bound::Size, MAX_SIZE));
        }
        let choose = |when_positive: Unary<B>, when_negative: Unary<B>| {
            if positive {
                when_positive
            } else {
                when_negative
            }
        };
        let choose2 = |when_positive: Binary<B>, when_negative: Binary<B>| {
            if positive {
                when_positive
            } else {
                when_negative
            }
        };
        Ok(match formula {
            Formula::True => Formula::constant(positive),
            Formula::False => Formula::constant(!positive),
            Formula::Atom(atom) => (self.literal)(atom, positive),
            Formula::Not(f) => self.go(f, !positive)?,
            Formula::And(all) => {
                let all = self.each(all, positive)?;
                if positive {
                    Formula::and(all)
                } else {
                    Formula::or(all)
                }
            }
            Formula::Or(all) => {
                let all = self.each(all, positive)?;
                if positive {
                    Formula::or(all)
                } else {
                    Formula::and(all)
                }
            }
            Formula::Implies(f, g) => {
                let both = [self.go(f, !positive)?, self.go(g, positive)?];
                if positive {
                    Formula::or(both)
                } else {
                    Formula::and(both)
                }
            }
            Formula::Iff(f, g) => Formula::or([
                Formula::and([self.go(f, true)?, self.go(g, positive)?]),
                Formula::and([self.go(f, false)?, self.go(g, !positive)?]),
            ]),
            Formula::Next(f) => choose(Formula::next, Formula::weak_next)(self.go(f, positive)?),
            Formula::WeakNext(f) => {
                choose(Formula::weak_next, Formula::next)(self.go(f, positive)?)
            }
            Formula::Eventually(f) => {
                choose(Formula::eventually, Formula::always)(self.go(f, positive)?)
            }
            Formula::Always(f) => {
                choose(Formula::always, Formula::eventually)(self.go(f, positive)?)
            }
            Formula::Yesterday(f) => {
                choose(Formula::yesterday, Formula::weak_yesterday)(self.go(f, positive)?)
            }
            Formula::WeakYesterday(f) => {
                choose(Formula::weak_yesterday, Formula::yesterday)(self.go(f, positive)?)
            }
            Formula::Once(f) => choose(Formula::once, Formula::historically)(self.go(f, positive)?),
            Formula::Historically(f) => {
                choose(Formula::historically, Formula::once)(self.go(f, positive)?)
            }
            Formula::Until(f, g) => choose2(Formula::until, Formula::release)(
                self.go(f, positive)?,
                self.go(g, positive)?,
            ),
            Formula::Release(f, g) => choose2(Formula::release, Formula::until)(
                self.go(f, positive)?,
                self.go(g, positive)?,
            ),
            // `!(a W b)` says that `!b` lasts up to and including some `!a`: a strong release with both negated.
            Formula::WeakUntil(f, g) => choose2(Formula::weak_until, Formula::strong_release)(
                self.go(f, positive)?,
                self.go(g, positive)?,
            ),
            Formula::StrongRelease(f, g) => choose2(Formula::strong_release, Formula::weak_until)(
                self.go(f, positive)?,
                self.go(g, positive)?,
            ),
            Formula::Since(f, g) => choose2(Formula::since, Formula::triggered)(
                self.go(f, positive)?,
                self.go(g, positive)?,
            ),
            Formula::Triggered(f, g) => choose2(Formula::triggered, Formula::since)(
                self.go(f, positive)?,
                self.go(g, positive)?,
            ),
        })
    }

    fn each(&mut self, all: &[Formula<A>], positive: bool) -> Result<Vec<Formula<B>>, TooLarge> {
        all.iter().map(|f| self.go(f, positive)).collect()
    }
}

type Unary<B> = fn(Formula<B>) -> Formula<B>;
type Binary<B> = fn(Formula<B>, Formula<B>) -> Formula<B>;

#[cfg(test)]
mod tests {
    use crate::parse::parse;

    fn check(input: &str, expected: &str) {
        let formula = parse(input).unwrap();
        assert_eq!(formula.nnf_plain().unwrap().to_string(), expected);
    }

    #[test]
    fn each_operator_meets_its_dual() {
        check("!(a U X b)", "!a R WX !b");
        check("!(a W b)", "!a M !b");
        check("!(a M b)", "!a W !b");
        check("!(a S Y b)", "!a T WY !b");
        check("!(O a & H b)", "H !a | O !b");
        check("!(a -> F b)", "a & G !b");
        check("a <-> !b", "a & !b | !a & b");
        check("!(a <-> b)", "a & !b | !a & b");
    }

    #[test]
    fn the_caller_decides_what_a_literal_becomes() {
        let formula = parse("G (a -> !b)").unwrap();
        let split = formula
            .nnf(&mut |atom, positive| {
                super::Formula::Atom(format!("{atom}_{}", if positive { "yes" } else { "no" }))
            })
            .unwrap();
        assert_eq!(split.to_string(), "G (a_no | b_no)");
    }

    #[test]
    fn nested_equivalences_end_in_an_error() {
        let text = vec!["a"; 100].join(" <-> ");
        assert!(parse(&text).unwrap().nnf_plain().is_err());
    }
}
