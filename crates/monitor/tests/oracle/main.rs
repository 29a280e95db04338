//! The monitor against a second, naive reading of the same definitions.
//!
//! The oracle keeps every event, computes every atom from the whole history, and searches for a
//! continuation that keeps the contract; it shares no grounding, stepping or automata with the
//! monitor, nor canonical atoms and axioms with the contract language.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it should be"
)]

mod cases;
mod catalog;
mod clock;
mod compare;
mod counts;
mod desk;
mod facts;
mod give_back;
mod judge;
mod letters;
mod logic;
mod order;
mod refusal;
mod replay;
mod rules;
mod same;
mod script;
mod terms;
mod unknown;
mod valuation;
mod words;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};
use std::cell::Cell;
use std::fmt::Debug;

/// Runs a property: on as many random cases as `PROPTEST_CASES` says, else on this many, which
/// are always the same.
fn hold<S: Strategy>(
    cases: u32,
    strategy: S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) -> u32
where
    S::Value: Debug,
{
    let asked = std::env::var("PROPTEST_CASES").ok();
    let random = asked.is_some();
    let cases = asked.and_then(|it| it.parse().ok()).unwrap_or(cases);
    let config = ProptestConfig {
        cases,
        max_global_rejects: cases * 20,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = match random {
        true => TestRunner::new(config),
        false => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    };
    match runner.run(&strategy, property) {
        Ok(()) => cases,
        Err(TestError::Fail(reason, input)) => panic!("{reason}\n{input:#?}"),
        Err(error) => panic!("{error}"),
    }
}

/// How often something was seen, for a test that must not pass for want of cases.
#[derive(Debug, Default)]
struct Tally(Cell<u32>);

impl Tally {
    fn add(&self, seen: bool) {
        self.0.set(self.0.get() + u32::from(seen));
    }

    #[track_caller]
    fn at_least(&self, times: u32, what: &str) {
        let seen = self.0.get();
        assert!(seen >= times, "{what}: {seen} times, and not {times}");
    }
}

fn judges(
    catalog: &catalog::Catalog,
    rules: &[catalog::Rule],
) -> Vec<(String, Option<judge::Judge>)> {
    let each = rules.iter().enumerate();
    each.map(|(index, rule)| (format!("C{index}"), judge::Judge::new(catalog, rule)))
        .collect()
}
