use super::*;
use lictor_contract::event::Outcome;

/// The run of these messages.
fn run(messages: &[&str], executed: &[(&str, bool)]) -> Run {
    let envelope = Envelope {
        executed: executed
            .iter()
            .map(|(place, value)| ((*place).to_owned(), *value))
            .collect(),
        ..Envelope::default()
    };
    let mut session = Session::new("r".into(), "f".into(), Format::Chat, envelope, None);
    for message in messages {
        session.message(message);
    }
    session.finish()
}

/// Events as `t1 user`, `t2 agent`, `t2 c0 tool/size`, `c0 ok value`, joined.
fn shown(run: &Run) -> String {
    let events = run.events.iter().map(|recorded| match &recorded.event {
        Event::User { turn, .. } => format!("t{} user", turn.0),
        Event::Agent { turn, .. } => format!("t{} agent", turn.0),
        Event::Call(call) => format!(
            "t{} c{} {}/{}",
            call.turn.0,
            call.id.0,
            call.tool,
            call.turn_size.unwrap()
        ),
        Event::Return(ret) => {
            let outcome = if ret.outcome == Outcome::Ok {
                "ok"
            } else {
                "error"
            };
            format!("c{} {outcome} {}", ret.call.0, ret.result)
        }
        Event::Context { .. } => "context".into(),
    });
    events.collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn check(messages: &[&str], expected: &str, oddities: &[&str]) -> Run {
    let run = run(messages, &[]);
    assert_eq!(shown(&run), expected);
    let told: Vec<&str> = run
        .oddities
        .iter()
        .map(|oddity| oddity.text.as_str())
        .collect();
    assert_eq!(told.len(), oddities.len(), "{told:?}");
    for (told, expected) in told.iter().zip(oddities) {
        assert!(told.contains(expected), "`{told}` lacks `{expected}`");
    }
    run
}

const USER: &str = r#"{"role": "user", "content": "please"}"#;

/// An assistant message with calls `id:tool`.
fn calls(text: &str, calls: &[&str]) -> String {
    let calls: Vec<String> = calls
        .iter()
        .map(|call| {
            let (id, tool) = call.split_once(':').unwrap();
            format!(r#"{{"id": "{id}", "type": "function", "function": {{"name": "{tool}", "arguments": "{{}}"}}}}"#)
        })
        .collect();
    format!(
        r#"{{"role": "assistant", "content": "{text}", "tool_calls": [{}]}}"#,
        calls.join(", ")
    )
}

fn result(id: &str, content: &str) -> String {
    format!(r#"{{"role": "tool", "tool_call_id": "{id}", "content": "{content}"}}"#)
}

#[test]
fn messages_open_turns_and_text_comes_before_calls() {
    let run = check(
        &[
            r#"{"role": "system", "content": "policy"}"#,
            USER,
            &calls("let me see", &["a:f", "b:g"]),
            &result("b", "2"),
            &result("a", "1"),
            r#"{"role": "assistant", "content": "done"}"#,
        ],
        "t1 user; t2 agent; t2 c0 f/2; t2 c1 g/2; c1 ok 2; c0 ok 1; t3 agent",
        &[],
    );
    let places: Vec<(usize, usize, &str)> = run
        .events
        .iter()
        .map(|recorded| {
            (
                recorded.message,
                recorded.position,
                recorded.call_id.as_str(),
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            (1, 0, ""),
            (2, 0, ""),
            (2, 0, "a"),
            (2, 1, "b"),
            (3, 0, "b"),
            (4, 0, "a"),
            (5, 0, "")
        ]
    );
}

#[test]
fn empty_ids_pair_by_order() {
    check(
        &[
            &calls("", &[":f"]),
            &result("", "1"),
            &calls("", &[":f", ":g"]),
            &result("", "2"),
            &result("", "3"),
        ],
        "t1 c0 f/1; c0 ok 1; t2 c1 f/2; t2 c2 g/2; c1 ok 2; c2 ok 3",
        &[],
    );
}

#[test]
fn an_id_used_again_means_the_nearest_open_call() {
    check(
        &[
            &calls("", &["c:f"]),
            &result("c", "1"),
            &calls("", &["c:g"]),
            &result("c", "2"),
        ],
        "t1 c0 f/1; c0 ok 1; t2 c1 g/1; c1 ok 2",
        &[],
    );
    check(
        &[
            &calls("", &["c:f"]),
            &calls("", &["c:g"]),
            &result("c", "2"),
        ],
        "t1 c0 f/1; t2 c1 g/1; c1 ok 2",
        &["the call of `f` has no result"],
    );
}

#[test]
fn an_id_twice_in_one_message_pairs_by_order_or_not_at_all() {
    check(
        &[
            &calls("", &["c:f", "c:f"]),
            &result("c", "1"),
            &result("c", "2"),
        ],
        "t1 c0 f/2; t1 c1 f/2; c0 ok 1; c1 ok 2",
        &["repeated within one message", "repeated within one message"],
    );
    check(
        &[&calls("", &["c:f", "c:f"]), &result("c", "1")],
        "t1 c0 f/2; t1 c1 f/2",
        &["cannot be told", "no result", "no result"],
    );
    check(
        &[
            &calls("", &["c:f", "c:g"]),
            r#"{"role": "tool", "tool_call_id": "c", "name": "g", "content": "1"}"#,
        ],
        "t1 c0 f/2; t1 c1 g/2; c1 ok 1",
        &["the call of `f` has no result"],
    );
}

#[test]
fn results_without_a_call_are_told() {
    check(
        &[USER, &result("x", "1")],
        "t1 user",
        &["answers no open call", "no call in the whole run"],
    );
    check(
        &[&calls("", &["a:f"]), &result("a", "1"), &result("a", "2")],
        "t1 c0 f/1; c0 ok 1",
        &["a second result"],
    );
    check(
        &[
            &calls("", &["a:f", "b:g"]),
            &result("a", "1"),
            &result("z", "2"),
        ],
        "t1 c0 f/2; t1 c1 g/2; c0 ok 1",
        &["`z` answers no open call", "the call of `g` has no result"],
    );
    check(
        &[
            &calls("", &["a:f", "b:g"]),
            &result("y", "1"),
            &result("z", "2"),
        ],
        "t1 c0 f/2; t1 c1 g/2; c0 ok 1; c1 ok 2",
        &["by order", "by order"],
    );
}

#[test]
fn the_user_s_side_makes_neither_calls_nor_facts() {
    check(
        &[
            r#"{"role": "user", "content": null, "tool_calls": [{"id": "u", "name": "reboot", "arguments": {}, "requestor": "user"}]}"#,
            r#"{"role": "tool", "id": "u", "content": "ok", "requestor": "user", "error": false}"#,
            r#"{"role": "user", "content": null, "tool_calls": [{"id": "v", "name": "reboot", "arguments": {}}]}"#,
            r#"{"role": "tool", "id": "v", "content": "ok"}"#,
            &calls("", &["a:f"]),
            r#"{"tool_messages": [{"role": "tool", "id": "a", "content": "1", "requestor": "assistant"}]}"#,
        ],
        "t1 c0 f/1; c0 ok 1",
        &[],
    );
}

/// A result in a message of the user, as Anthropic has it, perhaps with words.
fn block(id: &str, content: &str, words: &str) -> String {
    let words = match words {
        "" => String::new(),
        words => format!(r#", {{"type": "text", "text": "{words}"}}"#),
    };
    format!(
        r#"{{"role": "user", "content": [{{"type": "tool_result", "tool_use_id": "{id}", "content": "{content}"}}{words}]}}"#
    )
}

#[test]
fn results_in_the_user_s_messages_come_before_the_user_s_words() {
    let uses = r#"{"role": "assistant", "content": [{"type": "text", "text": "wait"},
        {"type": "tool_use", "id": "a", "name": "f", "input": {}},
        {"type": "tool_use", "id": "b", "name": "g", "input": {"x": 1}}]}"#;
    let run = check(
        &[
            USER,
            uses,
            &block("b", "2", ""),
            &block("a", "1", "and now?"),
            uses,
            &block("a", "3", ""),
            &block("b", "4", ""),
        ],
        "t1 user; t2 agent; t2 c0 f/2; t2 c1 g/2; c1 ok 2; c0 ok 1; t3 user; \
         t4 agent; t4 c2 f/2; t4 c3 g/2; c2 ok 3; c3 ok 4",
        &[],
    );
    assert_eq!(run.format, Format::Anthropic);
    assert_eq!(
        check(
            &[USER, &calls("", &["a:f"]), &result("a", "1")],
            "t1 user; t2 c0 f/1; c0 ok 1",
            &[]
        )
        .format,
        Format::Chat
    );
}

#[test]
fn events_have_the_time_of_their_message() {
    let run = check(
        &[
            r#"{"role": "user", "content": "hi", "timestamp": "2025-06-01T10:00:00"}"#,
            r#"{"role": "assistant", "content": "so", "created_at": "2025-06-01T10:00:01Z",
                "tool_calls": [{"id": "a", "name": "f", "arguments": {}}]}"#,
            r#"{"role": "tool", "id": "a", "content": "1", "time": "2025-06-01T10:00:02+01:00"}"#,
            r#"{"role": "assistant", "content": "done", "timestamp": 1700000000}"#,
            r#"{"role": "user", "content": "thanks", "timestamp": 1700000001}"#,
        ],
        "t1 user; t2 agent; t2 c0 f/1; c0 ok 1; t3 agent; t4 user",
        &["1700000000"],
    );
    let times: Vec<&str> = run
        .events
        .iter()
        .map(|recorded| recorded.at.as_deref().unwrap_or("-"))
        .collect();
    assert_eq!(
        times,
        [
            "2025-06-01T10:00:00",
            "2025-06-01T10:00:01Z",
            "2025-06-01T10:00:01Z",
            "2025-06-01T10:00:02+01:00",
            "-",
            "-"
        ]
    );
}

#[test]
fn a_run_without_calls_is_never_silent() {
    check(&[USER], "t1 user", &["no call in the whole run"]);
    check(&[], "", &["no message in the whole run"]);
    check(
        &[
            USER,
            r#"{"role": "assistant", "content": "{\"name\": \"f\"}", "tool_calls": null}"#,
        ],
        "t1 user; t2 agent",
        &["no call in the whole run"],
    );
}

#[test]
fn a_stopped_call_is_kept_and_its_result_is_no_fact() {
    let run = run(
        &[
            &calls("", &["a:f", "b:g"]),
            &result("a", "1"),
            &result("b", "2"),
        ],
        &[("m0.c0", false), ("m0.c1", true), ("m9.c0", false)],
    );
    assert_eq!(shown(&run), "t1 c0 f/2; t1 c1 g/2; c1 ok 2");
    let executed: Vec<bool> = run
        .events
        .iter()
        .map(|recorded| recorded.executed)
        .collect();
    assert_eq!(executed, [false, true, true]);
    assert_eq!(run.oddities.len(), 1);
    assert!(run.oddities[0].text.contains("m9.c0"));
}

#[test]
fn a_stopped_call_is_known_in_every_dialect() {
    let dialects = [
        (
            r#"{"sender": "bank assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}"#,
            r#"{"tool_call_id": "a", "tool_name": "f", "content": "True"}"#,
        ),
        (
            r#"{"role": "assistant", "tool_calls": [{"id": "a", "function": "f", "args": {}}]}"#,
            r#"{"role": "tool", "tool_call_id": "a", "content": "1", "error": null}"#,
        ),
        (
            r#"{"role": "assistant", "content": [{"type": "text", "text": ""}, {"type": "tool_use", "id": "a", "name": "f", "input": {}}]}"#,
            r#"{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]}"#,
        ),
        (
            r#"{"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": {}}]}"#,
            r#"{"role": "tool", "id": "a", "content": "1", "error": false}"#,
        ),
    ];
    for (call, result) in dialects {
        let stopped = run(&[call, result], &[("m0.c0", false)]);
        assert_eq!(shown(&stopped), "t1 c0 f/1", "{call}");
        assert!(!stopped.events[0].executed);
        assert_eq!(stopped.oddities, [], "{call}");
        assert_eq!(run(&[call, result], &[]).events.len(), 2, "{call}");
    }
}

#[test]
fn many_unanswered_calls_take_linear_time() {
    let call = calls("", &[":f"]);
    let mut messages = vec![call.as_str(); 20_000];
    let answer = result("", "1");
    messages.extend(vec![answer.as_str(); 1]);
    assert_eq!(run(&messages, &[]).events.len(), 20_001);
}
