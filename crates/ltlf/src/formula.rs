//! The syntax tree of temporal formulas on finite traces, with past.
//!
//! The tree is generic over its atoms: bare propositions (`Formula<String>`) for the text form of this crate, typed
//! predicates for callers with a richer language. Conjunction and disjunction are n-ary because policies conjoin long lists,
//! and a list costs no nesting.

mod build;
mod nnf;

use std::collections::BTreeSet;

use crate::limits::{Bound, Limits, TooLarge};

/// A formula of linear temporal logic on finite traces with past operators.
///
/// [`crate::semantics`] states what each operator means.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula<A> {
    /// Holds everywhere, also on the empty trace.
    True,
    /// Holds nowhere.
    False,
    /// The atom holds at this position.
    Atom(A),
    /// Negation.
    Not(Box<Formula<A>>),
    /// Conjunction of all; the empty conjunction is true.
    And(Vec<Formula<A>>),
    /// Disjunction of all; the empty disjunction is false.
    Or(Vec<Formula<A>>),
    /// Implication.
    Implies(Box<Formula<A>>, Box<Formula<A>>),
    /// Equivalence.
    Iff(Box<Formula<A>>, Box<Formula<A>>),
    /// `X`: there is a next position, and the operand holds there.
    Next(Box<Formula<A>>),
    /// `WX`: if there is a next position, the operand holds there.
    WeakNext(Box<Formula<A>>),
    /// `F`: now or later.
    Eventually(Box<Formula<A>>),
    /// `G`: now and at every later position.
    Always(Box<Formula<A>>),
    /// `a U b`: `b` comes, and `a` holds until then.
    Until(Box<Formula<A>>, Box<Formula<A>>),
    /// `a R b`: `b` holds up to and including the first `a`, or for good. The dual of `U`.
    Release(Box<Formula<A>>, Box<Formula<A>>),
    /// `a W b`: `a` holds until `b`, or for good.
    WeakUntil(Box<Formula<A>>, Box<Formula<A>>),
    /// `a M b`: `a` comes, and `b` holds up to and including it.
    StrongRelease(Box<Formula<A>>, Box<Formula<A>>),
    /// `Y`: there is a previous position, and the operand held there.
    Yesterday(Box<Formula<A>>),
    /// `WY`: if there is a previous position, the operand held there.
    WeakYesterday(Box<Formula<A>>),
    /// `O`: now or earlier.
    Once(Box<Formula<A>>),
    /// `H`: now and at every earlier position.
    Historically(Box<Formula<A>>),
    /// `a S b`: `b` held, and `a` has held ever since.
    Since(Box<Formula<A>>, Box<Formula<A>>),
    /// `a T b`: `b` has held since and including the last `a`, or always. The dual of `S`.
    Triggered(Box<Formula<A>>, Box<Formula<A>>),
}

impl<A> Formula<A> {
    /// The direct subformulas, from left to right.
    pub fn children(&self) -> Vec<&Formula<A>> {
        match self {
            Self::True | Self::False | Self::Atom(_) => Vec::new(),
            Self::And(all) | Self::Or(all) => all.iter().collect(),
            Self::Not(f)
            | Self::Next(f)
            | Self::WeakNext(f)
            | Self::Eventually(f)
            | Self::Always(f)
            | Self::Yesterday(f)
            | Self::WeakYesterday(f)
            | Self::Once(f)
            | Self::Historically(f) => vec![f],
            Self::Implies(f, g)
            | Self::Iff(f, g)
            | Self::Until(f, g)
            | Self::Release(f, g)
            | Self::WeakUntil(f, g)
            | Self::StrongRelease(f, g)
            | Self::Since(f, g)
            | Self::Triggered(f, g) => vec![f, g],
        }
    }

    /// Every atom that occurs, once each, in order.
    pub fn atoms(&self) -> BTreeSet<&A>
    where
        A: Ord,
    {
        let mut found = BTreeSet::new();
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            if let Self::Atom(atom) = formula {
                found.insert(atom);
            }
            open.extend(formula.children());
        }
        found
    }

    /// The number of operators, constants and atoms.
    pub fn size(&self) -> usize {
        let mut count = 0;
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            count += 1;
            open.extend(formula.children());
        }
        count
    }

    /// The height of the tree; an atom has depth 1.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(self, 1)];
        while let Some((formula, depth)) = open.pop() {
            deepest = deepest.max(depth);
            open.extend(
                formula
                    .children()
                    .into_iter()
                    .map(|child| (child, depth + 1)),
            );
        }
        deepest
    }

    /// Refuses a formula that the recursive functions of this crate would be too deep for.
    ///
    /// # Errors
    /// [`TooLarge`] if the depth exceeds [`Limits::MAX_DEPTH`].
    pub fn check_depth(&self) -> Result<(), TooLarge> {
        if self.depth() > Limits::MAX_DEPTH {
            return Err(TooLarge::new(Bound::Depth, Limits::MAX_DEPTH));
        }
        Ok(())
    }

    /// True if no temporal operator occurs.
    pub fn is_propositional(&self) -> bool {
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            match formula {
                Self::True
                | Self::False
                | Self::Atom(_)
                | Self::Not(_)
                | Self::And(_)
                | Self::Or(_)
                | Self::Implies(..)
                | Self::Iff(..) => open.extend(formula.children()),
                _ => return false,
            }
        }
        true
    }

    /// The same formula with each atom replaced.
    pub fn map_atoms<B>(&self, mut replace: impl FnMut(&A) -> B) -> Formula<B> {
        self.substitute(&mut |atom| Formula::Atom(replace(atom)))
    }

    /// The same formula with each atom replaced by a formula.
    pub fn substitute<B>(&self, replace: &mut dyn FnMut(&A) -> Formula<B>) -> Formula<B> {
        let mapped: Result<Formula<B>, std::convert::Infallible> =
            self.try_substitute(&mut |atom| Ok(replace(atom)));
        match mapped {
            Ok(formula) => formula,
            Err(never) => match never {},
        }
    }

    /// The same formula with each atom replaced, or the first error.
    ///
    /// # Errors
    /// What `replace` answers, for the leftmost atom that it refuses.
    pub fn try_map_atoms<B, E>(
        &self,
        mut replace: impl FnMut(&A) -> Result<B, E>,
    ) -> Result<Formula<B>, E> {
        self.try_substitute(&mut |atom| replace(atom).map(Formula::Atom))
    }

    /// The same formula with each atom replaced by a formula, or the first error.
    ///
    /// # Errors
    /// What `replace` answers, for the leftmost atom that it refuses.
    pub fn try_substitute<B, E>(
        &self,
        replace: &mut dyn FnMut(&A) -> Result<Formula<B>, E>,
    ) -> Result<Formula<B>, E> {
        Ok(match self {
            Self::True => Formula::True,
            Self::False => Formula::False,
            Self::Atom(atom) => replace(atom)?,
            Self::And(all) => Formula::And(
                all.iter()
                    .map(|f| f.try_substitute(replace))
                    .collect::<Result<_, E>>()?,
            ),
            Self::Or(all) => Formula::Or(
                all.iter()
                    .map(|f| f.try_substitute(replace))
                    .collect::<Result<_, E>>()?,
            ),
            Self::Not(f) => Formula::not(f.try_substitute(replace)?),
            Self::Next(f) => Formula::next(f.try_substitute(replace)?),
            Self::WeakNext(f) => Formula::weak_next(f.try_substitute(replace)?),
            Self::Eventually(f) => Formula::eventually(f.try_substitute(replace)?),
            Self::Always(f) => Formula::always(f.try_substitute(replace)?),
            Self::Yesterday(f) => Formula::yesterday(f.try_substitute(replace)?),
            Self::WeakYesterday(f) => Formula::weak_yesterday(f.try_substitute(replace)?),
            Self::Once(f) => Formula::once(f.try_substitute(replace)?),
            Self::Historically(f) => Formula::historically(f.try_substitute(replace)?),
            Self::Implies(f, g) => {
                Formula::implies(f.try_substitute(replace)?, g.try_substitute(replace)?)
            }
            Self::Iff(f, g) => Formula::iff(f.try_substitute(replace)?, g.try_substitute(replace)?),
            Self::Until(f, g) => {
                Formula::until(f.try_substitute(replace)?, g.try_substitute(replace)?)
            }
            Self::Release(f, g) => {
                Formula::release(f.try_substitute(replace)?, g.try_substitute(replace)?)
            }
            Self::WeakUntil(f, g) => {
                Formula::weak_until(f.try_substitute(replace)?, g.try_substitute(replace)?)
            }
            Self::StrongRelease(f, g) => {
                Formula::strong_release(f.try_substitute(replace)?, g.try_substitute(replace)?)
            }
            Self::Since(f, g) => {
                Formula::since(f.try_substitute(replace)?, g.try_substitute(replace)?)
            }
            Self::Triggered(f, g) => {
                Formula::triggered(f.try_substitute(replace)?, g.try_substitute(replace)?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_sorted_and_unique() {
        let formula = Formula::and([
            Formula::until(Formula::Atom("b"), Formula::Atom("a")),
            Formula::once(Formula::Atom("b")),
        ]);
        assert_eq!(
            formula.atoms().into_iter().collect::<Vec<_>>(),
            [&"a", &"b"]
        );
        assert_eq!((formula.size(), formula.depth()), (6, 3));
        assert!(!formula.is_propositional());
    }

    #[test]
    fn mapping_keeps_the_shape_and_stops_at_the_first_error() {
        let formula = Formula::since(Formula::Atom(1), Formula::not(Formula::Atom(2)));
        assert_eq!(
            formula.map_atoms(|n| n * 10),
            Formula::since(Formula::Atom(10), Formula::not(Formula::Atom(20)))
        );
        assert_eq!(
            formula.try_map_atoms(|n| if *n == 2 { Err("two") } else { Ok(*n) }),
            Err("two")
        );
    }
}
