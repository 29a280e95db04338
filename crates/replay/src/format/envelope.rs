//! The optional `_run` beside a transcript: Lictor's own envelope for what the
//! source does not say itself.

use super::{About, first_text, name};
use crate::json::Members;
use crate::run::Format;
use std::collections::BTreeMap;

/// What stands around the messages of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Envelope {
    /// What the wrapper says, completed by `_run`.
    pub(crate) about: About,
    /// Whether the run passed; `_run.pass` wins, where null means unlabelled.
    pub(crate) pass: Option<bool>,
    /// Which calls were executed, by position (`m3.c0`).
    pub(crate) executed: BTreeMap<String, bool>,
    /// What `_run` has that could not be understood.
    pub(crate) complaints: Vec<String>,
}

impl Envelope {
    /// Reads what stands around the messages.
    pub(crate) fn of(format: Format, members: &Members<'_>) -> Envelope {
        let mut about = super::about(format, members);
        let mut pass = match format {
            Format::Chat => None,
            Format::TauBench | Format::Tau2 => about.reward.map(|reward| reward == 1.0),
        };
        let mut executed = BTreeMap::new();
        let mut complaints = Vec::new();
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
            if let Some(positions) = run.object("executed") {
                for (position, value) in positions.iter() {
                    match value.parse() {
                        Ok(value) => {
                            executed.insert(position.to_owned(), value);
                        }
                        Err(_) => complaints.push(format!(
                            "`_run.executed` has no truth value for {position}, so the call counts as executed"
                        )),
                    }
                }
            }
        }
        Envelope {
            about,
            pass,
            executed,
            complaints,
        }
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
        check(Format::Chat, r#"{"reward": 1}"#, None);
        check(Format::Chat, r#"{"_run": {"pass": true}}"#, Some(true));
    }

    #[test]
    fn the_source_s_own_words_come_first() {
        let text = r##"{"id": "s1", "task_id": "7", "reward_info": {"reward": 1},
            "_run": {"id": "e", "task_id": 9, "trial": 2, "executed": {"m3.c0": false, "m4.c0": 3}}}"##;
        let envelope = Envelope::of(Format::Tau2, &Members::of(text).unwrap());
        assert_eq!(envelope.about.id.as_deref(), Some("s1"));
        assert_eq!(envelope.about.task, Some(crate::Name::Text("7".into())));
        assert_eq!(envelope.about.trial, Some(2));
        assert_eq!(envelope.executed, BTreeMap::from([("m3.c0".into(), false)]));
        assert_eq!(envelope.complaints.len(), 1);
    }
}
