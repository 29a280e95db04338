//! Facts about formulas that several independent tools agree on.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as recorded"
)]

use std::collections::BTreeSet;

use lictor_ltlf::{
    Axioms, Conjunction, Dfa, Formula, Limits, parse, satisfiable, semantics, valid,
};
use serde_json::Value;

type Trace = Vec<BTreeSet<String>>;

fn lines(text: &str) -> impl Iterator<Item = Value> + '_ {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn formula(value: &Value) -> Formula<String> {
    parse(value.as_str().unwrap()).unwrap()
}

fn traces(value: &Value) -> Vec<Trace> {
    serde_json::from_value::<Vec<Vec<BTreeSet<String>>>>(value.clone()).unwrap()
}

fn dfa(formula: &Formula<String>) -> Dfa<String> {
    Dfa::translate(formula, &Axioms::none(), &Limits::default()).unwrap()
}

fn holds(formula: &Formula<String>, trace: &Trace) -> bool {
    semantics::holds(formula, trace, |letter, atom| letter.contains(atom))
}

#[test]
fn automata_and_semantics_agree_with_the_facts() {
    let mut count = 0;
    for line in lines(include_str!("golden/golden.jsonl")) {
        let name = &line["name"];
        let formula = formula(&line["formula"]);
        let dfa = dfa(&formula);
        assert_eq!(dfa.state_count() as u64, line["min_states_eps"], "{name}");
        assert_eq!(dfa.is_accepting(dfa.initial()), line["eps"], "{name}");
        assert_eq!(semantics::holds_on_empty(&formula), line["eps"], "{name}");
        let (axioms, limits) = (Axioms::none(), Limits::default());
        let witness = satisfiable(&formula, &axioms, &limits).unwrap();
        assert_eq!(witness.is_some(), line["sat"], "{name}");
        assert_eq!(
            valid(&formula, &axioms, &limits).unwrap().is_yes(),
            line["valid"],
            "{name}"
        );
        if let Some(trace) = witness {
            assert!(holds(&formula, &trace), "{name} {trace:?}");
            assert_eq!(trace.len() as u64, line["shortest_accepted_len"], "{name}");
        }
        for (key, expected) in [("accepted", true), ("rejected", false)] {
            for trace in traces(&line[key]) {
                assert_eq!(holds(&formula, &trace), expected, "{name} {trace:?}");
                let accepted = dfa.accepts(&trace, |letter, atom| letter.contains(atom));
                assert_eq!(accepted, expected, "{name} {trace:?}");
            }
        }
        if !line["dfa"].is_null() {
            check_table(&dfa, &line);
        }
        count += 1;
    }
    assert_eq!(count, 237);
}

/// The recorded table is canonical, too, so the state numbers have to be the same.
fn check_table(dfa: &Dfa<String>, line: &Value) {
    let aps: Vec<&str> = line["aps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ap| ap.as_str().unwrap())
        .collect();
    for (state, row) in dfa.states().zip(line["dfa"]["delta"].as_array().unwrap()) {
        for (letter, next) in row.as_array().unwrap().iter().enumerate() {
            let to = dfa.step(state, &mut |atom| {
                let index = aps.iter().position(|ap| ap == atom).unwrap();
                letter >> index & 1 == 1
            });
            assert_eq!(
                to.index() as u64,
                *next,
                "{} {state:?} {letter}",
                line["name"]
            );
        }
        let accepting = line["dfa"]["accepting"].as_array().unwrap();
        let expected = accepting.iter().any(|index| *index == state.index() as u64);
        assert_eq!(dfa.is_accepting(state), expected, "{}", line["name"]);
    }
}

#[test]
fn cores_are_the_minimal_unsatisfiable_sets() {
    for line in lines(include_str!("golden/golden_muc.jsonl")) {
        let name = &line["name"];
        let formulas: Vec<Formula<String>> = line["contracts"]
            .as_array()
            .unwrap()
            .iter()
            .map(formula)
            .collect();
        let all: Vec<usize> = (0..formulas.len()).collect();
        let mut conjunction =
            Conjunction::new(&formulas, &Axioms::none(), &Limits::default()).unwrap();
        assert_eq!(
            conjunction.witness(&all).unwrap().is_some(),
            line["sat"],
            "{name}"
        );
        let mucs: BTreeSet<Vec<usize>> = serde_json::from_value(line["mucs"].clone()).unwrap();
        for muc in &mucs {
            assert_eq!(conjunction.witness(muc), Ok(None), "{name} {muc:?}");
            for left_out in muc {
                let rest: Vec<usize> = muc.iter().copied().filter(|i| i != left_out).collect();
                let trace = conjunction.witness(&rest).unwrap().unwrap();
                for index in rest {
                    assert!(holds(&formulas[index], &trace), "{name} {index} {trace:?}");
                }
            }
        }
        match conjunction.core(&all).unwrap() {
            Some(core) => assert!(mucs.contains(&core), "{name} {core:?}"),
            None => assert!(mucs.is_empty(), "{name}"),
        }
    }
}
