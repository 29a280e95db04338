//! Recognises what a JSON text is by its shape, one module per wrapper.
//!
//! The wrappers differ in where they keep label and names; their messages are
//! read by [`message`], since the chat dialects differ only in the place of a
//! few names and one reader for all leaves no dialect without a wart's cure.

pub mod agentdojo;
pub mod anthropic;
pub mod chat;
pub mod message;
pub mod sopbench;
pub mod tau2;
pub mod tau_bench;

mod envelope;

pub(crate) use envelope::Envelope;

use crate::json::{self, Members};
use crate::run::{Format, Name};

/// What was looked for, in the words of the error message.
pub const LOOKED_FOR: &str = "chat messages (objects with `role`, bare or under `messages`), \
     tau-bench results (`traj` or `messages` with `reward`), \
     tau2 simulations (`messages` with `reward_info`, bare or under `simulations`), \
     SOPBench runs (`interaction` with `evaluation`), \
     AgentDojo runs (`messages` or `conversations` with `user_task_id`)";

/// What a wrapper says about its run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct About {
    /// The source's own run id.
    pub(crate) id: Option<String>,
    /// The task.
    pub(crate) task: Option<Name>,
    /// The trial.
    pub(crate) trial: Option<i64>,
    /// The reward.
    pub(crate) reward: Option<f64>,
    /// Whether the run passed; none if the source does not say.
    pub(crate) pass: Option<bool>,
    /// Why the run ended early, if the source says so.
    pub(crate) error: Option<String>,
}

/// What a JSON text is.
pub(crate) enum Shape<'a> {
    /// One message of a session that has one a line.
    Message,
    /// A whole run in a wrapper.
    Run(Format, Box<Members<'a>>),
    /// An array of messages.
    Messages(Vec<&'a str>),
    /// Several runs.
    Runs(Vec<&'a str>),
    /// Nothing known.
    Unknown,
}

impl<'a> Shape<'a> {
    /// Looks at the outermost members, and at the first element of an array.
    pub(crate) fn of(text: &'a str) -> Shape<'a> {
        if let Some(members) = Members::of(text) {
            return Shape::of_object(members);
        }
        let Some(elements) = json::elements(text) else {
            return Shape::Unknown;
        };
        match elements.first().map(|first| Shape::of_element(first)) {
            Some(Element::Message) => Shape::Messages(elements),
            Some(Element::Run) => Shape::Runs(elements),
            Some(Element::Other) | None => Shape::Unknown,
        }
    }

    fn of_object(members: Members<'a>) -> Shape<'a> {
        if let Some(runs) = tau2::simulations(&members) {
            return Shape::Runs(runs);
        }
        if sopbench::is_run(&members) {
            return Shape::Run(Format::Sopbench, Box::new(members));
        }
        if agentdojo::is_run(&members) {
            return Shape::Run(Format::Agentdojo, Box::new(members));
        }
        if tau2::is_simulation(&members) {
            return Shape::Run(Format::Tau2, Box::new(members));
        }
        if tau_bench::is_result(&members) {
            return Shape::Run(Format::TauBench, Box::new(members));
        }
        if chat::is_session(&members) {
            return Shape::Run(Format::Chat, Box::new(members));
        }
        if message::is_message(&members) {
            return Shape::Message;
        }
        Shape::Unknown
    }

    /// What an array's element is, not looking further than needed.
    fn of_element(text: &str) -> Element {
        if let Some(members) = Members::of(text) {
            return match Shape::of_object(members) {
                Shape::Message => Element::Message,
                Shape::Run(..) => Element::Run,
                _ => Element::Other,
            };
        }
        let first = json::elements(text)
            .and_then(|inner| inner.first().and_then(|first| Members::of(first)));
        match first {
            Some(members) if message::is_message(&members) => Element::Run,
            _ => Element::Other,
        }
    }
}

enum Element {
    Message,
    Run,
    Other,
}

/// The messages of a run in a wrapper; none if the run has none.
pub(crate) fn messages<'a>(format: Format, members: &Members<'a>) -> Option<Vec<&'a str>> {
    match format {
        Format::TauBench => tau_bench::messages(members),
        Format::Sopbench => sopbench::messages(members),
        Format::Agentdojo => agentdojo::messages(members),
        Format::Chat | Format::Anthropic | Format::Tau2 => {
            members.get("messages").and_then(json::elements)
        }
    }
}

/// What the wrapper says about its run.
pub(crate) fn about(format: Format, members: &Members<'_>) -> About {
    match format {
        Format::Chat | Format::Anthropic => chat::about(members),
        Format::Sopbench => sopbench::about(members),
        Format::Agentdojo => agentdojo::about(members),
        Format::TauBench => tau_bench::about(members),
        Format::Tau2 => tau2::about(members),
    }
}

/// The first of these members that is a text which is not blank.
fn first_text(members: &Members<'_>, keys: &[&str]) -> Option<String> {
    keys.iter()
        .filter_map(|key| members.string(key))
        .find(|text| !text.trim().is_empty())
}

/// A member that names a task.
fn name(members: &Members<'_>, key: &str) -> Option<Name> {
    members
        .integer(key)
        .map(Name::Number)
        .or_else(|| members.string(key).map(Name::Text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = match Shape::of(text) {
            Shape::Message => "message".to_owned(),
            Shape::Run(format, members) => format!(
                "{format} {:?}",
                messages(format, &members).map(|messages| messages.len())
            ),
            Shape::Messages(messages) => format!("{} messages", messages.len()),
            Shape::Runs(runs) => format!("{} runs", runs.len()),
            Shape::Unknown => "unknown".to_owned(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn shapes_are_told_apart() {
        check(r#"{"role": "user", "content": "hi"}"#, "message");
        check(r#"{"tool_messages": [{"role": "tool"}]}"#, "message");
        check(r#"[{"role": "user"}, {"role": "assistant"}]"#, "2 messages");
        check(r#"{"messages": [{"role": "user"}]}"#, "chat Some(1)");
        check(
            r#"{"task_id": 3, "traj": [{"role": "user"}], "reward": 1.0}"#,
            "tau-bench Some(1)",
        );
        check(
            r#"{"task_id": 3, "messages": [], "reward": 1.0, "info": {}}"#,
            "tau-bench Some(0)",
        );
        check(
            r#"{"task_id": 3, "traj": null, "reward": 0, "trial": 0}"#,
            "tau-bench None",
        );
        check(r#"{"messages": [], "reward_info": null}"#, "tau2 Some(0)");
        check(
            r#"{"reward_info": {"reward": 1}, "messages": null}"#,
            "tau2 None",
        );
        check(
            r#"{"info": {}, "simulations": [{"messages": []}]}"#,
            "1 runs",
        );
        check(
            r#"{"interaction": [{"sender": "user"}], "prompt": "p"}"#,
            "sopbench Some(1)",
        );
        check(
            r#"{"interaction": [], "evaluation": {}}"#,
            "sopbench Some(0)",
        );
        check(
            r#"{"messages": [{"role": "user"}], "user_task_id": "u", "utility": true}"#,
            "agentdojo Some(1)",
        );
        check(
            r#"{"conversations": [{"role": "user"}], "user_task_id": "u"}"#,
            "agentdojo Some(1)",
        );
        check(
            r#"{"messages": [], "metadata": {"user_task_id": "u"}}"#,
            "agentdojo Some(0)",
        );
        check(
            r#"{"messages": null, "user_task_id": "u"}"#,
            "agentdojo None",
        );
        check(r#"[{"messages": []}, {"messages": []}]"#, "2 runs");
        check(r#"[[{"role": "user"}], [{"role": "user"}]]"#, "2 runs");
    }

    #[test]
    fn other_json_is_not_taken_for_a_transcript() {
        check("[]", "unknown");
        check("{}", "unknown");
        check("3", "unknown");
        check(
            r#"[{"type": "function", "function": {"name": "f"}}]"#,
            "unknown",
        );
        check(
            r#"[{"id": "0", "user_scenario": {}, "evaluation_criteria": {}}]"#,
            "unknown",
        );
        check(r#"{"messages": "none"}"#, "unknown");
        check(r#"{"messages": "none", "user_task_id": "u"}"#, "unknown");
        check(r#"{"conversations": [{"from": "human"}]}"#, "unknown");
        check(r#"{"user_task_id": "u", "utility": true}"#, "unknown");
        check(r#"{"interaction": ["click", "drag"]}"#, "unknown");
        check(r#"[{"sender": "a@b.c", "body": "hi"}]"#, "unknown");
        check(r#"{"reward": 1}"#, "unknown");
    }
}
