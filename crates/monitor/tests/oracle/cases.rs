//! Sessions on which the monitor and the oracle once disagreed.

use super::catalog::{Catalog, Change, Record, Rule, plain};
use super::clock::Style;
use super::desk::{self, Door};
use super::script::{Fate, Proposal, Saying, Step, value};
use lictor_contract::event::Arguments;
use lictor_contract::value::Value;
use lictor_monitor::RefusalKind::{self, Undecidable, Violated};
use lictor_monitor::Verdict;

fn call(tool: &'static str, arguments: &str, fate: Fate, result: Option<&str>) -> Proposal {
    Proposal {
        tool,
        arguments: match value(arguments) {
            Value::Object(fields) => Arguments::Read(fields),
            _ => Arguments::Unreadable(arguments.to_owned()),
        },
        fate,
        ok: result.is_some(),
        result: value(result.unwrap_or("null")),
        wait: 0,
        absent: false,
    }
}

fn turn(calls: Vec<Proposal>) -> Step {
    Step::Turn {
        says: None,
        size: None,
        calls,
    }
}

/// A turn with one call that succeeds.
fn done(tool: &'static str, arguments: &str, result: &str) -> Step {
    turn(vec![call(tool, arguments, Fate::AtOnce, Some(result))])
}

/// A turn with one call whose answer is never seen.
fn open(tool: &'static str, arguments: &str) -> Step {
    turn(vec![call(tool, arguments, Fate::Never, None)])
}

/// A turn with one call that fails.
fn failed(tool: &'static str, arguments: &str, result: &str) -> Step {
    let mut failing = call(tool, arguments, Fate::AtOnce, Some(result));
    failing.ok = false;
    turn(vec![failing])
}

/// `look` returns an item, and `act` changes it.
fn items() -> Catalog {
    Catalog {
        records: vec![
            Record {
                key: "key",
                returned_by: vec!["look"],
                changes: vec![Change {
                    write: "act",
                    fields: Vec::new(),
                    key: Some("key"),
                }],
            },
            Record {
                key: "who",
                returned_by: vec!["whois"],
                changes: Vec::new(),
            },
        ],
        ..plain()
    }
}

/// What a contract says to the last call.
#[track_caller]
fn says(
    catalog: &Catalog,
    guarantee: &str,
    door: Door,
    steps: Vec<Step>,
    expected: Option<RefusalKind>,
) {
    // The second one has `touch` refused, so that it is withheld in a gate's replay.
    let rules = [Rule::of(guarantee), Rule::of("G !call(touch)")];
    let monitor = desk::monitor(catalog, &rules);
    let said = desk::run(&monitor, catalog, door, &steps).decisions();
    let found = said.last().and_then(|it| it.get("C0")).copied();
    assert_eq!(found, expected, "{guarantee}");
}

const A1: &str = r#"{"key": "A1"}"#;

#[test]
fn an_answer_of_the_same_turn_neither_restores_nor_makes_stale() {
    let pending = "G (call(pay) -> last(look, key = arg.key).n == 1)";
    let read = || done("look", A1, r#"{"n": 1}"#);
    for fate in [Fate::AtOnce, Fate::Soon(0)] {
        let act = call("act", A1, fate, None);
        let steps = vec![read(), turn(vec![act, call("pay", A1, fate, Some("1"))])];
        says(&items(), pending, Door::Audit, steps, Some(Undecidable));
        let mut touched = items();
        touched.records[0].changes[0].write = "touch";
        let touch = call("touch", A1, fate, Some("1"));
        let steps = vec![read(), turn(vec![touch, call("pay", A1, fate, Some("1"))])];
        says(&touched, pending, Door::Gate, steps, None);
    }
    let after = vec![read(), failed("act", A1, "null"), done("pay", A1, "1")];
    says(&items(), pending, Door::Audit, after, None);
}

#[test]
fn a_fact_goes_stale_however_it_is_looked_up() {
    let steps = || {
        vec![
            done("look", A1, r#"{"n": 1, "who": "ann"}"#),
            done("act", A1, "1"),
            done("pay", r#"{"key": "A1", "who": "ann"}"#, "1"),
        ]
    };
    for guarantee in [
        "G (call(pay) -> last(look, key = arg.key).n == 1)",
        "G (call(pay) -> last(look | whois, who = arg.who).n == 1)",
        "G (call(pay) -> last(look | @any, key = arg.key, who = arg.who).n == 1)",
    ] {
        says(&items(), guarantee, Door::Audit, steps(), Some(Undecidable));
    }
}

#[test]
fn what_is_made_of_a_stale_fact_is_known() {
    let steps = vec![
        done("look", A1, r#"{"n": 1, "rows": [1, 2]}"#),
        done("act", A1, "1"),
        done("pay", A1, "1"),
    ];
    for (term, known) in [
        ("last(look, key = arg.key).n", true),
        ("len(last(look, key = arg.key).rows)", true),
        ("last(look, key = arg.key).n + 1", true),
        ("last(look, key = arg.key).map", false),
        ("len(last(look, key = arg.key).map)", false),
    ] {
        let guarantee = format!("G (call(pay) -> known({term}))");
        let refusal = (!known).then_some(Violated);
        says(&items(), &guarantee, Door::Audit, steps.clone(), refusal);
        // So that a rule which applies where a fact is known still does.
        let guarantee = format!("G (call(pay) & known({term}) -> {term} < 0)");
        let refusal = known.then_some(Undecidable);
        says(&items(), &guarantee, Door::Audit, steps.clone(), refusal);
    }
}

#[test]
fn a_list_of_facts_is_fresh_once_they_were_read_again() {
    let guarantee = "G (call(pay) -> sum(every(look).n) == 3)";
    let first = [done("look", A1, r#"{"n": 1}"#), done("act", A1, "1")];
    let steps = |more: Vec<Step>| [first.to_vec(), more, vec![done("pay", A1, "1")]].concat();
    let other = || done("look", r#"{"key": "B2"}"#, r#"{"n": 2}"#);
    let again = || done("look", A1, r#"{"n": 2}"#);
    says(
        &items(),
        guarantee,
        Door::Audit,
        steps(vec![other()]),
        Some(Undecidable),
    );
    says(&items(), guarantee, Door::Audit, steps(vec![again()]), None);
    let changed = steps(vec![again(), open("act", A1)]);
    says(&items(), guarantee, Door::Audit, changed, Some(Undecidable));
}

#[test]
fn any_of_the_calls_in_flight_may_fail() {
    let guarantee = "G (call(pay) -> sum(ok(act), arg.n) < 4)";
    let steps = |n: &str| {
        vec![
            open("act", r#"{"n": 5}"#),
            open("act", n),
            done("pay", A1, "1"),
        ]
    };
    let refused = Some(Violated);
    says(
        &plain(),
        guarantee,
        Door::Audit,
        steps(r#"{"n": -5}"#),
        refused,
    );
    says(
        &plain(),
        guarantee,
        Door::Audit,
        steps(r#"{"n": -9}"#),
        refused,
    );
}

#[test]
fn a_call_in_flight_counts_unless_a_later_yes_may_start_anew() {
    let once = "G (call(act) -> (!user S confirms) & count(ok(act), since = confirms) == 0)";
    let steps = |second: Saying| {
        let act = || open("act", A1);
        vec![Step::User(Saying::Yes), act(), Step::User(second), act()]
    };
    says(&plain(), once, Door::Audit, steps(Saying::Yes), None);
    says(
        &plain(),
        once,
        Door::Audit,
        steps(Saying::Unclear),
        Some(Undecidable),
    );
    says(
        &plain(),
        once,
        Door::Audit,
        steps(Saying::No),
        Some(Violated),
    );
    // A reservation is a fact, even where nobody knows its time.
    let window = "G (call(act) -> count(ok(act), within = 1h) == 0)";
    let steps = |clock: Option<Style>| {
        let act = || open("act", A1);
        vec![Step::Clock(clock), act(), Step::Wait(120), act()]
    };
    says(
        &plain(),
        window,
        Door::Audit,
        steps(Some(Style::Zulu)),
        None,
    );
    says(&plain(), window, Door::Audit, steps(None), Some(Violated));
}

#[test]
fn perhaps_nobody_ever_said_yes() {
    let guarantee = "G (call(act) -> count(user, since = confirms) == 0)";
    let unclear = || Step::User(Saying::Unclear);
    let steps = vec![unclear(), unclear(), open("act", A1)];
    says(&plain(), guarantee, Door::Audit, steps, Some(Undecidable));
}

#[test]
fn a_sum_sees_no_result_of_its_own_turn() {
    let guarantee = "G (call(pay) -> sum(ok(act), result.n) < 5)";
    for fate in [Fate::AtOnce, Fate::Soon(0)] {
        let act = call("act", A1, fate, Some(r#"{"n": 1}"#));
        let steps = vec![turn(vec![act, call("pay", A1, fate, Some("1"))])];
        says(&plain(), guarantee, Door::Audit, steps, Some(Undecidable));
    }
}

#[test]
fn a_null_that_may_not_be_takes_the_default() {
    let catalog = |types: &'static [&'static str]| Catalog {
        amount: (types, Some("1")),
        ..plain()
    };
    let guarantee = "G (call(act) -> arg.n == 1)";
    let steps = || vec![open("act", r#"{"n": null}"#)];
    says(&catalog(&["number"]), guarantee, Door::Audit, steps(), None);
    let nullable = catalog(&["number", "null"]);
    says(
        &nullable,
        guarantee,
        Door::Audit,
        steps(),
        Some(Undecidable),
    );
}

#[test]
fn an_error_vouches_for_nothing() {
    let guarantee = "G (call(act) -> from_tool(arg.key, look))";
    let answer = "\"no item A1\"";
    let after = |step: Step| vec![step, open("act", A1)];
    let errs = after(failed("look", A1, answer));
    says(&plain(), guarantee, Door::Audit, errs, Some(Violated));
    says(
        &plain(),
        guarantee,
        Door::Audit,
        after(done("look", A1, answer)),
        None,
    );
}

#[test]
fn an_answer_keeps_its_time() {
    let rules = [Rule::of("G (ok(act) -> now < \"2024-05-01T13:00:00Z\")")];
    let monitor = desk::monitor(&plain(), &rules);
    let mut late = call("look", A1, Fate::AtOnce, Some("1"));
    late.wait = 120;
    let early = call("act", A1, Fate::AtOnce, Some("1"));
    let steps = [Step::Clock(Some(Style::Zulu)), turn(vec![early, late])];
    let desk = desk::run(&monitor, &plain(), Door::Audit, &steps);
    assert_eq!(desk.session.agent(), Verdict::Active);
}

#[test]
fn an_answer_from_before_comes_before_those_of_an_open_turn() {
    let rules = [Rule::of("G (ok(pay) -> !known(last(look).n))")];
    let monitor = desk::monitor(&plain(), &rules);
    for second in [Fate::AtOnce, Fate::Soon(0)] {
        let pay = call("pay", A1, Fate::Later(4), Some("1"));
        let look = call("look", A1, Fate::AtOnce, Some(r#"{"n": 1}"#));
        let act = call("act", A1, second, Some("1"));
        let steps = [turn(vec![pay]), turn(vec![look, act])];
        let desk = desk::run(&monitor, &plain(), Door::Audit, &steps);
        assert_eq!(desk.session.agent(), Verdict::Active);
    }
}

/// What a contract for each key is worth after these steps.
#[track_caller]
fn worth(guarantee: &str, steps: &[Step], refusal: Option<RefusalKind>, expected: Verdict) {
    let rule = Rule {
        for_each: vec!["key"],
        ..Rule::of(guarantee)
    };
    let monitor = desk::monitor(&plain(), &[rule]);
    let desk = desk::run(&monitor, &plain(), Door::Audit, steps);
    let said = desk.decisions();
    assert_eq!(
        said.last().and_then(|it| it.get("C0")).copied(),
        refusal,
        "{guarantee}"
    );
    assert_eq!(desk.session.agent(), expected, "{guarantee}");
}

#[test]
fn a_call_about_nobody_knows_what_is_undecidable_and_sticks() {
    let guarantee = "G (call(act) -> O ok(look))";
    // Its answer would count for some key.
    worth(
        guarantee,
        &[open("look", "{}")],
        Some(Undecidable),
        Verdict::Fail,
    );
    worth(
        guarantee,
        &[open("act", "0")],
        Some(Undecidable),
        Verdict::Fail,
    );
    worth(guarantee, &[open("pay", "{}")], None, Verdict::Active);
}

#[test]
fn the_first_event_of_a_key_makes_it_owe() {
    let guarantee = "F ok(look)";
    worth(guarantee, &[], None, Verdict::Active);
    let answered = [done("pay", A1, "1")];
    worth(guarantee, &answered, None, Verdict::Pending);
    let looked = [done("pay", A1, "1"), done("look", A1, "1")];
    worth(guarantee, &looked, None, Verdict::Active);
}

#[test]
fn an_assumption_that_may_be_broken_leaves_it_open() {
    let rule = Rule {
        assumption: "G (ok(look) -> result.n > 0)".to_owned(),
        ..Rule::of("G !call(act)")
    };
    let monitor = desk::monitor(&plain(), &[rule]);
    for (result, expected) in [
        (r#"{"n": 1}"#, Some(Violated)),
        ("{}", Some(Undecidable)),
        (r#"{"n": 0}"#, None),
    ] {
        let steps = [done("look", A1, result), open("act", A1)];
        let said = desk::run(&monitor, &plain(), Door::Audit, &steps).decisions();
        assert_eq!(said[1].get("C0").copied(), expected, "{result}");
    }
}
