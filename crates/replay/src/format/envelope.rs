//! The optional `_run` beside a transcript: Lictor's own envelope for what the
//! source does not say itself.

use super::{About, first_text, message, name};
use crate::json::Members;
use crate::run::Format;
use lictor_contract::value::Value;
use std::collections::BTreeMap;

/// What stands around the messages of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Envelope {
    /// What the wrapper says, completed by `_run`.
    pub(crate) about: About,
    /// Whether the run passed; `_run.pass` wins, where null means unlabelled.
    pub(crate) pass: Option<bool>,
    /// What the host supplied, by key: `_run.context`, and the time under `now`.
    pub(crate) context: BTreeMap<String, Value>,
    /// Which calls were executed, by position (`m3.c0`).
    pub(crate) executed: BTreeMap<String, bool>,
    /// What `_run` has that could not be understood.
    pub(crate) complaints: Vec<String>,
}

impl Envelope {
    /// Reads what stands around the messages.
    pub(crate) fn of(format: Format, members: &Members<'_>) -> Envelope {
        let mut about = super::about(format, members);
        let mut pass = about.pass;
        let mut context = BTreeMap::new();
        let mut executed = BTreeMap::new();
        let mut complaints = Vec::new();
        if let Some(raw) = members.get("now") {
            match members.string("now").filter(|now| message::is_time(now)) {
                Some(now) => {
                    context.insert("now".to_owned(), Value::Text(now));
                }
                None => complaints.push(format!(
                    "`now` is not an RFC 3339 time and was passed over: {}",
                    raw.chars().take(40).collect::<String>()
                )),
            }
        }
        if members.get("_run").is_some() && members.object("_run").is_none() {
            complaints.push("`_run` is no object and was passed over".to_owned());
        }
        if let Some(run) = members.object("_run") {
            about.id = about.id.or_else(|| first_text(&run, &["id", "run_id"]));
            about.task = about.task.or_else(|| name(&run, "task_id"));
            about.trial = about.trial.or_else(|| run.integer("trial"));
            about.reward = about.reward.or_else(|| run.number("reward"));
            if run.has("pass") {
                pass = run.truth("pass");
                if pass.is_none() && run.get("pass").is_some() {
                    complaints
                        .push("`_run.pass` is no truth value, so the run is unlabelled".to_owned());
                }
            }
            if run.get("context").is_some() && run.object("context").is_none() {
                complaints.push("`_run.context` is no object and was passed over".to_owned());
            }
            for (key, value) in run.object("context").unwrap_or_default().iter() {
                match Value::from_json(value) {
                    Ok(value) => {
                        context.insert(key.to_owned(), value);
                    }
                    Err(error) => complaints.push(format!(
                        "`_run.context` has for {key} what cannot be read: {error}"
                    )),
                }
            }
            if run.get("executed").is_some() && run.object("executed").is_none() {
                complaints.push(
                    "`_run.executed` is no object, so all calls count as executed".to_owned(),
                );
            }
            for (position, value) in run.object("executed").unwrap_or_default().iter() {
                match was_executed(value) {
                    Some(value) => {
                        executed.insert(position.to_owned(), value);
                    }
                    None => complaints.push(format!(
                        "`_run.executed` has no truth value for {position}, so the call counts as executed"
                    )),
                }
            }
        }
        Envelope {
            about,
            pass,
            context,
            executed,
            complaints,
        }
    }
}

/// Whether a call took place: a truth value, or the words of an outcomes file.
fn was_executed(raw: &str) -> Option<bool> {
    match raw {
        "true" | "\"executed\"" => Some(true),
        "false" | "\"blocked\"" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: Format, text: &str, pass: Option<bool>) {
        let members = Members::of(text).unwrap();
        assert_eq!(Envelope::of(format, &members).pass, pass, "{text}");
    }

    #[test]
    fn the_label_comes_from_the_envelope_or_the_reward() {
        check(Format::TauBench, r#"{"reward": 1.0}"#, Some(true));
        check(Format::TauBench, r#"{"reward": 0}"#, Some(false));
        check(Format::TauBench, r#"{"reward": null}"#, None);
        check(
            Format::TauBench,
            r#"{"reward": 1, "_run": {"pass": null}}"#,
            None,
        );
        check(
            Format::TauBench,
            r#"{"reward": 1, "_run": {"pass": false}}"#,
            Some(false),
        );
        check(
            Format::TauBench,
            r#"{"reward": 1, "_run": {"pass": "yes"}}"#,
            None,
        );
        check(
            Format::TauBench,
            r#"{"reward": 1, "_run": {"set": "x"}}"#,
            Some(true),
        );
        check(
            Format::Tau2,
            r#"{"reward_info": {"reward": 1.0}}"#,
            Some(true),
        );
        check(
            Format::Tau2,
            r#"{"reward_info": {"reward": 0.5}}"#,
            Some(false),
        );
        check(Format::Tau2, r#"{"reward_info": null}"#, None);
        check(
            Format::Sopbench,
            r#"{"evaluation": {"success": true}, "_run": {"pass": false}}"#,
            Some(false),
        );
        check(
            Format::Sopbench,
            r#"{"evaluation": {"success": true}}"#,
            Some(true),
        );
        check(
            Format::Agentdojo,
            r#"{"utility": true, "_run": {"pass": null}}"#,
            None,
        );
        check(Format::Agentdojo, r#"{"utility": false}"#, Some(false));
        check(Format::Chat, r#"{"reward": 1}"#, None);
        check(Format::Chat, r#"{"_run": {"pass": true}}"#, Some(true));
    }

    #[test]
    fn the_host_s_context_is_beside_the_run() {
        let text = r#"{"now": "2026-04-02T12:00:00Z",
            "_run": {"context": {"caller": "u7", "limit": 1.50, "bad": {"a": 1, "a": 2}}}}"#;
        let envelope = Envelope::of(Format::Chat, &Members::of(text).unwrap());
        let shown: Vec<String> = envelope
            .context
            .iter()
            .map(|(key, value)| format!("{key} {value}"))
            .collect();
        assert_eq!(
            shown,
            ["caller \"u7\"", "limit 1.5", "now \"2026-04-02T12:00:00Z\""]
        );
        assert_eq!(envelope.complaints.len(), 1);
        for text in [r#"{"now": 1775214000}"#, r#"{"_run": {"context": []}}"#] {
            let envelope = Envelope::of(Format::Chat, &Members::of(text).unwrap());
            assert_eq!(envelope.context.len(), 0);
            assert_eq!(envelope.complaints.len(), 1, "{text}");
        }
    }

    #[test]
    fn the_source_s_own_words_come_first() {
        let text = r##"{"id": "s1", "task_id": "7", "reward_info": {"reward": 1},
            "_run": {"id": "e", "task_id": 9, "trial": 2, "executed":
            {"m3.c0": false, "m4.c0": 3, "m5.c0": "blocked", "m6.c1": "executed"}}}"##;
        let envelope = Envelope::of(Format::Tau2, &Members::of(text).unwrap());
        assert_eq!(envelope.about.id.as_deref(), Some("s1"));
        assert_eq!(envelope.about.task, Some(crate::Name::Text("7".into())));
        assert_eq!(envelope.about.trial, Some(2));
        let executed = [("m3.c0", false), ("m5.c0", false), ("m6.c1", true)];
        assert_eq!(
            envelope.executed,
            executed.map(|(place, value)| (place.into(), value)).into()
        );
        assert_eq!(envelope.complaints.len(), 1);
    }
}
