//! `lictor transcripts` names what it recognised.

use crate::support::{Desk, root};

/// A call and its result as each format has them, with a label where it has one.
const RUNS: [(&str, &str); 6] = [
    (
        "agentdojo",
        r#"{"user_task_id": "u", "utility": true, "messages": [
            {"role": "assistant", "content": "<function_call>[g()]</function_call>",
             "tool_calls": [{"function": "f", "args": {}, "id": "a"}]},
            {"role": "tool", "tool_call_id": "a", "content": "1", "error": null}]}"#,
    ),
    (
        "anthropic",
        r#"[{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]}]"#,
    ),
    (
        "chat",
        r#"[{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "1"}]"#,
    ),
    (
        "sopbench",
        r#"{"evaluation": {"success": false}, "interaction": [
            {"sender": "bank assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]},
            {"tool_call_id": "a", "tool_name": "f", "content": "True"}]}"#,
    ),
    (
        "tau-bench",
        r#"{"task_id": 1, "reward": 1.0, "traj": [
            {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "1"}]}"#,
    ),
    (
        "tau2",
        r#"{"reward_info": {"reward": 0.0}, "messages": [
            {"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": {}, "requestor": "assistant"}]},
            {"role": "tool", "id": "a", "content": "1", "requestor": "assistant", "error": false}]}"#,
    ),
];

#[test]
fn each_format_is_named() {
    let desk = Desk::new();
    for (format, text) in RUNS {
        desk.write(&format!("{format}.json"), text);
    }
    insta::assert_snapshot!(desk.run(&["transcripts", "."]).shown());
    let lines = desk.run(&["transcripts", ".", "--format", "jsonl"]);
    assert_eq!(lines.code, 0);
    for ((format, _), line) in RUNS.iter().zip(lines.out.lines()) {
        assert!(line.contains(&format!(r#""format":"{format}""#)), "{line}");
    }
}

#[test]
fn the_page_names_each_format() {
    let page = std::fs::read_to_string(root().join("docs/transcripts.md")).unwrap_or_default();
    for (format, _) in RUNS {
        assert!(page.contains(&format!("\n| `{format}` |")), "{format}");
    }
}
