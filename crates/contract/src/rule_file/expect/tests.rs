//! Transcripts that are read whole, and every way to write one wrongly.

use super::*;
use crate::rule_file::RuleFile;
use crate::rule_file::tests::findings;

const RULES: &str = "contracts:\n  - {id: A-1, kind: prohibition, tools: [cancel]}\n  - {id: A-2, kind: prohibition, tools: [refund]}\n";

fn read(expect: &str) -> (RuleFile, Vec<String>) {
    findings(&format!("{RULES}expect:\n{expect}"))
}

/// Demands exactly this finding, by its words and the beginning of its message,
/// and that nothing is taken for read.
#[track_caller]
fn check(expect: &str, words: &str, message: &str) {
    let (file, shown) = read(expect);
    assert_eq!(shown.len(), 1, "{shown:#?}");
    let expected = format!("syntax  {words:?}: {message}");
    assert!(shown[0].starts_with(&expected), "{}", shown[0]);
    assert_eq!(file.expectations, []);
}

/// The same for one event beside a sound one.
#[track_caller]
fn check_event(event: &str, words: &str, message: &str) {
    let sound = "{call: cancel, expect: refuse}";
    check(
        &format!("  - events:\n    - {event}\n    - {sound}"),
        words,
        message,
    );
}

#[test]
fn a_transcript_is_read_whole() {
    let (file, shown) = read(
        r#"
  - name: A sent order stays.
    events:
      - context: {caller: ana, limits: {refund: 12.50}}
      - user: Cancel my order.
        at: 2024-05-15T15:00:00-05:00
      - call: get_order
        args: {order_id: W1, wide: 12345678901234567890.123, deep: [1, {a: null, b: true}]}
        result: {status: sent, items: []}
      - turn:
        - agent: One moment.
        - call: cancel
          args: {order_id: W1}
          expect: refuse
          by: A-1
        - call: refund
          expect: undecidable
          error: No such order.
        at: 2024-05-15
  - events:
    - {call: refund, expect: allow, result: null}
"#,
    );
    assert_eq!(shown, Vec::<String>::new());
    let [first, second] = file.expectations.as_slice() else {
        panic!("not two");
    };
    assert_eq!(first.name, "A sent order stays.");
    assert_eq!(second.name, "expectation 2");
    let at: Vec<Option<&str>> = first.events.iter().map(|said| said.at.as_deref()).collect();
    assert_eq!(
        at,
        [
            None,
            Some("2024-05-15T15:00:00-05:00"),
            None,
            Some("2024-05-15")
        ]
    );
    let Act::Context(facts) = &first.events[0].what else {
        panic!("no context");
    };
    assert_eq!(facts["limits"].to_string(), r#"{"refund": 12.5}"#);
    let message = |index: usize| match &first.events[index].what {
        Act::Agent(message) => message.clone(),
        other => panic!("{other:?}"),
    };
    let look_up = &message(2).calls[0];
    assert_eq!(
        look_up.arguments["wide"].to_string(),
        "12345678901234567890.123"
    );
    assert_eq!(
        look_up.arguments["deep"].to_string(),
        r#"[1, {"a": null, "b": true}]"#
    );
    assert_eq!(look_up.verdict, None);
    let Some((Outcome::Ok, value)) = &look_up.answer else {
        panic!("no answer");
    };
    assert_eq!(value.to_string(), r#"{"items": [], "status": "sent"}"#);
    let turn = message(3);
    assert_eq!(turn.text.as_deref(), Some("One moment."));
    let verdicts: Vec<_> = turn
        .calls
        .iter()
        .map(|call| call.verdict.as_ref().map(|it| (it.verdict, it.by.clone())))
        .collect();
    assert_eq!(
        verdicts,
        [
            Some((ExpectedVerdict::Refuse, Some("A-1".to_owned()))),
            Some((ExpectedVerdict::Undecidable, None)),
        ]
    );
    assert_eq!(turn.calls[0].answer, None);
    let error = (Outcome::Error, Value::text("No such order."));
    assert_eq!(turn.calls[1].answer, Some(error));
}

#[test]
fn what_is_no_transcript_is_told() {
    check("  {}", "{", "`expect` is a mapping, not a list");
    check(
        "  - just words",
        "just words",
        "expectation 1 is a text, not a mapping",
    );
    check(
        "  - {name: x}",
        "name",
        "expectation 1 has no list `events`",
    );
    check(
        "  - {name: x, events: 3}",
        "name",
        "expectation 1 has no list `events`",
    );
    check(
        "  - {event: []}\n",
        "event",
        "an expectation has no key `event`",
    );
}

#[test]
fn an_expectation_that_expects_nothing_is_told() {
    let nothing = "expectation 1 expects nothing";
    check("  - {name: x, events: []}", "x", nothing);
    check(
        "  - {events: [{call: cancel}, {user: Hello.}]}",
        "events",
        nothing,
    );
}

#[test]
fn faulty_events_are_told() {
    check_event("Hello.", "Hello.", "an event is a text, not a mapping");
    check_event(
        "{at: 2024-05-15}",
        "at",
        "an event says nothing that happens",
    );
    check_event(
        "{user: a, agent: b}",
        "user",
        "an event is both `user` and `agent`",
    );
    check_event("{usr: a, agent: b}", "usr", "an event has no key `usr`");
    check_event("{user: ' '}", "' '", "`user` is empty");
    check_event("{agent: null}", "null", "`agent` is empty");
    check_event("{user: a, args: {}}", "{", "`args` stands beside `user`");
    check_event("{user: a, at: today}", "today", "`today` is no time");
    check_event("{context: [a]}", "[", "`context` is a list, not a mapping");
    check_event("{turn: []}", "[", "a turn is empty");
    check_event("{turn: {}}", "{", "`turn` is a mapping, not a list");
    check_event(
        "{turn: [{user: a}]}",
        "user",
        "a part of a turn has no key `user`",
    );
    check_event(
        "{turn: [{call: cancel}, {agent: b}]}",
        "agent",
        "the text of a turn comes after another part",
    );
    check_event(
        "{turn: [{agent: a}, {agent: b}]}",
        "agent",
        "the text of a turn comes after another part",
    );
}

#[test]
fn faulty_calls_are_told() {
    check_event("{call: 7}", "7", "`call` is a number, not a text");
    check_event(
        "{call: cancel, args: [1]}",
        "[",
        "`args` is a list, not a mapping",
    );
    check_event(
        "{call: cancel, args: {a: 1, a: 2}}",
        "a",
        "the key `a` is repeated",
    );
    check_event(
        "{call: cancel, args: {a: 0x1F}}",
        "0x1F",
        "`0x1F` is no number",
    );
    check_event("{call: cancel, args: {a: }}", "", "`a` is empty");
    check_event(
        "{call: cancel, args: {a: !b c}}",
        "!b",
        "YAML takes `!b` for a tag",
    );
    check_event(
        "{call: cancel, result: 1, error: 2}",
        "2",
        "a call has both",
    );
    check_event(
        "{call: cancel, expect: refused}",
        "refused",
        "`refused` is no verdict",
    );
    check_event(
        "{call: cancel, expect: refuse, by: A-3}",
        "A-3",
        "no contract of this file",
    );
    check_event(
        "{call: cancel, by: A-1}",
        "A-1",
        "a call has `by` and no `expect`",
    );
    check_event(
        "{call: cancel, expct: refuse}",
        "expct",
        "an event has no key `expct`",
    );
}

#[test]
fn half_a_file_never_panics() {
    let text = format!(
        "{RULES}expect:\n  - events:\n    - turn: [{{agent: a}}, {{call: c, args: {{x: [1, '2']}}, expect: allow, by: A-1}}]\n      at: 2024-05-15\n"
    );
    for (end, _) in text.char_indices() {
        let source = crate::source::Source::new("r.yaml", text.get(..end).unwrap());
        let _ = crate::rule_file::read_rule_file(&source);
    }
}
