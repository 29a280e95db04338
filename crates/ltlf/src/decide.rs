//! Decisions over **non-empty** traces: satisfiability with a shortest witness, validity, equivalence, inclusion, and
//! minimal unsatisfiable cores.
//!
//! A session has at least one event, so the empty trace never decides; equality of [`crate::Dfa`] values is the stricter
//! comparison that counts it. Every answer that rests on a trace gives the trace, a shortest one, and letters in it satisfy
//! the axioms in full, atoms that only axioms mention included. Which of several shortest traces is given is fixed by the
//! input.
//!
//! A conjunction is never built as one automaton: its parts are translated one by one and searched as a product, tuple by
//! tuple, with a tuple cut as soon as one of its parts can no longer be satisfied.

mod product;

use crate::alphabet::{Alphabet, Letter};
use crate::axioms::{Axioms, Projection};
use crate::bdd::Bdd;
use crate::dfa::{Dfa, StateId};
use crate::formula::Formula;
use crate::limits::{Limits, TooLarge};
use crate::progress::Explorer;

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
        let mentioned: std::collections::BTreeSet<&A> = atoms.into_iter().collect();
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
        let starts: Vec<(usize, u32)> = selected.iter().map(|part| (*part, 0)).collect();
        self.search(&starts)
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
        let found = product::shortest(
            &mut self.parts,
            &mut self.bdd,
            &self.axioms.constraints,
            starts,
            &self.limits,
        )?;
        Ok(found.map(|letters| {
            letters
                .into_iter()
                .map(|mut levels| {
                    self.axioms.complete(&self.bdd, &mut levels);
                    self.alphabet.letter(&levels)
                })
                .collect()
        }))
    }

    /// A minimal selection out of the selected formulas that no non-empty trace satisfies, found by leaving out one formula
    /// after the other; `None` if all of them can be satisfied.
    ///
    /// # Errors
    /// [`TooLarge`] if a limit is met.
    pub fn core(&mut self, selected: &[usize]) -> Result<Option<Vec<usize>>, TooLarge> {
        let mut core = selected.to_vec();
        if self.witness(&core)?.is_some() {
            return Ok(None);
        }
        for candidate in selected {
            let without: Vec<usize> = core.iter().copied().filter(|i| i != candidate).collect();
            if self.witness(&without)?.is_none() {
                core = without;
            }
        }
        Ok(Some(core))
    }
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
