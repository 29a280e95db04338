//! Decisions over **non-empty** traces: satisfiability with a shortest witness, validity, equivalence, inclusion, and
//! minimal unsatisfiable cores.
//!
//! A session has at least one event, so the empty trace never decides; equality of [`crate::Dfa`] values is the stricter
//! comparison that counts it. Every answer that rests on a trace gives the trace, a shortest one, and letters in it satisfy
//! the axioms in full, atoms that only axioms mention included. Which of several shortest traces is given is fixed by the
//! input.
//!
//! A conjunction is never built as one automaton: its parts are translated one by one, and those that turn out to matter
//! are searched as a product, tuple by tuple, with a tuple cut as soon as one of its parts can no longer be satisfied.

mod product;

use crate::alphabet::{Alphabet, Letter};
use crate::axioms::{Axioms, Projection};
use crate::bdd::Bdd;
use crate::dfa::{Dfa, StateId};
use crate::formula::Formula;
use crate::limits::{Limits, TooLarge};
use crate::progress::Explorer;

use std::collections::BTreeSet;

use product::Part;

/// The answer to a question that a single trace can refute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<A> {
    /// It is so.
    Yes,
    /// It is not so, as this shortest trace shows.
    No(Vec<Letter<A>>),
}

impl<A> Answer<A> {
    fn refuted_by(trace: Option<Vec<Letter<A>>>) -> Self {
        trace.map_or(Self::Yes, Self::No)
    }

    /// Whether it is so.
    #[must_use]
    pub fn is_yes(&self) -> bool {
        matches!(self, Self::Yes)
    }

    /// The trace that refutes it.
    #[must_use]
    pub fn counterexample(&self) -> Option<&[Letter<A>]> {
        match self {
            Self::Yes => None,
            Self::No(trace) => Some(trace),
        }
    }
}

/// A shortest non-empty trace that satisfies the formula, if there is one.
///
/// # Errors
/// [`TooLarge`] if a limit is met.
pub fn satisfiable<A: Ord + Clone>(
    formula: &Formula<A>,
    axioms: &Axioms<A>,
    limits: &Limits,
) -> Result<Option<Vec<Letter<A>>>, TooLarge> {
    if let Formula::And(all) = formula {
        return satisfiable_all(all, axioms, limits);
    }
    let mut conjunction = Conjunction::over(formula.atoms(), axioms, limits)?;
    conjunction.push_lazy(formula)?;
    conjunction.witness(&[0])
}

/// Whether every non-empty trace satisfies the formula.
///
/// # Errors
/// [`TooLarge`] if a limit is met.
pub fn valid<A: Ord + Clone>(
    formula: &Formula<A>,
    axioms: &Axioms<A>,
    limits: &Limits,
) -> Result<Answer<A>, TooLarge> {
    let negation = Formula::not(formula.clone());
    Ok(Answer::refuted_by(satisfiable(&negation, axioms, limits)?))
}

/// Whether the same non-empty traces satisfy both formulas; if not, a shortest trace that satisfies just one.
///
/// # Errors
/// [`TooLarge`] if a limit is met.
pub fn equivalent<A: Ord + Clone>(
    left: &Formula<A>,
    right: &Formula<A>,
    axioms: &Axioms<A>,
    limits: &Limits,
) -> Result<Answer<A>, TooLarge> {
    valid(&Formula::iff(left.clone(), right.clone()), axioms, limits)
}

/// Whether every non-empty trace that satisfies `inner` satisfies `outer`; if not, a shortest one that does not.
///
/// # Errors
/// [`TooLarge`] if a limit is met.
pub fn includes<A: Ord + Clone>(
    outer: &Formula<A>,
    inner: &Formula<A>,
    axioms: &Axioms<A>,
    limits: &Limits,
) -> Result<Answer<A>, TooLarge> {
    let escape = Formula::and([inner.clone(), Formula::not(outer.clone())]);
    Ok(Answer::refuted_by(satisfiable(&escape, axioms, limits)?))
}

/// A shortest non-empty trace that satisfies all formulas, if there is one.
///
/// # Errors
/// [`TooLarge`] if a limit is met.
pub fn satisfiable_all<A: Ord + Clone>(
    formulas: &[Formula<A>],
    axioms: &Axioms<A>,
    limits: &Limits,
) -> Result<Option<Vec<Letter<A>>>, TooLarge> {
    let mut conjunction = Conjunction::new(formulas, axioms, limits)?;
    let all: Vec<usize> = (0..formulas.len()).collect();
    conjunction.witness(&all)
}

/// The indices of a minimal set of formulas that no non-empty trace satisfies together; `None` if all can be satisfied.
///
/// # Errors
/// [`TooLarge`] if a limit is met.
pub fn core<A: Ord + Clone>(
    formulas: &[Formula<A>],
    axioms: &Axioms<A>,
    limits: &Limits,
) -> Result<Option<Vec<usize>>, TooLarge> {
    let mut conjunction = Conjunction::new(formulas, axioms, limits)?;
    let all: Vec<usize> = (0..formulas.len()).collect();
    conjunction.core(&all)
}

/// Formulas prepared to be decided together, in any selection, without translating them again.
#[derive(Debug)]
pub struct Conjunction<A> {
    alphabet: Alphabet<A>,
    bdd: Bdd,
    axioms: Projection,
    parts: Vec<Part<A>>,
    limits: Limits,
}

impl<A: Ord + Clone> Conjunction<A> {
    /// Translates each formula on its own. One whose automaton is large is explored on the fly instead.
    ///
    /// # Errors
    /// [`TooLarge`] if there are too many atoms or a formula is too deep.
    pub fn new(
        formulas: &[Formula<A>],
        axioms: &Axioms<A>,
        limits: &Limits,
    ) -> Result<Self, TooLarge> {
        let atoms = formulas.iter().flat_map(Formula::atoms);
        let mut conjunction = Self::over(atoms, axioms, limits)?;
        let eager = Limits {
            max_states: limits.max_states.min(2_000),
            max_nodes: limits.max_nodes.min(200_000),
        };
        for formula in formulas {
            match Dfa::translate(formula, &Axioms::none(), &eager) {
                Ok(dfa) => conjunction.push_dfa(&dfa)?,
                Err(_) => conjunction.push_lazy(formula)?,
            }
        }
        Ok(conjunction)
    }

    /// Takes automata that were translated before, under the same axioms or none.
    ///
    /// # Errors
    /// [`TooLarge`] if there are too many atoms.
    pub fn of_automata(
        automata: &[&Dfa<A>],
        axioms: &Axioms<A>,
        limits: &Limits,
    ) -> Result<Self, TooLarge> {
        let atoms = automata.iter().flat_map(|dfa| dfa.atoms());
        let mut conjunction = Self::over(atoms, axioms, limits)?;
        for dfa in automata {
            conjunction.push_dfa(dfa)?;
        }
        Ok(conjunction)
    }

    fn over<'a>(
        atoms: impl IntoIterator<Item = &'a A>,
        axioms: &'a Axioms<A>,
        limits: &Limits,
    ) -> Result<Self, TooLarge>
    where
        A: 'a,
    {
        let mentioned: BTreeSet<&A> = atoms.into_iter().collect();
        let alphabet = Alphabet::new(mentioned.iter().copied().chain(axioms.atoms()))?;
        let keep = mentioned
            .into_iter()
            .filter_map(|atom| alphabet.level(atom))
            .collect();
        let mut bdd = Bdd::new(limits.max_nodes);
        let axioms = axioms.project(&mut bdd, &alphabet, &keep)?;
        Ok(Self {
            alphabet,
            bdd,
            axioms,
            parts: Vec::new(),
            limits: *limits,
        })
    }

    fn push_dfa(&mut self, dfa: &Dfa<A>) -> Result<(), TooLarge> {
        let table = dfa.rows_over(|atom| self.alphabet.level(atom))?;
        let dead: Vec<bool> = dfa.states().map(|state| dfa.is_dead(state)).collect();
        self.parts.push(Part::built(table, dead));
        Ok(())
    }

    fn push_lazy(&mut self, formula: &Formula<A>) -> Result<(), TooLarge> {
        let explorer = Explorer::over(
            self.alphabet.clone(),
            formula,
            &Axioms::none(),
            &self.limits,
        )?;
        self.parts.push(Part::lazy(explorer, formula));
        Ok(())
    }

    /// A shortest non-empty trace that satisfies the selected formulas, if there is one.
    ///
    /// # Errors
    /// [`TooLarge`] if a limit is met.
    pub fn witness(&mut self, selected: &[usize]) -> Result<Option<Vec<Letter<A>>>, TooLarge> {
        self.search(&from_initial(selected))
    }

    /// As [`Conjunction::witness`], but each selected automaton starts in a given state: a shortest non-empty continuation
    /// that satisfies what is left of all of them.
    ///
    /// This is meaningful for automata given to [`Conjunction::of_automata`], whose state numbers the caller knows.
    ///
    /// # Errors
    /// [`TooLarge`] if a limit is met.
    pub fn witness_from(
        &mut self,
        selected: &[(usize, StateId)],
    ) -> Result<Option<Vec<Letter<A>>>, TooLarge> {
        let starts: Vec<(usize, u32)> = selected
            .iter()
            .filter_map(|(part, state)| Some((*part, u32::try_from(state.index()).ok()?)))
            .collect();
        self.search(&starts)
    }

    fn search(&mut self, starts: &[(usize, u32)]) -> Result<Option<Vec<Letter<A>>>, TooLarge> {
        Ok(match self.explore(starts)? {
            Found::Trace(letters) => Some(letters.into_iter().map(|l| self.finish(l)).collect()),
            Found::Refuted(_) => None,
        })
    }

    /// Searches for a trace, looking at few parts.
    ///
    /// A shortest trace for some of the parts that happens to satisfy the others is a shortest trace for all, and if some
    /// of the parts have no trace, all have none. So the search starts with no part at all, and takes in parts that
    /// the trace found so far fails. Most of a large library never matters to one question.
    fn explore(&mut self, starts: &[(usize, u32)]) -> Result<Found, TooLarge> {
        let mut active: Vec<(usize, u32)> = Vec::new();
        loop {
            let before = active.len();
            let found = product::shortest(
                &mut self.parts,
                &mut self.bdd,
                &self.axioms.constraints,
                &active,
                &self.limits,
            )?;
            let Some(letters) = found else {
                return Ok(Found::Refuted(
                    active.into_iter().map(|(part, _)| part).collect(),
                ));
            };
            // One at a time while there are few, for small refutations; more at once later, so that a conjunction of
            // which all parts matter does not take as many searches as it has parts.
            let most = active.len() + 1 + active.len() / 8;
            for (part, state) in starts {
                if active.len() < most
                    && let Some(automaton) = self.parts.get_mut(*part)
                    && !automaton.accepts(*state, &letters)?
                {
                    active.push((*part, *state));
                }
            }
            if active.len() == before {
                return Ok(Found::Trace(letters));
            }
        }
    }

    fn finish(&self, mut levels: BTreeSet<u32>) -> Letter<A> {
        self.axioms.complete(&self.bdd, &mut levels);
        self.alphabet.letter(&levels)
    }

    /// A minimal selection out of the selected formulas that no non-empty trace satisfies, found by leaving out one formula
    /// after the other; `None` if all of them can be satisfied.
    ///
    /// # Errors
    /// [`TooLarge`] if a limit is met.
    pub fn core(&mut self, selected: &[usize]) -> Result<Option<Vec<usize>>, TooLarge> {
        let mut untried = match self.explore(&from_initial(selected))? {
            Found::Trace(_) => return Ok(None),
            Found::Refuted(core) => core,
        };
        let mut needed: Vec<usize> = Vec::new();
        while let Some(candidate) = untried.pop() {
            let rest: Vec<usize> = needed.iter().chain(&untried).copied().collect();
            match self.explore(&from_initial(&rest))? {
                Found::Trace(_) => needed.push(candidate),
                // What refuted the rest includes all that is needed, and may leave out more than the candidate.
                Found::Refuted(smaller) => untried.retain(|part| smaller.contains(part)),
            }
        }
        needed.sort_unstable();
        Ok(Some(needed))
    }
}

fn from_initial(selected: &[usize]) -> Vec<(usize, u32)> {
    selected.iter().map(|part| (*part, 0)).collect()
}

/// What a search ends with.
enum Found {
    /// A shortest trace, its letters as levels of true atoms.
    Trace(Vec<BTreeSet<u32>>),
    /// Parts that have no trace together.
    Refuted(Vec<usize>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    fn check(input: &str, expected: Option<&str>) {
        let found = satisfiable(&parse(input).unwrap(), &Axioms::none(), &Limits::default());
        let text = found.unwrap().map(|trace| show(&trace));
        assert_eq!(text.as_deref(), expected, "{input}");
    }

    fn show(trace: &[Letter<String>]) -> String {
        trace
            .iter()
            .map(|letter| {
                let atoms: Vec<&str> = letter.iter().map(String::as_str).collect();
                format!("{{{}}}", atoms.join(","))
            })
            .collect()
    }

    #[test]
    fn witnesses_are_shortest_and_small() {
        check("true", Some("{}"));
        check("false", None);
        check("F (a & X F a)", Some("{a}{a}"));
        check("G X true", None);
        check("a | b", Some("{a}"));
        check("F a & F b & G !(a & b)", Some("{a}{b}"));
        check("X X X true & G (a <-> WX !a)", Some("{}{a}{}{a}"));
        check("O (a & !b) & X Y b", None);
        // Parts with nothing in common still need one length.
        check("X X !X true & G (a <-> WX !a) & F b", Some("{a}{}{a,b}"));
        check("X X true & G (a -> X a) & F b & F c", Some("{}{}{b,c}"));
    }

    #[test]
    fn letters_of_witnesses_satisfy_the_axioms() {
        let mut axioms = Axioms::none();
        axioms.require(parse("ok -> return").unwrap()).unwrap();
        axioms.exactly_one(["call", "return", "user"].map(String::from));
        let found = satisfiable(&parse("F ok").unwrap(), &axioms, &Limits::default());
        assert_eq!(
            found.unwrap().map(|trace| show(&trace)).as_deref(),
            Some("{ok,return}")
        );
        let found = satisfiable(&parse("ok & call").unwrap(), &axioms, &Limits::default());
        assert_eq!(found, Ok(None));
    }

    #[test]
    fn equivalence_and_inclusion_give_a_trace() {
        let [f, g] = ["F a", "G a"].map(|text| parse(text).unwrap());
        let (axioms, limits) = (Axioms::none(), Limits::default());
        let answer = equivalent(&f, &g, &axioms, &limits).unwrap();
        assert_eq!(answer.counterexample().map(show).as_deref(), Some("{}{a}"));
        assert!(includes(&f, &g, &axioms, &limits).unwrap().is_yes());
        let answer = includes(&g, &f, &axioms, &limits).unwrap();
        assert_eq!(answer.counterexample().map(show).as_deref(), Some("{}{a}"));
        assert!(
            valid(&parse("F a | G !a").unwrap(), &axioms, &limits)
                .unwrap()
                .is_yes()
        );
    }
}
