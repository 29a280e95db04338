//! Sessions are their own: what one does is told by its events alone.

use super::desk::{self, Act, DOORS, Refused, Verdicts};
use super::rules;
use super::script;
use super::{Tally, hold};
use lictor_monitor::{Monitor, Session};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;

/// What was said to a call, what an event broke, and what the contracts are worth.
type Said = (Option<Refused>, BTreeSet<String>, Verdicts);

/// Does it, after asking what is said to it if it is a call.
pub fn act(session: &mut Session<'_>, act: &Act, decide: bool) -> Said {
    let mut refused = None;
    let mut broken = Vec::new();
    match act {
        Act::Clock(time) => session.clock(time.as_deref()),
        Act::Context(name, value) => session.context(name, value.clone()),
        Act::User(turn, text) => broken = session.user_turn(*turn, text),
        Act::Agent(turn, text) => broken = session.agent_turn(*turn, text),
        Act::Return(answer) => broken = session.after_return(answer),
        Act::Admit(call) | Act::Withhold(call) => {
            refused = decide.then(|| desk::refused(&session.decide(call)));
            match act {
                Act::Admit(_) => session.admit(call),
                _ => session.withhold(call),
            }
        }
    }
    let broken = broken.into_iter().map(|it| it.contract).collect();
    (refused, broken, desk::verdicts(session))
}

fn replayed(monitor: &Monitor, acts: &[Act], decide: bool) -> Vec<Said> {
    let mut session = monitor.session();
    acts.iter()
        .map(|it| act(&mut session, it, decide))
        .collect()
}

#[test]
fn replaying_gives_the_same_on_every_prefix() {
    let (fails, refusals) = (Tally::default(), Tally::default());
    let steps = prop_oneof![script::tidy(), script::script()];
    let session = (super::catalog::catalog(), steps, select(DOORS.to_vec()));
    let strategy = (rules::library(), session, any::<proptest::sample::Index>());
    let cases = hold(150, strategy, |(rules, (catalog, steps, mode), cut)| {
        let monitor = desk::monitor(&catalog, &rules);
        let desk = desk::run(&monitor, &catalog, mode, &steps);
        let acts = &desk.acts;
        prop_assume!(!acts.is_empty());
        let all = replayed(&monitor, acts, true);
        // As it went, and under the library read once more.
        let last = all.last().map(|it| it.2.clone()).unwrap_or_default();
        prop_assert_eq!(&last, &desk::verdicts(&desk.session));
        prop_assert_eq!(
            &all,
            &replayed(&desk::monitor(&catalog, &rules), acts, true)
        );
        // From a journal of what took place, without a decision.
        let journal = replayed(&monitor, acts, false);
        for (with, without) in all.iter().zip(&journal) {
            prop_assert_eq!((&with.1, &with.2), (&without.1, &without.2));
        }
        // From a copy of the session at some point, and of that point alone.
        let cut = cut.index(acts.len());
        let mut session = monitor.session();
        for (it, said) in acts[..cut].iter().zip(&all) {
            prop_assert_eq!(&act(&mut session, it, true), said);
        }
        let mut copy = session.clone();
        let _ = session.finish();
        for (it, said) in acts[cut..].iter().zip(&all[cut..]) {
            prop_assert_eq!(&act(&mut copy, it, true), said);
        }
        fails.add(last.values().any(|it| *it == lictor_monitor::Verdict::Fail));
        refusals.add(desk.decisions().iter().any(|refused| !refused.is_empty()));
        Ok(())
    });
    fails.at_least(cases / 10, "a contract that fails");
    refusals.at_least(cases / 3, "a refusal");
}

#[test]
fn sessions_do_not_touch_each_other() {
    let refusals = Tally::default();
    let steps = || prop_oneof![script::tidy(), script::script()];
    let scripts = (
        (steps(), select(DOORS.to_vec())),
        (steps(), select(DOORS.to_vec())),
    );
    let turns = proptest::collection::vec(any::<bool>(), 60);
    let strategy = (rules::library(), super::catalog::catalog(), scripts, turns);
    let cases = hold(100, strategy, |(rules, catalog, scripts, turns)| {
        let monitor = desk::monitor(&catalog, &rules);
        let alone =
            [scripts.0, scripts.1].map(|(steps, mode)| desk::run(&monitor, &catalog, mode, &steps));
        let expected = [0, 1].map(|it| replayed(&monitor, &alone[it].acts, true));
        let mut sessions = [monitor.session(), monitor.session()];
        let mut at = [0, 0];
        for first in turns.into_iter().cycle() {
            let open = [0, 1].map(|it| at[it] < alone[it].acts.len());
            let one = match open {
                [false, false] => break,
                [true, true] => usize::from(!first),
                [true, false] => 0,
                [false, true] => 1,
            };
            let said = act(&mut sessions[one], &alone[one].acts[at[one]], true);
            prop_assert_eq!(&said, &expected[one][at[one]]);
            at[one] += 1;
        }
        let refused = |it: &desk::Desk<'_>| it.decisions().iter().any(|it| !it.is_empty());
        refusals.add(alone.iter().all(refused));
        Ok(())
    });
    refusals.at_least(cases / 5, "refusals in both");
}
