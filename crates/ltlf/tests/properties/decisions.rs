//! Decisions against exhaustive search over short traces.

use lictor_ltlf::{
    Axioms, Conjunction, Formula, Limits, core, equivalent, includes, satisfiable, satisfiable_all,
};
use proptest::prelude::*;

use super::strategies::{F, Trace, allowed_letters, axioms, formulas, holds, letter};

/// The length of a shortest satisfying trace of at most three letters.
fn shortest(formulas: &[F], letters: &[std::collections::BTreeSet<String>]) -> Option<usize> {
    let mut layer: Vec<Trace> = vec![Vec::new()];
    for length in 1..=3 {
        layer = layer
            .iter()
            .flat_map(|trace| {
                letters
                    .iter()
                    .map(|letter| [trace.as_slice(), std::slice::from_ref(letter)].concat())
            })
            .collect();
        if layer
            .iter()
            .any(|trace| formulas.iter().all(|f| holds(f, trace)))
        {
            return Some(length);
        }
    }
    None
}

fn check(
    formulas: &[F],
    axioms: &Axioms<String>,
    found: Option<Trace>,
) -> Result<(), TestCaseError> {
    let expected = shortest(formulas, &allowed_letters(axioms));
    let found_length = found.as_ref().map(Vec::len);
    if expected.is_some() || found_length.is_some_and(|length| length <= 3) {
        prop_assert_eq!(found_length, expected);
    }
    if let Some(trace) = found {
        for formula in formulas {
            prop_assert!(holds(formula, &trace), "{} on {:?}", formula, trace);
        }
        for letter in &trace {
            prop_assert!(axioms.allow(letter), "{:?}", letter);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn witnesses_hold_and_are_shortest(formula in formulas(), axioms in axioms()) {
        for axioms in [Axioms::none(), axioms] {
            let found = satisfiable(&formula, &axioms, &Limits::default()).unwrap();
            check(std::slice::from_ref(&formula), &axioms, found)?;
        }
    }

    #[test]
    fn conjunctions_are_decided_as_one_formula(all in prop::collection::vec(formulas(), 0..4), axioms in axioms()) {
        for axioms in [Axioms::none(), axioms] {
            let found = satisfiable_all(&all, &axioms, &Limits::default()).unwrap();
            let as_one = Formula::not(Formula::not(Formula::and(all.clone())));
            let one = satisfiable(&as_one, &axioms, &Limits::default()).unwrap();
            prop_assert_eq!(found.as_ref().map(Vec::len), one.as_ref().map(Vec::len));
            check(&all, &axioms, found)?;
        }
    }

    #[test]
    fn parts_without_common_atoms_share_a_length(f in formulas(), g in formulas(), h in formulas()) {
        // Rename apart, so that each part is a group of its own.
        let all: Vec<F> = [f, g, h].iter().zip(["x", "y", "z"])
            .map(|(f, name)| f.map_atoms(|atom| format!("{name}{atom}"))).collect();
        let found = satisfiable_all(&all, &Axioms::none(), &Limits::default()).unwrap();
        let as_one = Formula::not(Formula::not(Formula::and(all.clone())));
        let one = satisfiable(&as_one, &Axioms::none(), &Limits::default()).unwrap();
        prop_assert_eq!(found.as_ref().map(Vec::len), one.as_ref().map(Vec::len));
        if let Some(trace) = found {
            prop_assert!(all.iter().all(|f| holds(f, &trace)));
        }
    }

    #[test]
    fn cores_are_minimal(all in prop::collection::vec(formulas(), 1..5)) {
        let (axioms, limits) = (Axioms::none(), Limits::default());
        let mut conjunction = Conjunction::new(&all, &axioms, &limits).unwrap();
        if let Some(found) = core(&all, &axioms, &limits).unwrap() {
            prop_assert_eq!(conjunction.witness(&found), Ok(None));
            for left_out in &found {
                let rest: Vec<usize> = found.iter().copied().filter(|i| i != left_out).collect();
                prop_assert!(conjunction.witness(&rest).unwrap().is_some());
            }
        } else {
            prop_assert!(satisfiable_all(&all, &axioms, &limits).unwrap().is_some());
        }
    }

    #[test]
    fn separating_traces_separate(f in formulas(), g in formulas()) {
        let (axioms, limits) = (Axioms::none(), Limits::default());
        let answer = equivalent(&f, &g, &axioms, &limits).unwrap();
        let differ = Formula::not(Formula::iff(f.clone(), g.clone()));
        let letters: Vec<_> = (0..8).map(letter).collect();
        let expected = shortest(&[differ], &letters);
        let found = answer.counterexample();
        if expected.is_some() || found.is_some_and(|trace| trace.len() <= 3) {
            prop_assert_eq!(found.map(<[_]>::len), expected);
        }
        let inner = Formula::and([f.clone(), g.clone()]);
        prop_assert!(includes(&f, &inner, &axioms, &limits).unwrap().is_yes());
        if let Some(trace) = includes(&f, &g, &axioms, &limits).unwrap().counterexample() {
            let trace = trace.to_vec();
            prop_assert!(holds(&g, &trace) && !holds(&f, &trace));
        }
    }
}
