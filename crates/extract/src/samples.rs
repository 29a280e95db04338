//! The samples file: every answer a model gave, kept beside the policy.
//!
//! It is a batch *output* file as OpenAI defines it, one JSON object a line, so
//! that a batch endpoint's answer can be dropped in as it is. A line belongs to
//! a request by `custom_id`. Failed answers stay in the file and are asked
//! again; of several answers to one request the last good one counts.

pub(crate) mod pack;
pub(crate) mod sink;

use crate::answer::{Answer, error_text, read_completion};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// All answers of a samples file.
#[derive(Clone, Debug, Default)]
pub struct SamplesFile {
    answers: BTreeMap<String, Kept>,
}

/// Why a text is no samples file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no line is an answer of a model (line {line}: {reason}); give a samples file or the output file of a batch"
)]
pub struct SamplesError {
    line: usize,
    reason: &'static str,
}

/// The answer that counts for one request.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// The answer, or why the sample failed.
    pub(crate) outcome: Result<Answer, String>,
    /// The model that gave it; empty if the server did not say.
    pub(crate) model: String,
}

impl SamplesFile {
    /// Reads a samples file, or a batch endpoint's output file, and says what
    /// is odd about it, one sentence each. Lines that cannot be read are
    /// skipped; the last line of a file whose writer was killed is the usual one.
    ///
    /// # Errors
    /// [`SamplesError`] if there are lines and none of them is an answer.
    pub fn read(text: &str) -> Result<(SamplesFile, Vec<String>), SamplesError> {
        let mut file = SamplesFile::default();
        let mut notes = Vec::new();
        let mut first_reason = None;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let count = text.lines().count();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            if let Err(reason) = file.add_line(line) {
                let number = index + 1;
                if number == count && !text.ends_with('\n') {
                    notes.push(format!(
                        "line {number} of the samples file is skipped: it was cut while it was written"
                    ));
                } else {
                    notes.push(format!(
                        "line {number} of the samples file is skipped: {reason}"
                    ));
                    first_reason.get_or_insert(SamplesError {
                        line: number,
                        reason,
                    });
                }
            }
        }
        match first_reason {
            Some(error) if file.is_empty() => Err(error),
            _ => Ok((file, notes)),
        }
    }

    /// Whether a good answer to this request is there.
    pub fn is_answered(&self, custom_id: &str) -> bool {
        self.answers
            .get(custom_id)
            .is_some_and(|kept| kept.outcome.is_ok())
    }

    /// Number of requests with an answer, good or failed.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether there is no answer at all.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// The answer that counts for this request.
    pub(crate) fn get(&self, custom_id: &str) -> Option<&Kept> {
        self.answers.get(custom_id)
    }

    /// Takes one more line, which counts before those that came earlier.
    ///
    /// # Errors
    /// Why the line is no answer.
    pub(crate) fn add_line(&mut self, line: &str) -> Result<(), &'static str> {
        let json: Json = serde_json::from_str(line).map_err(|_| "it is no JSON")?;
        let custom_id = json
            .get("custom_id")
            .and_then(Json::as_str)
            .ok_or("it has no `custom_id`")?;
        if json.get("response").is_none() && json.get("error").is_none() {
            return Err("it is a request and no answer");
        }
        let kept = Kept {
            outcome: outcome(&json),
            model: json
                .pointer("/response/body/model")
                .and_then(Json::as_str)
                .unwrap_or_default()
                .to_owned(),
        };
        let is_better = kept.outcome.is_ok() || !self.is_answered(custom_id);
        if is_better {
            self.answers.insert(custom_id.to_owned(), kept);
        }
        Ok(())
    }
}

fn outcome(line: &Json) -> Result<Answer, String> {
    if let Some(error) = line.get("error").filter(|it| !it.is_null()) {
        return Err(error_text(error));
    }
    let status = line
        .pointer("/response/status_code")
        .and_then(Json::as_u64)
        .unwrap_or(200);
    let body = line
        .pointer("/response/body")
        .ok_or("the answer has no body")?;
    if status >= 400 {
        let said = body.get("error").map(error_text).unwrap_or_default();
        return Err(format!("the server answered with status {status} {said}")
            .trim_end()
            .to_owned());
    }
    read_completion(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::completion;

    const GOOD: &str = r#"{"rules": [], "no_rule": []}"#;

    fn line(id: &str, body: Json) -> String {
        serde_json::json!({"id": "x", "custom_id": id, "response": {"status_code": 200, "request_id": "r",
            "body": body}, "error": null})
        .to_string()
    }

    #[test]
    fn the_last_good_answer_counts() {
        let text = [
            line("a", completion("nonsense")),
            line("a", completion(GOOD)),
            line("a", completion("nonsense")),
            line("b", completion("nonsense")),
            line("b", serde_json::json!({"choices": []})),
        ]
        .join("\n");
        let (file, notes) = SamplesFile::read(&(text + "\n")).unwrap();
        assert!(notes.is_empty());
        assert!(file.is_answered("a"));
        assert!(!file.is_answered("b"));
        assert_eq!(file.get("a").unwrap().model, "m-1");
        assert_eq!(
            file.get("b").unwrap().outcome,
            Err("the answer has no choices".into())
        );
        assert_eq!(file.len(), 2);
    }

    #[test]
    fn a_torn_line_is_skipped_with_a_note() {
        let whole = line("a", completion(GOOD));
        for cut in 1..whole.len() - 1 {
            let text = format!(
                "{}\n{}",
                line("b", completion(GOOD)),
                whole.get(..cut).unwrap()
            );
            let (file, notes) = SamplesFile::read(&text).unwrap();
            assert_eq!((file.len(), notes.len()), (1, 1), "{cut}");
        }
        let text = format!("\u{feff}{{}}\n\n{{\"custom_id\": \"a\"}}\n{whole}\n[");
        let (file, notes) = SamplesFile::read(&text).unwrap();
        assert_eq!((file.len(), notes.len()), (1, 3));
        assert!(notes[1].contains("line 3") && notes[1].contains("request"));
        assert!(notes[2].contains("cut while"));
        assert!(SamplesFile::read("{").unwrap().0.is_empty());
        assert!(SamplesFile::read("").unwrap().0.is_empty());
        let error = SamplesFile::read("{\"custom_id\": \"a\"}\n").unwrap_err();
        assert!(
            error.to_string().contains("line 1: it is a request"),
            "{error}"
        );
    }

    #[test]
    fn errors_of_batches_are_failed_samples() {
        let failed = |text: &str| {
            let (file, _) = SamplesFile::read(text).unwrap();
            file.get("a").unwrap().outcome.clone().unwrap_err()
        };
        let expired = r#"{"custom_id": "a", "response": null, "error": {"code": "expired", "message": "too late"}}"#;
        assert_eq!(failed(expired), "too late");
        let refused = r#"{"custom_id": "a", "response": {"status_code": 400, "body": {"error": {"message": "bad"}}}}"#;
        assert!(failed(refused).contains("status 400 bad"));
        assert!(failed(r#"{"custom_id": "a", "response": {}}"#).contains("no body"));
    }
}
