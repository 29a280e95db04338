//! Automata and progression against the direct semantics.

use lictor_ltlf::dfa::Outlook;
use lictor_ltlf::{Axioms, Dfa, Formula, Limits, Progression};
use proptest::prelude::*;

use super::strategies::{F, Trace, allowed_letters, axioms, formulas, holds, traces};

fn dfa(formula: &F, axioms: &Axioms<String>) -> Dfa<String> {
    Dfa::translate(formula, axioms, &Limits::default()).unwrap()
}

fn accepts(dfa: &Dfa<String>, trace: &Trace) -> bool {
    dfa.accepts(trace, |letter, atom| letter.contains(atom))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_automaton_accepts_what_satisfies(formula in formulas(), traces in prop::collection::vec(traces(), 12)) {
        let dfa = dfa(&formula, &Axioms::none());
        for trace in traces.iter().chain([&Vec::new()]) {
            prop_assert_eq!(accepts(&dfa, trace), holds(&formula, trace), "{} on {:?}", formula, trace);
        }
    }

    #[test]
    fn progression_follows_every_prefix(formula in formulas(), trace in traces()) {
        let mut progression = Progression::new(&formula, &Limits::default()).unwrap();
        for end in 0..=trace.len() {
            let prefix: Trace = trace.iter().take(end).cloned().collect();
            prop_assert_eq!(progression.is_satisfied(), holds(&formula, &prefix), "{} on {:?}", formula, prefix);
            if let Some(letter) = trace.get(end) {
                progression.step(letter).unwrap();
            }
        }
    }

    #[test]
    fn axioms_change_nothing_on_allowed_traces(
        formula in formulas(), axioms in axioms(), choices in prop::collection::vec(0usize..8, 0..7)
    ) {
        let letters = allowed_letters(&axioms);
        let trace: Trace = choices.iter().filter_map(|choice| letters.get(choice % letters.len().max(1)).cloned()).collect();
        let dfa = dfa(&formula, &axioms);
        prop_assert_eq!(accepts(&dfa, &trace), holds(&formula, &trace), "{} on {:?}", formula, trace);
    }

    /// Differences that only excluded letters show vanish: strengthening or weakening a formula on them keeps the automaton.
    #[test]
    fn excluded_letters_leave_no_trace(formula in formulas(), axioms in axioms()) {
        let letters = allowed_letters(&axioms);
        let allowed = Formula::or(letters.iter().map(|letter| {
            Formula::and(super::strategies::ATOMS.iter().map(|atom| {
                let atom = atom.to_string();
                let holds = letter.contains(&atom);
                let atom = Formula::Atom(atom);
                if holds { atom } else { Formula::not(atom) }
            }))
        }));
        let always = Formula::always(allowed.clone());
        let stronger = Formula::and([formula.clone(), always.clone()]);
        let weaker = Formula::or([formula.clone(), Formula::not(always), Formula::eventually(Formula::not(allowed))]);
        // All three mention the same atoms.
        let formula = Formula::and([formula, Formula::or(["a", "b", "c"].map(|atom| Formula::or([
            Formula::Atom(atom.to_owned()), Formula::not(Formula::Atom(atom.to_owned()))
        ])).into_iter().chain([Formula::True]))]);
        let expected = dfa(&formula, &axioms);
        if !letters.is_empty() {
            prop_assert_eq!(&dfa(&stronger, &axioms), &expected);
            prop_assert_eq!(&dfa(&weaker, &axioms), &expected);
        }
    }

    #[test]
    fn equal_languages_have_equal_automata(formula in formulas(), other in formulas()) {
        let none = Axioms::none();
        let original = dfa(&formula, &none);
        let negated = dfa(&Formula::not(formula.clone()), &none);
        prop_assert_eq!(original.state_count(), negated.state_count());
        prop_assert_eq!(&dfa(&formula.nnf_plain().unwrap(), &none), &original);
        // `f | (f & g)` is `f`.
        let absorbed = Formula::or([formula.clone(), Formula::and([formula, other])]);
        let absorbed = dfa(&absorbed, &none);
        prop_assert_eq!(absorbed.canonical_text(String::clone), original.canonical_text(String::clone));
        prop_assert_eq!(absorbed, original);
    }

    #[test]
    fn states_are_distinguishable_and_flags_are_right(formula in formulas()) {
        let dfa = dfa(&formula, &Axioms::none());
        let successors = |state| -> Vec<_> { dfa.transitions_of(state).map(|t| t.to).collect() };
        let reachable = |state| {
            let mut seen = std::collections::BTreeSet::from([state]);
            let mut open = vec![state];
            while let Some(state) = open.pop() {
                for next in successors(state) {
                    if seen.insert(next) {
                        open.push(next);
                    }
                }
            }
            seen
        };
        for state in dfa.states() {
            let all = reachable(state);
            let expected = match (all.iter().any(|s| dfa.is_accepting(*s)), all.iter().all(|s| dfa.is_accepting(*s))) {
                (false, _) => Outlook::Dead,
                (_, true) => Outlook::Safe,
                _ => Outlook::Open,
            };
            prop_assert_eq!(dfa.outlook(state), expected);
        }
        prop_assert_eq!(reachable(dfa.initial()).len(), dfa.state_count());
    }
}
