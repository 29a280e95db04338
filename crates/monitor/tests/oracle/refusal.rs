//! A refused call leaves nothing behind.

use super::catalog::{Catalog, Rule};
use super::desk::{self, Desk, Door, Refused, Verdicts};
use super::rules;
use super::same::asking;
use super::script::{self, Fate, Proposal, Step, proposals, without};
use super::{Tally, hold};
use lictor_monitor::Monitor;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// After each step: what was said in it to the calls but this one, what would be said to the
/// probes, in its turn and in a new one, and what the contracts are worth.
fn followed(
    (monitor, catalog): (&Monitor, &Catalog),
    mode: Door,
    (steps, probes): (&[Step], &[Proposal]),
    left_out: Option<usize>,
) -> Vec<(Vec<Refused>, Vec<Refused>, Verdicts)> {
    let mut desk = Desk::new(monitor, catalog, mode);
    let mut followed = Vec::new();
    for step in steps {
        desk.step(step);
        let mut said = desk.decisions();
        if let Some(number) = left_out.filter(|it| *it < said.len()) {
            said.remove(number);
        }
        let mut probes_said = desk.probed(probes);
        desk.next_turn();
        probes_said.extend(desk.probed(probes));
        followed.push((said, probes_said, desk::verdicts(&desk.session)));
    }
    followed
}

#[test]
fn a_refused_call_leaves_nothing_behind() {
    let refusals = Tally::default();
    let steps = prop_oneof![script::tidy(), script::script()];
    let session = (super::catalog::catalog(), steps, script::probes());
    let strategy = (rules::library(), session, any::<proptest::sample::Index>());
    let cases = hold(150, strategy, |(rules, (catalog, steps, probes), which)| {
        let monitor = desk::monitor(&catalog, &rules);
        let decisions = desk::run(&monitor, &catalog, Door::Live, &steps).decisions();
        let refused: Vec<usize> = (0..decisions.len())
            .filter(|at| !decisions[*at].is_empty())
            .collect();
        prop_assume!(!refused.is_empty());
        let number = refused[which.index(refused.len())];
        refusals.add(number + 1 < decisions.len());
        let under = (&monitor, &catalog);
        let with = followed(under, Door::Live, (&steps, &probes), Some(number));
        let never = without(&steps, number);
        let without = followed(under, Door::Live, (&never, &probes), None);
        prop_assert_eq!(with, without);
        Ok(())
    });
    refusals.at_least(cases / 2, "a refused call with others after it");
}

/// Contracts that read no facts, and one that refuses what the others would admit.
fn without_facts() -> impl Strategy<Value = Vec<Rule>> {
    let counting = asking(rules::counted());
    let consenting = vec(rules::consenting(), 2..4);
    let refusing = select(vec![
        "G !call(act)",
        "G !call(look | pay)",
        "G !call(act | whois)",
    ]);
    (counting, consenting, refusing).prop_map(|(counting, consenting, refusing)| {
        let all = counting.into_iter().chain(consenting);
        all.chain([Rule::of(refusing)]).collect()
    })
}

#[test]
fn a_withheld_call_counts_for_nothing() {
    let withheld = Tally::default();
    let session = (super::catalog::catalog(), script::tidy(), script::probes());
    let strategy = (without_facts(), session, any::<proptest::sample::Index>());
    let cases = hold(100, strategy, |(rules, (catalog, steps, probes), which)| {
        let monitor = desk::monitor(&catalog, &rules);
        let decisions = desk::run(&monitor, &catalog, Door::Gate, &steps).decisions();
        let refused: Vec<usize> = (0..decisions.len())
            .filter(|at| !decisions[*at].is_empty())
            .collect();
        prop_assume!(!refused.is_empty());
        let number = refused[which.index(refused.len())];
        withheld.add(true);
        let under = (&monitor, &catalog);
        let with = followed(under, Door::Gate, (&steps, &probes), Some(number));
        let never = without(&steps, number);
        let without = followed(under, Door::Gate, (&never, &probes), None);
        prop_assert_eq!(with, without);
        Ok(())
    });
    withheld.at_least(cases / 2, "a withheld call");
}

#[test]
fn the_result_of_a_withheld_call_is_a_fact() {
    let (withheld, read) = (Tally::default(), Tally::default());
    let session = (super::catalog::catalog(), script::tidy(), script::probes());
    let refusing = select(vec![
        "G !call(look)",
        "G !call(act)",
        "G !call(look | act | pay)",
    ]);
    let strategy = (asking(rules::looked()), refusing, session);
    let cases = hold(
        100,
        strategy,
        |(rules, refusing, (catalog, mut steps, probes))| {
            // One call a message: its siblings see that a call was made, but not what it answers.
            for step in &mut steps {
                if let Step::Turn { calls, .. } = step {
                    calls.truncate(1);
                }
            }
            for proposal in proposals(&mut steps) {
                proposal.fate = Fate::AtOnce;
            }
            let mut stricter = rules.clone();
            stricter.push(Rule::of(refusing));
            let last = format!("C{}", rules.len());
            let followed = |rules: &[Rule], door| {
                let monitor = desk::monitor(&catalog, rules);
                let mut desk = Desk::new(&monitor, &catalog, door);
                let mut all = Vec::new();
                for step in &steps {
                    desk.step(step);
                    desk.next_turn();
                    all.push(desk.probed(&probes));
                }
                (all, desk.decisions())
            };
            // All calls take place in one session; in the other a gate stops some of them.
            let (took_place, _) = followed(&rules, Door::Audit);
            let (mut stopped, decisions) = followed(&stricter, Door::Gate);
            let some = decisions.iter().any(|refused| refused.contains_key(&last));
            withheld.add(some);
            for refused in stopped.iter_mut().flatten() {
                refused.remove(&last);
            }
            read.add(
                some && took_place
                    .iter()
                    .flatten()
                    .any(|refused| !refused.is_empty()),
            );
            prop_assert_eq!(took_place, stopped);
            Ok(())
        },
    );
    withheld.at_least(cases / 2, "a withheld call");
    read.at_least(cases / 4, "facts that are read");
}
