//! The monitor and the oracle say the same to every call and of every event.

use super::catalog::{self, Catalog, Rule};
use super::desk::{self, DOORS, Desk, Door, Note};
use super::facts::Event;
use super::judge::Judge;
use super::rules;
use super::script::{self, Step};
use super::{hold, judges};
use lictor_monitor::{RefusalKind, Verdict};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How often each answer was seen.
type Seen = RefCell<BTreeMap<&'static str, u32>>;

fn of_refusal(refusal: Option<RefusalKind>) -> &'static str {
    match refusal {
        None => "admitted",
        Some(RefusalKind::Undecidable) => "undecidable",
        Some(_) => "violated",
    }
}

fn of_verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fail => "fail",
        Verdict::Pending => "pending",
        Verdict::Active => "active",
        Verdict::Satisfied => "satisfied",
        Verdict::Idle => "idle",
    }
}

/// What the monitor says otherwise than the oracle of one contract in one note, if it does.
fn differs(
    desk: &Desk<'_>,
    id: &str,
    judge: &mut Judge,
    note: &Note,
    seen: &mut dyn FnMut(&'static str),
) -> Option<(String, Vec<Event>)> {
    match note {
        Note::Decision(before, now, refused) => {
            let events = desk.as_in_messages(*before, Some(now));
            let Some(expected) = judge.decide(&events, now) else {
                seen("lost sight");
                return None;
            };
            seen(of_refusal(expected));
            let found = refused.get(id).copied();
            if expected == found {
                return None;
            }
            let letter = judge.letter(&events, now).into_iter();
            let letter: Vec<String> = letter.map(|(atom, it)| format!("{atom}: {it:?}")).collect();
            let what = format!("monitor {found:?}, oracle {expected:?} at {now:?} {letter:#?}");
            Some((what, events))
        }
        Note::After(at, broken, verdicts) => {
            let events = desk.as_in_messages(*at, None);
            let expected = judge.verdict(&events)?;
            seen(of_verdict(expected));
            let found = verdicts[id];
            if expected != found {
                return Some((format!("monitor {found:?}, oracle {expected:?}"), events));
            }
            // An answer that comes before its siblings is told of as it comes.
            let newest = desk.events.get(*at - 1) == events.last();
            let broke = broken.as_ref().map(|broken| broken.contains(id))?;
            let differs = newest && Some(broke) != judge.broke(&events);
            differs.then(|| (format!("monitor: broken {broke}"), events))
        }
    }
}

/// The first thing that the monitor does not say as the oracle does.
fn disagreement(
    desk: &Desk<'_>,
    rules: &[Rule],
    judges: &mut [(String, Option<Judge>)],
    seen: &mut dyn FnMut(&'static str),
) -> Option<String> {
    let told = |rule: &Rule, what: String, events: Vec<Event>| {
        let events: String = events.iter().map(|it| format!("  {it:?}\n")).collect();
        Some(format!("{rule:?}\n{what}\nafter\n{events}"))
    };
    for (rule, (id, judge)) in rules.iter().zip(judges) {
        let Some(judge) = judge else {
            seen("left out");
            continue;
        };
        for note in &desk.notes {
            if let Some((what, events)) = differs(desk, id, judge, note, seen) {
                return told(rule, what, events);
            }
        }
        let events = desk.as_in_messages(desk.events.len(), None);
        let pending = desk.session.clone().finish();
        let owes = pending.iter().any(|it| it.contract == *id);
        if judge.owes(&events).is_some_and(|it| it != owes) {
            return told(rule, format!("monitor: owes {owes} at the end"), events);
        }
    }
    None
}

pub type Case = (Vec<Rule>, (Catalog, Vec<Step>), Door);

/// Compares the two on random cases; each of these answers must have been given for so many of a
/// hundred cases.
pub fn compare(cases: u32, strategy: impl Strategy<Value = Case>, answers: &[(&str, u32)]) {
    let seen = Seen::default();
    let cases = hold(cases, strategy, |(rules, (catalog, steps), mode)| {
        let monitor = desk::monitor(&catalog, &rules);
        let mut judges = judges(&catalog, &rules);
        let desk = desk::run(&monitor, &catalog, mode, &steps);
        let mut note = |what| *seen.borrow_mut().entry(what).or_default() += 1;
        let wrong = disagreement(&desk, &rules, &mut judges, &mut note);
        prop_assert!(wrong.is_none(), "{}", wrong.unwrap());
        Ok(())
    });
    let seen = seen.into_inner();
    for (answer, times) in answers {
        let enough = seen.get(answer).copied().unwrap_or_default() * 100 >= times * cases;
        assert!(enough, "{answer}: less than {times} in 100 cases: {seen:?}");
    }
    let left_out = seen.get("left out").copied().unwrap_or_default();
    assert!(left_out * 10 < cases, "{seen:?}");
}

/// Contracts that ask for a condition, or for its contrary, at calls or answers of some tools.
pub fn asking(condition: BoxedStrategy<String>) -> impl Strategy<Value = Vec<Rule>> {
    let event = select(vec!["call", "call", "call", "ok"]);
    let rule = (event, rules::tools(), any::<bool>(), condition).prop_map(
        |(event, tools, plain, condition)| {
            let not = if plain { "" } else { "!" };
            Rule::of(format!("G ({event}({tools}) -> {not}({condition}))"))
        },
    );
    vec(rule, 3..7)
}

/// Contracts of these in sessions where facts come about.
fn tidy<S: Strategy<Value = Vec<Rule>>>(rules: S) -> impl Strategy<Value = Case> {
    let session = (catalog::catalog(), script::tidy());
    (rules, session, select(DOORS.to_vec()))
}

/// Contracts of these in sessions where anything happens.
fn wild<S: Strategy<Value = Vec<Rule>>>(rules: S) -> impl Strategy<Value = Case> {
    let session = (catalog::catalog(), script::script());
    (rules, session, select(DOORS.to_vec()))
}

const REFUSALS: [(&str, u32); 3] = [("admitted", 200), ("violated", 60), ("undecidable", 30)];

#[test]
fn contracts_of_all_kinds_are_the_same() {
    compare(200, wild(rules::library()), &REFUSALS);
}

#[test]
fn facts_are_the_same() {
    compare(150, tidy(asking(rules::looked())), &REFUSALS);
}

#[test]
fn counts_and_sums_are_the_same() {
    let rules = || asking(rules::counted());
    compare(150, prop_oneof![tidy(rules()), wild(rules())], &REFUSALS);
}

#[test]
fn a_yes_is_the_same() {
    compare(100, tidy(vec(rules::consenting(), 3..6)), &REFUSALS);
}

#[test]
fn arguments_are_the_same() {
    compare(100, wild(asking(rules::argued())), &REFUSALS);
}

#[test]
fn host_time_and_origin_are_the_same() {
    compare(150, wild(asking(rules::told())), &REFUSALS);
}
