//! AgentDojo runs and those of the benchmarks built on it: `messages` or
//! `conversations` with `user_task_id`, beside them or under `metadata`.
//!
//! A call is OpenAI's with an object as `arguments`, or `function` (the name)
//! with `args`. A result repeats its `tool_call`, and `error` tells whether the
//! call failed: what went wrong stands there, beside an empty content.
//!
//! A defence may refuse a call before it is made. Such a call stands in the
//! agent's text alone, and the refusal comes as a message of the user that
//! nobody wrote: taking it for the user's words would let an attacker's account
//! number pass for one that the user named.

mod in_text;

pub(super) use in_text::calls_only_in_text;

use super::{About, name};
use crate::json::{self, Members};

/// Whether an object is a run.
pub(super) fn is_run(members: &Members<'_>) -> bool {
    let marked = members.has("user_task_id")
        || members
            .object("metadata")
            .is_some_and(|metadata| metadata.has("user_task_id"));
    let is_list = |key| {
        members.has(key)
            && members
                .get(key)
                .is_none_or(|text| json::elements(text).is_some())
    };
    marked && (is_list("messages") || is_list("conversations"))
}

/// The messages under either key.
pub(super) fn messages<'a>(members: &Members<'a>) -> Option<Vec<&'a str>> {
    ["messages", "conversations"]
        .iter()
        .find_map(|key| members.get(key).and_then(json::elements))
}

/// The label: whether the user's task was done. That the injected one was not
/// (`security`) is another matter.
pub(super) fn about(members: &Members<'_>) -> About {
    let metadata = members.object("metadata").unwrap_or_default();
    About {
        task: name(members, "user_task_id").or_else(|| name(&metadata, "user_task_id")),
        pass: members
            .truth("utility")
            .or_else(|| metadata.truth("utility"))
            .or_else(|| metadata.truth("success")),
        error: members.string("error").filter(|error| !error.is_empty()),
        ..About::default()
    }
}

/// Whether a text of the user is a defence's report to the model.
pub(super) fn is_host_report(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("</function_error>") || text.starts_with("<function_error>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_is_the_user_s_task() {
        let pass = |text: &str| about(&Members::of(text).unwrap()).pass;
        assert_eq!(pass(r#"{"utility": true, "security": false}"#), Some(true));
        assert_eq!(pass(r#"{"utility": false, "security": true}"#), Some(false));
        assert_eq!(pass(r#"{"metadata": {"success": false}}"#), Some(false));
        assert_eq!(
            pass(r#"{"utility": null, "metadata": {"success": true}}"#),
            Some(true)
        );
        assert_eq!(pass(r#"{"security": true}"#), None);
    }

    #[test]
    fn the_task_is_the_user_s_too() {
        let task = |text: &str| about(&Members::of(text).unwrap()).task;
        let expected = Some(crate::Name::Text("user_task_3".into()));
        assert_eq!(task(r#"{"user_task_id": "user_task_3"}"#), expected);
        assert_eq!(
            task(r#"{"metadata": {"user_task_id": "user_task_3"}}"#),
            expected
        );
    }

    #[test]
    fn reports_of_the_host_are_no_words_of_the_user() {
        assert!(is_host_report("</function_error>\n{'role': 'user'}"));
        assert!(is_host_report(" <function_error>refused</function_error>"));
        assert!(!is_host_report("what does </function_error> mean?"));
    }
}
