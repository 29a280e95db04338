//! SOPBench runs: `interaction` with `evaluation` beside it.
//!
//! Its messages have no role: a `sender` is "user" or `<domain> assistant`, and
//! a result has `tool_call_id` and `tool_name` and no sender. A result is the
//! Python repr of what the tool returned, or the exception that it raised.

use super::{About, first_text};
use crate::format::message::Role;
use crate::json::{self, Members};

/// Whether an object is a run.
pub(super) fn is_run(members: &Members<'_>) -> bool {
    let Some(messages) = messages(members) else {
        return false;
    };
    members.has("evaluation")
        || messages
            .first()
            .and_then(|first| Members::of(first))
            .is_some_and(|first| first.string("sender").is_some())
}

/// The messages.
pub(super) fn messages<'a>(members: &Members<'a>) -> Option<Vec<&'a str>> {
    members.get("interaction").and_then(json::elements)
}

/// The label: whether the benchmark's own evaluation was a success.
pub(super) fn about(members: &Members<'_>) -> About {
    About {
        id: first_text(members, &["id", "run_id"]),
        pass: members
            .object("evaluation")
            .and_then(|evaluation| evaluation.truth("success")),
        ..About::default()
    }
}

/// Who wrote a message without a role.
///
/// # Errors
/// A sentence that says why nobody knows.
pub(super) fn role(members: &Members<'_>) -> Result<Role, String> {
    match members.string("sender").as_deref() {
        Some("system") => Ok(Role::System),
        Some("user") => Ok(Role::User),
        Some(sender) if sender == "assistant" || sender.ends_with(" assistant") => {
            Ok(Role::Assistant)
        }
        Some(other) => Err(format!(
            "the sender `{other}` is not known; the message was passed over"
        )),
        None if is_result(members) => Ok(Role::Tool),
        None => Err("the message has no role and was passed over".into()),
    }
}

/// Whether a message is a result in this dialect.
pub(super) fn is_result(members: &Members<'_>) -> bool {
    members.has("tool_name")
        && members.has("tool_call_id")
        && !members.has("role")
        && !members.has("sender")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senders_are_roles() {
        let role = |text: &str| role(&Members::of(text).unwrap());
        assert_eq!(role(r#"{"sender": "user"}"#), Ok(Role::User));
        assert_eq!(
            role(r#"{"sender": "online market assistant"}"#),
            Ok(Role::Assistant)
        );
        assert_eq!(
            role(r#"{"tool_call_id": "c", "tool_name": "f", "content": "True"}"#),
            Ok(Role::Tool)
        );
        for text in [
            r#"{"sender": "narrator"}"#,
            r#"{"content": "True"}"#,
            r#"{"sender": 3}"#,
            r#"{"sender": null, "tool_call_id": "c", "tool_name": "f"}"#,
        ] {
            assert!(role(text).unwrap_err().contains("passed over"), "{text}");
        }
    }

    #[test]
    fn the_label_is_the_benchmark_s_own() {
        let pass = |text: &str| about(&Members::of(text).unwrap()).pass;
        assert_eq!(pass(r#"{"evaluation": {"success": true}}"#), Some(true));
        assert_eq!(pass(r#"{"evaluation": {"success": false}}"#), Some(false));
        assert_eq!(pass(r#"{"evaluation": {}}"#), None);
        assert_eq!(pass("{}"), None);
    }
}
