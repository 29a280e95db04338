//! Sessions under small libraries: what is allowed, what is refused, and why.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is not as it should be"
)]

use lictor_contract::catalog::Effect;
use lictor_contract::contract::{Contract, Evidence, Strategy};
use lictor_contract::event::{Arguments, Call, CallId, Outcome, Return, Turn};
use lictor_contract::language::{Mode, parse_formula, print_formula};
use lictor_contract::library::{FORMAT, Library, Provenance, Settings, ToolRecord};
use lictor_contract::predicate::{Formula, ToolPattern};
use lictor_contract::rule::{Body, ConfirmationReading, Kind, Rule};
use lictor_contract::value::Value;
use lictor_monitor::{Monitor, RefusalKind, Session, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// A library of the given guarantees over a small shop.
fn library(rules: &[(&str, &str)]) -> Library {
    let tool = |effect| ToolRecord {
        fingerprint: String::new(),
        effect: Some(effect),
        ..ToolRecord::default()
    };
    let contract = |(assumption, guarantee): &(&str, &str)| Contract {
        id: format!("T-{guarantee}"),
        kind: Kind::Formula,
        clauses: Vec::new(),
        bindings: Vec::new(),
        for_each: Vec::new(),
        assumption: (*assumption).to_owned(),
        guarantee: (*guarantee).to_owned(),
        steps_on: Vec::new(),
        strategy: Strategy::Block,
        says: String::new(),
        meaning: String::new(),
        evidence: Evidence::default(),
    };
    Library {
        lictor: FORMAT,
        provenance: Provenance::default(),
        tools: BTreeMap::from([
            ("get_order".to_owned(), tool(Effect::Read)),
            ("cancel".to_owned(), tool(Effect::Write)),
            ("refund".to_owned(), tool(Effect::Write)),
            ("note".to_owned(), tool(Effect::Write)),
        ]),
        entities: BTreeMap::new(),
        ids: BTreeSet::new(),
        settings: Settings::default(),
        contracts: rules.iter().map(contract).collect(),
        coverage: Vec::new(),
        digest: String::new(),
    }
}

fn monitor(guarantee: &str) -> Monitor {
    Monitor::new(&library(&[("true", guarantee)])).unwrap()
}

/// Feeds a session in short words.
struct Desk<'m> {
    session: Session<'m>,
    calls: u32,
    turn: u32,
}

impl<'m> Desk<'m> {
    fn new(monitor: &'m Monitor) -> Self {
        Desk {
            session: monitor.recording_session(),
            calls: 0,
            turn: 0,
        }
    }

    fn user(&mut self, text: &str) {
        self.turn += 1;
        self.session.user_turn(Turn(self.turn), text);
    }

    fn agent(&mut self, text: &str) {
        self.turn += 1;
        self.session.agent_turn(Turn(self.turn), text);
    }

    fn propose(&mut self, tool: &str, arguments: &str) -> Call {
        self.calls += 1;
        let arguments = match Value::from_json(arguments) {
            Ok(Value::Object(values)) => Arguments::Read(values),
            _ => Arguments::Unreadable(arguments.to_owned()),
        };
        Call {
            id: CallId(self.calls),
            turn: Turn(self.turn),
            tool: tool.to_owned(),
            arguments,
            turn_size: None,
        }
    }

    /// Proposes a call in a turn of its own; the kinds of the refusals.
    fn call(&mut self, tool: &str, arguments: &str) -> Vec<RefusalKind> {
        self.turn += 1;
        let call = self.propose(tool, arguments);
        let decision = self.session.before_call(&call);
        decision
            .refusals
            .iter()
            .map(|refusal| refusal.kind)
            .collect()
    }

    fn answer(&mut self, call: u32, outcome: Outcome, result: &str) {
        self.session.after_return(&Return {
            call: CallId(call),
            outcome,
            result: Value::from_json(result).unwrap(),
        });
    }

    /// A call that is allowed and answers at once.
    fn done(&mut self, tool: &str, arguments: &str, result: &str) {
        assert_eq!(self.call(tool, arguments), []);
        self.answer(self.calls, Outcome::Ok, result);
    }
}

const PENDING: &str =
    r#"G (call(cancel) -> last(get_order, order_id = arg.order_id).status == "pending")"#;

#[test]
fn a_fact_is_needed_and_must_fit() {
    let monitor = monitor(PENDING);
    let mut desk = Desk::new(&monitor);
    assert_eq!(
        desk.call("cancel", r#"{"order_id": "A1"}"#),
        [RefusalKind::Undecidable]
    );
    desk.done(
        "get_order",
        r#"{"order_id": "B2"}"#,
        r#"{"status": "pending"}"#,
    );
    assert_eq!(
        desk.call("cancel", r#"{"order_id": "A1"}"#),
        [RefusalKind::Undecidable]
    );
    desk.done(
        "get_order",
        r#"{"order_id": "A1"}"#,
        r#"{"status": "sent"}"#,
    );
    assert_eq!(
        desk.call("cancel", r#"{"order_id": "A1"}"#),
        [RefusalKind::Violated]
    );
    assert_eq!(desk.call("cancel", r#"{"order_id": "B2"}"#), []);
    assert_eq!(desk.session.agent(), Verdict::Active);
}

#[test]
fn the_reason_names_what_would_supply_the_fact() {
    let monitor = monitor(PENDING);
    let mut desk = Desk::new(&monitor);
    let call = desk.propose("cancel", r#"{"order_id": "A1"}"#);
    let reason = desk.session.decide(&call).refusals[0].reason.clone();
    assert!(reason.contains("call `get_order` first"), "{reason}");
    desk.done(
        "get_order",
        r#"{"order_id": "A1"}"#,
        r#"{"status": "sent"}"#,
    );
    desk.turn += 1;
    let call = desk.propose("cancel", r#"{"order_id": "A1"}"#);
    let reason = desk.session.decide(&call).refusals[0].reason.clone();
    assert!(reason.contains(r#"is "sent""#), "{reason}");
}

#[test]
fn a_call_sees_no_return_of_its_own_turn() {
    let monitor = monitor("G (call(cancel) -> count(ok(get_order)) > 0)");
    let mut desk = Desk::new(&monitor);
    desk.turn += 1;
    let look = desk.propose("get_order", "{}");
    assert!(desk.session.before_call(&look).is_allowed());
    let sibling = desk.propose("cancel", "{}");
    assert!(!desk.session.decide(&sibling).is_allowed());
    desk.answer(1, Outcome::Ok, "{}");
    assert!(
        !desk.session.decide(&sibling).is_allowed(),
        "the answer of the same turn is not seen"
    );
    assert_eq!(desk.call("cancel", "{}"), []);
}

#[test]
fn a_limit_counts_calls_in_flight_and_gives_errors_back() {
    let monitor = monitor("G (call(cancel) -> count(ok(cancel), order_id = arg.order_id) == 0)");
    let mut desk = Desk::new(&monitor);
    assert_eq!(desk.call("cancel", r#"{"order_id": 1}"#), []);
    assert_eq!(
        desk.call("cancel", r#"{"order_id": 1.0}"#),
        [RefusalKind::Violated],
        "a reservation is a fact"
    );
    assert_eq!(desk.call("cancel", r#"{"order_id": 2}"#), []);
    desk.answer(1, Outcome::Error, "\"no\"");
    assert_eq!(
        desk.call("cancel", r#"{"order_id": 1}"#),
        [],
        "an honest retry"
    );
}

#[test]
fn an_answer_of_the_same_turn_is_not_seen_by_formulas_either() {
    let monitor = monitor("G (call(cancel) -> O ok(get_order)) & G (ok(note) -> WX G !call(note))");
    let mut desk = Desk::new(&monitor);
    desk.done("get_order", "{}", "{}");
    desk.turn += 1;
    let propose = |desk: &mut Desk<'_>, tool: &str| {
        let call = desk.propose(tool, "{}");
        desk.session.before_call(&call).is_allowed()
    };
    assert!(
        propose(&mut desk, "cancel"),
        "the answer of the turn before is seen"
    );
    assert!(propose(&mut desk, "note"));
    desk.answer(3, Outcome::Ok, "{}");
    assert!(
        propose(&mut desk, "note"),
        "the answer belongs after its siblings"
    );
    desk.turn += 1;
    assert!(
        !propose(&mut desk, "note"),
        "and is seen from the next turn on"
    );
}

#[test]
fn a_key_in_an_answer_of_the_same_turn_is_not_seen() {
    let monitor = monitor("G (call(cancel) -> count(ok(note), order_id = arg.order_id) == 0)");
    for answered in [false, true] {
        let mut desk = Desk::new(&monitor);
        desk.turn += 1;
        let note = desk.propose("note", "{}");
        desk.session.admit(&note);
        if answered {
            desk.answer(1, Outcome::Ok, r#"{"order_id": 2}"#);
        }
        let cancel = desk.propose("cancel", r#"{"order_id": 1}"#);
        let refusals = desk.session.decide(&cancel).refusals;
        assert_eq!(refusals[0].kind, RefusalKind::Violated, "{answered}");
    }
}

#[test]
fn a_record_that_may_carry_the_key_makes_a_count_and_a_fact_unknown() {
    for text in [
        "G (call(cancel) -> count(ok(get_order), order_id = arg.order_id) == 0)",
        "G (call(cancel) -> last(get_order, order_id = arg.order_id).status == 1)",
    ] {
        let monitor = monitor(text);
        for unclear in [r#"{"order_id": "1"}"#, "{\"order_id\": "] {
            let mut desk = Desk::new(&monitor);
            desk.done("get_order", r#"{"order_id": 2}"#, r#"{"status": 1}"#);
            desk.done("get_order", unclear, r#"{"status": 1}"#);
            assert_eq!(
                desk.call("cancel", r#"{"order_id": 1}"#),
                [RefusalKind::Undecidable],
                "{text} after {unclear}"
            );
        }
    }
}

#[test]
fn every_tool_is_counted_and_looked_up_as_any() {
    let monitor = monitor(
        "G (call(cancel) -> count(call(@any)) < 2) & G (call(refund) -> last(@any).status == 1)",
    );
    let mut desk = Desk::new(&monitor);
    desk.done("note", "{}", r#"{"status": 2}"#);
    desk.done("get_order", "{}", r#"{"status": 1}"#);
    assert_eq!(desk.call("refund", "{}"), []);
    assert_eq!(desk.call("cancel", "{}"), [RefusalKind::Violated]);
}

#[test]
fn what_is_known_to_have_no_value_is_given_none() {
    // The absent amount stays out of play, and the other unknown one decides.
    let monitor = monitor(
        "G (call(refund) -> (known(arg.amount) -> arg.amount < 10)) & G (call(cancel) -> arg.amount < 10)",
    );
    let mut desk = Desk::new(&monitor);
    assert_eq!(desk.call("refund", "{}"), []);
    assert_eq!(desk.call("cancel", "{}"), [RefusalKind::Undecidable]);
    let monitor = self::monitor("G (call(refund) -> known(arg.amount) & arg.amount < 10)");
    let mut desk = Desk::new(&monitor);
    assert_eq!(desk.call("refund", "{}"), [RefusalKind::Violated]);
}

#[test]
fn no_value_equals_constants_of_two_kinds() {
    let monitor = monitor(r#"G (call(cancel) -> arg.x == 1 & arg.x == "1")"#);
    let mut desk = Desk::new(&monitor);
    assert_eq!(desk.call("cancel", "{}"), [RefusalKind::Violated]);
}

fn confirmation(reading: ConfirmationReading) -> String {
    let rule = Rule {
        tools: ToolPattern::tools(["cancel", "refund"]).unwrap(),
        body: Body::Confirmation { listed: Vec::new() },
        for_each: Vec::new(),
    };
    print_formula(&rule.obligation(reading).guarantee)
}

#[test]
fn one_yes_serves_one_action_or_a_batch() {
    for (reading, second) in [
        (ConfirmationReading::PerAction, vec![RefusalKind::Violated]),
        (ConfirmationReading::Batch, vec![]),
    ] {
        let monitor = monitor(&confirmation(reading));
        let mut desk = Desk::new(&monitor);
        desk.user("Please cancel my order.");
        assert_eq!(desk.call("cancel", "{}"), [RefusalKind::Violated]);
        desk.agent("I will cancel order A1. Shall I go ahead?");
        desk.user("Yes, go ahead.");
        desk.done("cancel", "{}", "{}");
        assert_eq!(desk.call("refund", "{}"), second);
        desk.agent("And refund it to your card?");
        desk.user("No, leave it.");
        assert_eq!(desk.call("refund", "{}"), [RefusalKind::Violated]);
    }
}

#[test]
fn a_spent_yes_is_named() {
    let monitor = monitor(&confirmation(ConfirmationReading::PerAction));
    let mut desk = Desk::new(&monitor);
    desk.agent("I will cancel order A1. Shall I go ahead?");
    desk.user("Yes, go ahead.");
    desk.done("cancel", "{}", "{}");
    desk.turn += 1;
    let call = desk.propose("refund", "{}");
    let reason = desk.session.decide(&call).refusals[0].reason.clone();
    assert!(
        reason.contains("yes was used for an earlier call"),
        "{reason}"
    );
}

#[test]
fn an_unclear_yes_is_undecidable() {
    let monitor = monitor(&confirmation(ConfirmationReading::PerAction));
    let mut desk = Desk::new(&monitor);
    desk.agent("I will cancel order A1. Shall I go ahead?");
    desk.user("I guess so?");
    assert_eq!(desk.call("cancel", "{}"), [RefusalKind::Undecidable]);
}

#[test]
fn details_must_be_named_before_the_yes() {
    let monitor = monitor("G (call(refund) -> listed(arg.amount))");
    let mut desk = Desk::new(&monitor);
    desk.agent("I will refund $12.50 to your card. Is that right?");
    desk.user("Yes");
    assert_eq!(desk.call("refund", r#"{"amount": 12.5}"#), []);
    assert_eq!(
        desk.call("refund", r#"{"amount": 125}"#),
        [RefusalKind::Violated]
    );
}

#[test]
fn a_refusal_leaves_no_trace() {
    let monitor =
        monitor("G (call(cancel) -> count(call(cancel)) == 0) & G (call(note) -> F call(refund))");
    let mut desk = Desk::new(&monitor);
    desk.done("cancel", "{}", "{}");
    let before: Vec<_> = desk
        .session
        .letters()
        .map(|(_, letters, _)| letters.to_vec())
        .collect();
    assert_eq!(desk.call("cancel", "{}"), [RefusalKind::Violated]);
    let after: Vec<_> = desk
        .session
        .letters()
        .map(|(_, letters, _)| letters.to_vec())
        .collect();
    assert_eq!(before, after);
    assert_eq!(desk.session.agent(), Verdict::Active);
}

#[test]
fn a_withheld_call_counts_for_nothing_but_its_answer_is_a_fact() {
    let monitor = monitor(PENDING);
    let mut desk = Desk::new(&monitor);
    let look = desk.propose("get_order", r#"{"order_id": "A1"}"#);
    desk.session.withhold(&look);
    desk.answer(1, Outcome::Ok, r#"{"status": "pending"}"#);
    assert_eq!(desk.call("cancel", r#"{"order_id": "A1"}"#), []);
}

#[test]
fn in_audit_a_refused_call_stays_and_its_contract_goes_on() {
    let monitor = monitor("G (call(cancel) -> count(ok(cancel)) == 0)");
    let mut desk = Desk::new(&monitor);
    desk.done("cancel", "{}", "{}");
    desk.turn += 1;
    let again = desk.propose("cancel", "{}");
    assert!(!desk.session.decide(&again).is_allowed());
    desk.session.admit(&again);
    desk.answer(2, Outcome::Ok, "{}");
    assert_eq!(desk.session.agent(), Verdict::Fail, "it sticks to the run");
    assert_eq!(
        desk.call("cancel", "{}"),
        [RefusalKind::Violated],
        "and the contract still guards"
    );
    assert_eq!(desk.call("note", "{}"), []);
}

#[test]
fn what_is_pending_fails_at_the_end() {
    let monitor = monitor("G (ok(refund) -> F call(note))");
    let mut desk = Desk::new(&monitor);
    assert_eq!(desk.call("note", "{}"), []);
    desk.done("refund", "{}", "{}");
    assert_eq!(desk.session.clone().finish().len(), 1);
    assert_eq!(desk.call("note", "{}"), []);
    assert_eq!(desk.session.finish(), []);
}

#[test]
fn a_broken_assumption_makes_a_contract_idle_but_an_unknown_one_does_not() {
    let library = library(&[(
        r#"G (ok(get_order) -> result.source == "trusted")"#,
        "G !call(refund)",
    )]);
    let monitor = Monitor::new(&library).unwrap();
    let mut desk = Desk::new(&monitor);
    desk.done("get_order", "{}", r#"{"other": 1}"#);
    assert_eq!(
        desk.call("refund", "{}"),
        [RefusalKind::Undecidable],
        "unknown is not broken, though it may be"
    );
    desk.done("get_order", "{}", r#"{"source": "web"}"#);
    assert_eq!(desk.session.env(), Verdict::Idle);
    assert_eq!(desk.call("refund", "{}"), []);
}

#[test]
fn an_unknown_tool_is_refused() {
    let monitor = monitor("G !call(refund)");
    let mut desk = Desk::new(&monitor);
    assert_eq!(desk.call("rm", "{}"), [RefusalKind::UnknownTool]);
}

#[test]
fn unreadable_arguments_are_undecidable() {
    let monitor = monitor("G (call(refund) -> arg.amount < 10)");
    let mut desk = Desk::new(&monitor);
    assert_eq!(
        desk.call("refund", "{\"amount\": "),
        [RefusalKind::Undecidable]
    );
    assert_eq!(
        desk.call("refund", r#"{"amount": "5"}"#),
        [RefusalKind::Undecidable],
        "text is no number"
    );
    assert_eq!(desk.call("refund", r#"{"amount": 5}"#), []);
    assert_eq!(
        desk.call("refund", r#"{"amount": 10}"#),
        [RefusalKind::Violated]
    );
}

#[test]
fn constants_of_one_term_exclude_each_other() {
    // Whatever the reason is, it is not both, so the call is refused for good.
    let monitor = monitor(r#"G (call(cancel) -> ctx.reason == "late" & ctx.reason == "lost")"#);
    let mut desk = Desk::new(&monitor);
    assert_eq!(desk.call("cancel", "{}"), [RefusalKind::Violated]);
}

#[test]
fn the_machine_agrees_with_the_direct_semantics() {
    let guarantee = "G (call(refund) -> O ok(get_order)) & G (ok(refund) -> F call(note)) & (!call(cancel) W call(note))";
    let monitor = monitor(guarantee);
    let mut desk = Desk::new(&monitor);
    let script = [
        ("refund", "{}"),
        ("get_order", "{}"),
        ("refund", "{}"),
        ("cancel", "{}"),
        ("note", "{}"),
        ("cancel", "{}"),
    ];
    for (tool, arguments) in script {
        if desk.call(tool, arguments).is_empty() {
            desk.answer(desk.calls, Outcome::Ok, "{}");
        }
        for (formula, letters, accepts) in desk.session.letters() {
            let holds = lictor_ltlf::semantics::holds(formula, letters, |letter, literal| {
                letter.contains(literal)
            });
            assert_eq!(holds, accepts, "after {tool}");
        }
    }
}

#[test]
fn a_class_that_nobody_expanded_is_no_monitor() {
    for guarantee in [
        "G (call(@write) -> arg.amount < 10)",
        "G (call(refund) -> count(ok(@read)) > 0)",
        "G (call(refund) -> last(@read).status == 1)",
    ] {
        let error = Monitor::new(&library(&[("true", guarantee)])).unwrap_err();
        assert!(error.to_string().contains("stands for no tool"), "{error}");
    }
    assert!(Monitor::new(&library(&[("true", "G (call(@any) -> turn.calls <= 1)")])).is_ok());
}

#[test]
fn a_formula_that_does_not_parse_is_no_monitor() {
    let error = Monitor::new(&library(&[("true", "G (call(")])).unwrap_err();
    assert!(error.to_string().contains("compile the library again"));
    let parsed: Formula = parse_formula("G !call(refund)", Mode::Strict)
        .unwrap()
        .value;
    assert_eq!(print_formula(&parsed), "G !call(refund)");
}
