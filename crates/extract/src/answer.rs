//! Reading what a model answered.
//!
//! An answer is good only as a whole: one that was cut, refused, or breaks the
//! schema is a *failed sample* with a reason, never an answer without rules.
//! Servers differ in what they leave out, so everything around the answer is
//! read leniently, and the answer itself strictly.

use lictor_contract::draft::{NoRule, RuleText};
use serde::Deserialize;
use serde_json::Value as Json;
use std::sync::LazyLock;

/// A whole answer to one request.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Answer {
    pub(crate) rules: Vec<RuleAnswer>,
    pub(crate) no_rule: Vec<NoRuleAnswer>,
}

/// One rule of an answer. Its slots are named as in [`RuleText`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct RuleAnswer {
    pub(crate) quote: String,
    pub(crate) lines: Vec<i64>,
    kind: String,
    tools: Vec<String>,
    condition: Option<String>,
    first: Option<String>,
    keys: Vec<String>,
    at_most: Option<f64>,
    trigger: Option<String>,
    other_tools: Vec<String>,
    listed: Vec<String>,
    assumption: Option<String>,
    guarantee: Option<String>,
    pub(crate) says: String,
}

/// One clause that the answer declares not encodable.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct NoRuleAnswer {
    pub(crate) quote: String,
    pub(crate) lines: Vec<i64>,
    pub(crate) reason: NoRule,
    pub(crate) note: String,
}

impl RuleAnswer {
    /// Its slots. Text that is blank says as much as a missing one.
    pub(crate) fn rule(&self) -> RuleText {
        let text = |slot: &Option<String>| {
            slot.as_ref()
                .map(|it| it.trim().to_owned())
                .filter(|it| !it.is_empty())
        };
        RuleText {
            kind: self.kind.clone(),
            tools: self.tools.clone(),
            condition: text(&self.condition),
            first: text(&self.first),
            keys: self.keys.clone(),
            at_most: self.at_most.and_then(whole),
            trigger: text(&self.trigger),
            other_tools: self.other_tools.clone(),
            listed: self.listed.clone(),
            assumption: text(&self.assumption),
            guarantee: text(&self.guarantee),
            for_each: Vec::new(),
        }
    }
}

/// The schema lets `2.0` pass for an integer, as JSON does.
fn whole(number: f64) -> Option<u32> {
    let text = format!("{number:.0}");
    text.parse().ok()
}

static VALIDATOR: LazyLock<Result<jsonschema::Validator, String>> = LazyLock::new(|| {
    let schema: Json =
        serde_json::from_str(crate::prompt::ANSWER_SCHEMA).map_err(|error| error.to_string())?;
    jsonschema::validator_for(&schema).map_err(|error| error.to_string())
});

/// Reads the body of a chat completion.
///
/// # Errors
/// Why the sample failed, as a part of a sentence.
pub(crate) fn read_completion(body: &Json) -> Result<Answer, String> {
    read_content(&content(body)?)
}

/// The text that the model answered with.
///
/// # Errors
/// Why there is none.
pub(crate) fn content(body: &Json) -> Result<String, String> {
    if let Some(error) = body.get("error").filter(|it| !it.is_null()) {
        return Err(format!(
            "the server answered with an error: {}",
            error_text(error)
        ));
    }
    let choice = body
        .pointer("/choices/0")
        .ok_or("the answer has no choices")?;
    let finish = choice
        .get("finish_reason")
        .and_then(Json::as_str)
        .unwrap_or_default();
    match finish {
        "length" => return Err("the answer was cut at the length limit".to_owned()),
        "content_filter" => return Err("the server's content filter stopped the answer".to_owned()),
        _ => {}
    }
    let refusal = choice
        .pointer("/message/refusal")
        .and_then(Json::as_str)
        .unwrap_or_default();
    if !refusal.trim().is_empty() {
        return Err(format!("the model refused: {}", shorten(refusal)));
    }
    let text = match choice.pointer("/message/content") {
        Some(Json::String(text)) => text.clone(),
        Some(Json::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Json::as_str))
            .collect(),
        Some(packed) if crate::samples::pack::is_packed(packed) => {
            return Err(
                "the answer is packed; run `lictor samples unpack` with the policy first"
                    .to_owned(),
            );
        }
        _ => String::new(),
    };
    if text.trim().is_empty() {
        return Err("the answer is empty".to_owned());
    }
    Ok(text)
}

/// What an error object of a server says.
pub(crate) fn error_text(error: &Json) -> String {
    let message = error
        .get("message")
        .and_then(Json::as_str)
        .or_else(|| error.as_str());
    shorten(&message.map_or_else(|| error.to_string(), str::to_owned))
}

/// Reads the text of an answer.
///
/// # Errors
/// As [`read_completion`].
pub(crate) fn read_content(text: &str) -> Result<Answer, String> {
    let json: Json = serde_json::from_str(bare(text))
        .map_err(|error| format!("the answer is no JSON ({})", shorten(&error.to_string())))?;
    let validator = VALIDATOR.as_ref().map_err(Clone::clone)?;
    if let Some(error) = validator.iter_errors(&json).next() {
        let at = error.instance_path().to_string();
        let at = if at.is_empty() { "/".to_owned() } else { at };
        return Err(format!(
            "the answer breaks the schema at `{at}`: {}",
            shorten(&error.to_string())
        ));
    }
    serde_json::from_value(json).map_err(|error| format!("the answer breaks the schema: {error}"))
}

/// The JSON of an answer without what models without a grammar put around it:
/// their thoughts in front, and a code fence.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    if text.starts_with("<think>")
        && let Some((_, behind)) = text.split_once("</think>")
    {
        text = behind.trim();
    }
    let Some(fenced) = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
    else {
        return text;
    };
    fenced
        .split_once('\n')
        .map_or(text, |(_, inner)| inner.trim())
}

/// The beginning of a text on one line, short enough for a message.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 160;
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let start: String = line.chars().take(LONGEST).collect();
    format!("{start}…")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A rule as a model would write it, for the tests of this crate.
    pub(crate) fn rule_json(quote: &str, line: usize) -> Json {
        serde_json::json!({"quote": quote, "lines": [line, line], "kind": "precondition", "tools": ["pay"],
            "condition": "arg.amount <= 5", "first": null, "keys": [], "at_most": null, "trigger": null,
            "other_tools": [], "listed": [], "assumption": null, "guarantee": null, "says": "At most five."})
    }

    /// A chat completion with this content.
    pub(crate) fn completion(content: &str) -> Json {
        serde_json::json!({"model": "m-1", "choices": [{"finish_reason": "stop",
            "message": {"role": "assistant", "content": content}}]})
    }

    #[track_caller]
    fn check_failed(body: Json, part: &str) {
        let reason = read_completion(&body).unwrap_err();
        assert!(reason.contains(part), "{reason}");
    }

    #[test]
    fn a_good_answer_is_read() {
        let content = serde_json::json!({"rules": [rule_json("Pay.", 3)], "no_rule": [
            {"quote": "Smile.", "lines": [4, 4], "reason": "semantic", "note": ""}]});
        for text in [
            content.to_string(),
            format!("```json\n{content}\n```"),
            format!("<think>hm {{}}</think>\n{content}"),
        ] {
            let answer = read_completion(&completion(&text)).unwrap();
            assert_eq!(
                answer.rules[0].rule().condition.as_deref(),
                Some("arg.amount <= 5")
            );
            assert_eq!(answer.no_rule[0].reason, NoRule::Semantic);
        }
        let parts = serde_json::json!({"choices": [{"message": {"content": [
            {"type": "text", "text": "{\"rules\": [],"}, {"type": "text", "text": "\"no_rule\": []}"}]}}]});
        assert_eq!(read_completion(&parts).unwrap().rules, []);
    }

    #[test]
    fn counts_are_whole_numbers() {
        assert_eq!(whole(2.0), Some(2));
        assert_eq!(whole(-1.0), None);
        assert_eq!(whole(1e12), None);
    }

    #[test]
    fn failed_answers_say_why() {
        let choice = |choice: Json| serde_json::json!({"choices": [choice]});
        check_failed(serde_json::json!({}), "no choices");
        check_failed(serde_json::json!({"choices": []}), "no choices");
        check_failed(
            serde_json::json!({"error": {"message": "no credit"}}),
            "no credit",
        );
        check_failed(
            choice(serde_json::json!({"finish_reason": "length", "message": {"content": "{"}})),
            "was cut",
        );
        check_failed(
            choice(serde_json::json!({"finish_reason": "content_filter"})),
            "content filter",
        );
        check_failed(
            choice(serde_json::json!({"message": {"content": null, "refusal": "I cannot"}})),
            "I cannot",
        );
        check_failed(
            choice(serde_json::json!({"message": {"content": " "}})),
            "empty",
        );
        check_failed(completion("{\"rules\": ["), "no JSON");
        check_failed(completion("[]"), "breaks the schema at `/`");
        check_failed(completion("{\"rules\": []}"), "no_rule");
        check_failed(completion("{\"rules\": [3], \"no_rule\": []}"), "/rules/0");
        check_failed(completion(&"[".repeat(100_000)), "no JSON");
        let mut rule = rule_json("a", 1);
        rule["kind"] = "wish".into();
        let content = serde_json::json!({"rules": [rule], "no_rule": []});
        check_failed(completion(&content.to_string()), "/rules/0/kind");
    }
}
