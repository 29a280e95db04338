//! The order in which the answers of one turn come changes nothing.

use super::catalog::Rule;
use super::desk::{self, DOORS, Desk};
use super::rules;
use super::same::asking;
use super::script::{self, Fate, proposals};
use super::{Tally, hold};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Contracts that do not speak of the order of answers, though some see that they came.
fn unordered() -> impl Strategy<Value = Vec<Rule>> {
    let seen = prop_oneof![
        (rules::tools(), rules::tools()).prop_map(|(a, b)| format!("G (call({a}) -> O ok({b}))")),
        (rules::tools(), rules::tools())
            .prop_map(|(a, b)| format!("G (call({a}) -> H !error({b}))")),
        (rules::tools(), rules::tools()).prop_map(|(a, b)| format!("F ok({a}) | G !call({b})")),
    ];
    let seen = vec(seen.prop_map(Rule::of), 1..3);
    let blind = rules::library().prop_map(|mut rules| {
        rules.retain(|rule| !rules::observes_answers(std::slice::from_ref(rule)));
        rules
    });
    let condition = prop_oneof![rules::counted(), rules::looked(), rules::told()].boxed();
    let asked = asking(condition).prop_map(|mut rules| {
        rules.retain(|rule| !rules::observes_answers(std::slice::from_ref(rule)));
        rules
    });
    (seen, blind, asked)
        .prop_map(|(seen, blind, asked)| seen.into_iter().chain(blind).chain(asked).collect())
}

#[test]
fn answers_of_one_turn_may_come_in_any_order() {
    let (moved, refusals) = (Tally::default(), Tally::default());
    let steps = prop_oneof![script::tidy(), script::script()];
    let session = (super::catalog::catalog(), steps, select(DOORS.to_vec()));
    let strategy = (unordered(), session, vec(0..9_u8, 24));
    let cases = hold(200, strategy, |(rules, (catalog, steps, mode), ranks)| {
        let monitor = desk::monitor(&catalog, &rules);
        let mut other = steps.clone();
        for (proposal, rank) in proposals(&mut other).zip(ranks) {
            if matches!(proposal.fate, Fate::AtOnce | Fate::Soon(_)) {
                proposal.fate = match rank {
                    7.. => Fate::AtOnce,
                    rank => Fate::Soon(rank),
                };
            }
        }
        let mut desks = [
            Desk::new(&monitor, &catalog, mode),
            Desk::new(&monitor, &catalog, mode),
        ];
        for (one, another) in steps.iter().zip(&other) {
            desks[0].step(one);
            desks[1].step(another);
            let [one, another] = &desks;
            let verdicts = [one, another].map(|desk| desk::verdicts(&desk.session));
            prop_assert_eq!(&verdicts[0], &verdicts[1]);
            prop_assert_eq!(one.decisions(), another.decisions());
        }
        moved.add(desks[0].acts != desks[1].acts);
        refusals.add(
            desks[0]
                .decisions()
                .iter()
                .any(|refused| !refused.is_empty()),
        );
        Ok(())
    });
    moved.at_least(cases / 2, "another order");
    refusals.at_least(cases / 2, "a refusal");
}
