//! What is reserved and given back is as if it had never been.

use super::catalog::Rule;
use super::desk::{self, DOORS, Desk, Note, Refused, Verdicts};
use super::rules;
use super::same::asking;
use super::script;
use super::{Tally, hold};
use lictor_contract::event::{CallId, Outcome, Return};
use lictor_contract::value::Value;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// What is said to each call and what the contracts are worth after each event.
fn said(desk: &Desk<'_>) -> Vec<(Option<Refused>, Option<Verdicts>)> {
    let of = |note: &Note| match note {
        Note::Decision(_, _, refused) => (Some(refused.clone()), None),
        Note::After(_, _, verdicts) => (None, Some(verdicts.clone())),
    };
    desk.notes.iter().map(of).collect()
}

#[test]
fn a_call_that_was_not_run_was_never_there() {
    let (moved, late) = (Tally::default(), Tally::default());
    let steps = prop_oneof![script::tidy(), script::script()];
    let session = (super::catalog::catalog(), steps, select(DOORS.to_vec()));
    let ghosts = proptest::collection::vec((any::<Index>(), script::proposal()), 1..4);
    let strategy = (rules::library(), session, ghosts);
    let cases = hold(150, strategy, |(rules, (catalog, steps, mode), ghosts)| {
        let monitor = desk::monitor(&catalog, &rules);
        let plain = desk::run(&monitor, &catalog, mode, &steps);
        let count = plain.decisions().len();
        prop_assume!(count > 0);
        // Before some of its calls another one is admitted and then not run.
        let mut haunted = Desk::new(&monitor, &catalog, mode);
        haunted.haunted = ghosts
            .into_iter()
            .map(|(at, ghost)| (at.index(count), ghost))
            .collect();
        for step in &steps {
            haunted.step(step);
        }
        prop_assert!(haunted.ghosts.iter().all(|ghost| ghost.removed));
        moved.add(haunted.ghosts.iter().any(|ghost| ghost.moved));
        late.add(haunted.ghosts.iter().any(|ghost| ghost.late));
        prop_assert_eq!(said(&haunted), said(&plain));
        Ok(())
    });
    moved.at_least(cases / 20, "a call that changes what a contract is worth");
    late.at_least(cases / 4, "a call after answers");
}

/// Contracts over what succeeded and over facts.
fn of_what_succeeded() -> impl Strategy<Value = Vec<Rule>> {
    let speaks_of_others = |text: &str| {
        let other = [
            "count(error",
            "count(return",
            "count(call",
            "sum(error",
            "sum(return",
        ];
        let other = other.into_iter().chain(["sum(call", "user", "agent"]);
        other.into_iter().any(|it| text.contains(it))
    };
    let counted =
        rules::counted().prop_filter("of what succeeded", move |it| !speaks_of_others(it));
    let condition = prop_oneof![2 => counted, 1 => rules::looked()].boxed();
    asking(condition).prop_map(|rules| {
        let at_calls = |rule: &Rule| rule.guarantee.starts_with("G (call");
        rules.into_iter().filter(at_calls).collect()
    })
}

#[test]
fn an_error_gives_back_what_was_reserved() {
    let (reserved, refusals) = (Tally::default(), Tally::default());
    let steps = (script::tidy(), script::probes());
    let session = (super::catalog::catalog(), steps, select(DOORS.to_vec()));
    let when = (any::<Index>(), any::<Index>());
    let strategy = (of_what_succeeded(), session, script::tidy_proposal(), when);
    let cases = hold(200, strategy, |(rules, session, failing, (from, to))| {
        let (catalog, (steps, probes), mode) = session;
        let monitor = desk::monitor(&catalog, &rules);
        let plain = desk::run(&monitor, &catalog, mode, &steps);
        let mut other = Desk::new(&monitor, &catalog, mode);
        let (from, to) = (from.index(steps.len()), to.index(steps.len()));
        // Between two steps a call is made that fails, at once or between two later ones.
        let mut in_flight = None;
        let mut given_back = None;
        for (at, step) in steps.iter().enumerate() {
            let mut before = None;
            if at == from {
                other.next_turn();
                before = Some(other.probed(&probes));
                let (mut call, _) = other.call(&failing, None);
                call.id = CallId(1000);
                // What a contract refuses breaks it when it takes place all the same.
                if other.session.before_call(&call).is_allowed() {
                    in_flight = Some(call.id);
                }
                other.next_turn();
                reserved.add(before != Some(other.probed(&probes)));
            }
            if let Some(call) = in_flight.take_if(|_| at >= to) {
                let answer = Return {
                    call,
                    outcome: Outcome::Error,
                    result: Value::Null,
                };
                other.session.after_return(&answer);
                given_back = Some((other.decisions().len(), other.notes.len()));
                let after = other.probed(&probes);
                prop_assert!(before.is_none_or(|before| before == after));
            }
            other.step(step);
        }
        let Some((decided, noted)) = given_back else {
            return Ok(());
        };
        let (with, without) = (other.decisions(), plain.decisions());
        // While it was in flight a gate may have stopped more, which shows later.
        prop_assume!(with[..decided] == without[..decided]);
        refusals.add(without[decided..].iter().any(|refused| !refused.is_empty()));
        prop_assert_eq!(&with[decided..], &without[decided..]);
        prop_assert_eq!(&said(&other)[noted..], &said(&plain)[noted..]);
        Ok(())
    });
    reserved.at_least(cases / 60, "a reservation that refuses");
    refusals.at_least(cases / 4, "a refusal after it");
}
