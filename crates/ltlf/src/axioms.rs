//! Letter axioms: which letters can occur at all.
//!
//! Atoms are often related: at most one tool is called at a time, a thing is not known to hold and known not to hold. A
//! letter that breaks an axiom never occurs, so what an automaton does on it means nothing, and two automata that differ
//! only there are equal.
//!
//! A formula mentions few of the atoms that the axioms relate. The others are eliminated one by one, each by joining just the
//! constraints that mention it (bucket elimination, Dechter 1999), so a long list of axioms costs no big diagram.

use std::collections::BTreeSet;
use std::fmt;

use crate::alphabet::{Alphabet, Letter};
use crate::bdd::{Bdd, Edge};
use crate::formula::Formula;
use crate::limits::TooLarge;
use crate::semantics;

/// Constraints that every letter satisfies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axioms<A> {
    constraints: Vec<Constraint<A>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Constraint<A> {
    Holds(Formula<A>),
    Count {
        atoms: BTreeSet<A>,
        at_least_one: bool,
    },
}

/// A letter axiom speaks about one position, so it may use no temporal operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TemporalAxiom;

impl fmt::Display for TemporalAxiom {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(
            "a letter axiom uses a temporal operator; state it over one position, or add it to the formulas instead",
        )
    }
}

impl std::error::Error for TemporalAxiom {}

impl<A> Default for Axioms<A> {
    fn default() -> Self {
        Self {
            constraints: Vec::new(),
        }
    }
}

impl<A: Ord + Clone> Axioms<A> {
    /// No axiom: every set of atoms is a letter.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// True if every set of atoms is a letter.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty()
    }

    /// Requires a propositional formula of every letter.
    ///
    /// # Errors
    /// [`TemporalAxiom`] if the formula has a temporal operator.
    pub fn require(&mut self, formula: Formula<A>) -> Result<(), TemporalAxiom> {
        if !formula.is_propositional() {
            return Err(TemporalAxiom);
        }
        self.constraints.push(Constraint::Holds(formula));
        Ok(())
    }

    /// Lets at most one of the atoms be true; the cost is linear in their number.
    pub fn at_most_one(&mut self, atoms: impl IntoIterator<Item = A>) {
        self.constraints.push(Constraint::Count {
            atoms: atoms.into_iter().collect(),
            at_least_one: false,
        });
    }

    /// Makes exactly one of the atoms true; the cost is linear in their number.
    pub fn exactly_one(&mut self, atoms: impl IntoIterator<Item = A>) {
        self.constraints.push(Constraint::Count {
            atoms: atoms.into_iter().collect(),
            at_least_one: true,
        });
    }

    /// Adds all constraints of another set of axioms.
    pub fn extend(&mut self, other: &Self) {
        self.constraints.extend(other.constraints.iter().cloned());
    }

    /// Whether a letter satisfies every axiom.
    #[must_use]
    pub fn allow(&self, letter: &Letter<A>) -> bool {
        self.constraints.iter().all(|constraint| match constraint {
            Constraint::Holds(formula) => {
                semantics::holds(formula, &[letter], |letter, atom| letter.contains(atom))
            }
            Constraint::Count {
                atoms,
                at_least_one,
            } => {
                let count = atoms.intersection(letter).count();
                count == 1 || (count == 0 && !at_least_one)
            }
        })
    }

    /// Every atom that an axiom mentions.
    pub fn atoms(&self) -> BTreeSet<&A> {
        let mut found = BTreeSet::new();
        for constraint in &self.constraints {
            match constraint {
                Constraint::Holds(formula) => found.extend(formula.atoms()),
                Constraint::Count { atoms, .. } => found.extend(atoms),
            }
        }
        found
    }

    /// What the axioms say about the atoms that `keep` names by level.
    pub(crate) fn project(
        &self,
        bdd: &mut Bdd,
        alphabet: &Alphabet<A>,
        keep: &BTreeSet<u32>,
    ) -> Result<Projection, TooLarge> {
        let mut constraints: Vec<(Edge, BTreeSet<u32>)> = Vec::new();
        for constraint in &self.constraints {
            let edge = match constraint {
                Constraint::Holds(formula) => {
                    formula.check_depth()?;
                    propositional(bdd, alphabet, formula)?
                }
                Constraint::Count {
                    atoms,
                    at_least_one,
                } => count(bdd, alphabet, atoms, *at_least_one)?,
            };
            constraints.push((edge, bdd.support(edge)));
        }
        let mut eliminated = Vec::new();
        loop {
            // The variable in the fewest constraints first, which keeps the joined constraints small.
            let mut uses: std::collections::BTreeMap<u32, usize> = Default::default();
            for (_, support) in &constraints {
                for level in support.difference(keep) {
                    *uses.entry(*level).or_default() += 1;
                }
            }
            let Some(level) = uses
                .into_iter()
                .min_by_key(|(level, count)| (*count, *level))
            else {
                break;
            };
            let (bucket, rest): (Vec<_>, Vec<_>) = constraints
                .into_iter()
                .partition(|(_, support)| support.contains(&level.0));
            constraints = rest;
            let bucket: Vec<Edge> = bucket.into_iter().map(|(edge, _)| edge).collect();
            let joined = bdd.and_all(&bucket)?;
            let without = bdd.exists(joined, level.0)?;
            if without != Edge::TRUE {
                constraints.push((without, bdd.support(without)));
            }
            eliminated.push((level.0, joined));
        }
        Ok(Projection {
            constraints: constraints.into_iter().map(|(edge, _)| edge).collect(),
            eliminated,
        })
    }
}

/// Constraints over the kept atoms, and how to complete a letter by the others.
#[derive(Debug)]
pub(crate) struct Projection {
    /// All of them hold of a letter over the kept atoms iff it can be completed.
    pub(crate) constraints: Vec<Edge>,
    eliminated: Vec<(u32, Edge)>,
}

impl Projection {
    /// The conjunction of the constraints.
    pub(crate) fn joined(&self, bdd: &mut Bdd) -> Result<Edge, TooLarge> {
        bdd.and_all(&self.constraints)
    }

    /// Adds true atoms to a letter over the kept atoms where an axiom demands it, in the reverse order of elimination.
    pub(crate) fn complete(&self, bdd: &Bdd, letter: &mut BTreeSet<u32>) {
        for (level, bucket) in self.eliminated.iter().rev() {
            if !bdd.evaluate(*bucket, |other| letter.contains(&other)) {
                letter.insert(*level);
            }
        }
    }
}

fn propositional<A: Ord + Clone>(
    bdd: &mut Bdd,
    alphabet: &Alphabet<A>,
    formula: &Formula<A>,
) -> Result<Edge, TooLarge> {
    Ok(match formula {
        Formula::True => Edge::TRUE,
        Formula::Atom(atom) => match alphabet.level(atom) {
            Some(level) => bdd.variable(level)?,
            None => Edge::FALSE,
        },
        Formula::Not(f) => propositional(bdd, alphabet, f)?.negate(),
        Formula::And(all) => {
            let mut result = Edge::TRUE;
            for f in all {
                let f = propositional(bdd, alphabet, f)?;
                result = bdd.and(result, f)?;
            }
            result
        }
        Formula::Or(all) => {
            let mut result = Edge::FALSE;
            for f in all {
                let f = propositional(bdd, alphabet, f)?;
                result = bdd.or(result, f)?;
            }
            result
        }
        Formula::Implies(f, g) => {
            let f = propositional(bdd, alphabet, f)?;
            let g = propositional(bdd, alphabet, g)?;
            bdd.or(f.negate(), g)?
        }
        Formula::Iff(f, g) => {
            let f = propositional(bdd, alphabet, f)?;
            let g = propositional(bdd, alphabet, g)?;
            bdd.iff(f, g)?
        }
        // `require` lets no temporal operator in.
        _ => Edge::FALSE,
    })
}

/// At most one, or exactly one, of the atoms: two chains of nodes, one for 'none so far' and one for 'one so far'.
fn count<A: Ord + Clone>(
    bdd: &mut Bdd,
    alphabet: &Alphabet<A>,
    atoms: &BTreeSet<A>,
    at_least_one: bool,
) -> Result<Edge, TooLarge> {
    let levels: BTreeSet<u32> = atoms
        .iter()
        .filter_map(|atom| alphabet.level(atom))
        .collect();
    let mut none_yet = if at_least_one {
        Edge::FALSE
    } else {
        Edge::TRUE
    };
    let mut one_already = Edge::TRUE;
    for level in levels.into_iter().rev() {
        none_yet = bdd.node(level, none_yet, one_already)?;
        one_already = bdd.node(level, one_already, Edge::FALSE)?;
    }
    Ok(none_yet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn a_letter_is_completed_as_the_axioms_demand() {
        let mut axioms = Axioms::none();
        axioms.require(parse("ok -> return").unwrap()).unwrap();
        axioms.exactly_one(["call", "return", "user"].map(String::from));
        let alphabet = Alphabet::new(axioms.atoms()).unwrap();
        let mut bdd = Bdd::new(1000);
        let ok = alphabet.level(&"ok".to_owned()).unwrap();
        let projection = axioms
            .project(&mut bdd, &alphabet, &BTreeSet::from([ok]))
            .unwrap();
        assert_eq!(projection.joined(&mut bdd), Ok(Edge::TRUE));
        for (letter, expected) in [(BTreeSet::from([ok]), "return"), (BTreeSet::new(), "call")] {
            let mut letter = letter;
            projection.complete(&bdd, &mut letter);
            let letter = alphabet.letter(&letter);
            assert!(axioms.allow(&letter), "{letter:?}");
            assert!(letter.contains(expected) || expected == "call");
        }
    }

    #[test]
    fn a_temporal_axiom_is_refused() {
        assert_eq!(
            Axioms::none().require(parse("G a").unwrap()),
            Err(TemporalAxiom)
        );
    }

    #[test]
    fn a_contradiction_leaves_no_letter() {
        let mut axioms = Axioms::none();
        axioms.require(parse("a & !a").unwrap()).unwrap();
        let alphabet = Alphabet::new(axioms.atoms()).unwrap();
        let mut bdd = Bdd::new(1000);
        let projection = axioms
            .project(&mut bdd, &alphabet, &BTreeSet::new())
            .unwrap();
        assert_eq!(projection.joined(&mut bdd), Ok(Edge::FALSE));
    }
}
