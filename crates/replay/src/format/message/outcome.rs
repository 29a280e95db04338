//! Whether a result tells of a failure. The mark belongs to the dialect, and
//! text counts by how it starts alone: the words also occur in data.

use super::Content;
use crate::format::sopbench;
use crate::json::{self, Members};
use lictor_contract::decode;
use lictor_contract::event::Outcome;

/// Keys beside the content that tell: tau2 and AgentDojo have `error`,
/// Anthropic and MCP `is_error`, the latter also as `isError`.
const FLAGS: [&str; 3] = ["error", "is_error", "isError"];

/// How the call ended. A flag decides where there is one; where there is none,
/// SOPBench shows the exception that was raised and all others put `Error`
/// before what went wrong.
pub(super) fn of(members: &Members<'_>, content: &Content) -> Outcome {
    let failed = if FLAGS.iter().any(|key| members.has(key)) {
        let mut flags = FLAGS.iter().filter_map(|key| members.get(key));
        flags.any(says_so)
    } else {
        content.start().is_some_and(|start| {
            if sopbench::is_result(members) {
                decode::is_error(start)
            } else {
                start.starts_with("Error")
            }
        })
    };
    if failed { Outcome::Error } else { Outcome::Ok }
}

/// What went wrong, where AgentDojo tells it beside a content that is blank.
pub(super) fn told_beside(members: &Members<'_>, content: &Content) -> Option<String> {
    let told = members.string("error").filter(|_| content.is_blank())?;
    (!told.trim().is_empty()).then_some(told)
}

/// Whether a flag that is not null says that something went wrong.
fn says_so(raw: &str) -> bool {
    match json::string(raw) {
        Some(text) => !text.trim().is_empty(),
        None => !matches!(raw, "false" | "0" | "[]" | "{}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, failed: bool) {
        let members = Members::of(text).unwrap();
        let content = Content::read(members.get("content"), &mut Vec::new());
        assert_eq!(of(&members, &content) == Outcome::Error, failed, "{text}");
    }

    #[test]
    fn a_flag_decides_where_there_is_one() {
        check(r#"{"content": "no", "error": true}"#, true);
        check(r#"{"content": "Error: x", "error": false}"#, false);
        check(r#"{"content": "Error: x", "error": null}"#, false);
        check(r#"{"content": "", "error": "ValueError: no"}"#, true);
        check(r#"{"content": "fine", "error": ""}"#, false);
        check(r#"{"content": "fine", "error": 0}"#, false);
        check(r#"{"content": "fine", "error": {}}"#, false);
        check(r#"{"content": "no", "error": {"code": 1}}"#, true);
        check(r#"{"content": "{}", "is_error": true}"#, true);
        check(r#"{"content": "Error: x", "is_error": false}"#, false);
        check(
            r#"{"content": "no", "error": null, "is_error": true}"#,
            true,
        );
        check(r#"{"content": "no", "isError": true}"#, true);
    }

    #[test]
    fn without_a_flag_the_start_of_the_text_tells() {
        check(r#"{"content": "Error: no such order"}"#, true);
        check(r#"{"content": "no Error here"}"#, false);
        check(r#"{"content": "{\"error\": null, \"ok\": true}"}"#, false);
        check(r#"{"content": {"error": "in data"}}"#, false);
        check(r#"{"content": [{"type": "text", "text": "Error"}]}"#, true);
        check(r#"{"content": "Verification failed; error 7"}"#, false);
        check(r#"{"content": "KeyError: 'x'"}"#, false);
        check(r#"{"content": null}"#, false);
    }

    #[test]
    fn sopbench_shows_exceptions() {
        let check = |content: &str, failed| {
            check(
                &format!(r#"{{"tool_call_id": "c", "tool_name": "f", "content": "{content}"}}"#),
                failed,
            );
        };
        check("KeyError: 'x'", true);
        check("Error: Tool f not found.", true);
        check("(True, 300)", false);
        check("Errors are rare", false);
    }
}
