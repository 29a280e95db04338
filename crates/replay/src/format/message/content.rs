//! What a message says: text, text parts, or nothing; and results decoded.

use crate::json::{self, Members};
use lictor_contract::value::Value;

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Null or absent.
    Nothing,
    /// One text.
    Text(String),
    /// The text parts of a list, others left out.
    Parts(Vec<String>),
    /// JSON that is neither text nor parts.
    Data(String),
}

impl Content {
    /// Reads a raw `content`; parts that are not text are told as oddities.
    pub(super) fn read(raw: Option<&str>, oddities: &mut Vec<String>) -> Content {
        let Some(raw) = raw else {
            return Content::Nothing;
        };
        if let Some(text) = json::string(raw) {
            return Content::Text(text);
        }
        let Some(elements) = json::elements(raw) else {
            return Content::Data(raw.to_owned());
        };
        let mut parts = Vec::new();
        let mut strange = false;
        for element in &elements {
            if let Some(text) = json::string(element) {
                parts.push(text);
                continue;
            }
            let Some(members) = Members::of(element) else {
                strange = true;
                continue;
            };
            match members.string("type").as_deref() {
                Some("text" | "input_text" | "output_text") => {
                    // AgentDojo's blocks call the text `content`.
                    match members.string("text").or_else(|| members.string("content")) {
                        Some(text) => parts.push(text),
                        None => oddities.push("a text part without text was passed over".into()),
                    }
                }
                Some(other) => {
                    oddities.push(format!("a content part of type `{other}` was passed over"))
                }
                None => strange = true,
            }
        }
        if strange && parts.is_empty() {
            return Content::Data(raw.to_owned());
        }
        if strange {
            oddities.push("a content part without a type was passed over".into());
        }
        Content::Parts(parts)
    }

    /// The text, parts on lines of their own; none if there is none.
    pub fn text(&self) -> Option<String> {
        match self {
            Content::Nothing => None,
            Content::Text(text) | Content::Data(text) => Some(text.clone()),
            Content::Parts(parts) => (!parts.is_empty()).then(|| parts.join("\n")),
        }
    }

    /// Whether the content starts with the word that tau-bench, tau2 and plain
    /// chat recordings put before a failure. Only the start counts: the word
    /// also occurs in data.
    pub(super) fn starts_like_an_error(&self) -> bool {
        let start = match self {
            Content::Text(text) => Some(text),
            Content::Parts(parts) => parts.first(),
            Content::Nothing | Content::Data(_) => None,
        };
        start.is_some_and(|text| text.starts_with("Error"))
    }

    /// The result it holds: JSON exactly, else text.
    pub(super) fn decode(self, oddities: &mut Vec<String>) -> Value {
        match self {
            Content::Nothing => Value::Null,
            Content::Text(text) => decode(&text, oddities),
            Content::Data(raw) => decode(&raw, oddities),
            Content::Parts(parts) => match parts.as_slice() {
                [] => Value::Null,
                [one] => decode(one, oddities),
                several => {
                    if let Ok(value) = Value::from_json(&several.concat()) {
                        return value;
                    }
                    // One part that holds data beside others that talk about it.
                    let mut data = several.iter().filter_map(|part| {
                        Value::from_json(unfenced(part))
                            .ok()
                            .filter(|value| matches!(value, Value::Object(_) | Value::List(_)))
                    });
                    match (data.next(), data.next()) {
                        (Some(value), None) => value,
                        _ => Value::Text(several.join("\n")),
                    }
                }
            },
        }
    }
}

/// Decodes a result's text. Text that sets out like JSON and is none is told.
fn decode(text: &str, oddities: &mut Vec<String>) -> Value {
    let bare = unfenced(text);
    match Value::from_json(bare) {
        Ok(value) => value,
        Err(error) => {
            if bare.starts_with(['{', '[']) {
                oddities.push(format!(
                    "the result looks like data but was kept as text: {error}"
                ));
            }
            Value::text(if bare.len() == text.trim().len() {
                text
            } else {
                bare
            })
        }
    }
}

/// The text inside a Markdown code fence around all of it, else the text
/// without surrounding blanks.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inner = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
        .and_then(|rest| rest.split_once('\n'))
        .filter(|(language, _)| language.trim().chars().all(|c| c.is_ascii_alphanumeric()));
    match inner {
        Some((_, inner)) => inner.trim(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, expected: &str, oddities: usize) {
        let mut told = Vec::new();
        let value = Content::read(Some(raw), &mut told).decode(&mut told);
        assert_eq!(
            (value.to_string().as_str(), told.len()),
            (expected, oddities),
            "{told:?}"
        );
    }

    #[test]
    fn results_are_json_else_text() {
        check(r#""{\"a\": 1.10}""#, r#"{"a": 1.1}"#, 0);
        check(r#""raj_santos_9079""#, r#""raj_santos_9079""#, 0);
        check(r#""""#, r#""""#, 0);
        check(r#"" two \n""#, r#"" two \n""#, 0);
        check(r#""42""#, "42", 0);
        check(r#""{'a': 1}""#, r#""{'a': 1}""#, 1);
        check(r#""{\"a\": 1, \"a\": 2}""#, r#""{\"a\": 1, \"a\": 2}""#, 1);
        check(r#"{"a": 1}"#, r#"{"a": 1}"#, 0);
        check("7", "7", 0);
    }

    #[test]
    fn code_fences_are_taken_off() {
        check(r#""```json\n{\"a\": 1}\n```""#, r#"{"a": 1}"#, 0);
        check(r#""```\nplain\n```""#, r#""plain""#, 0);
        check(r#""```no end""#, r#""```no end""#, 0);
        check(r#""``````""#, r#""``````""#, 0);
    }

    #[test]
    fn only_text_parts_are_read() {
        check(
            r#"[{"type": "text", "text": "{\"a\": 1}"}]"#,
            r#"{"a": 1}"#,
            0,
        );
        check(
            r#"[{"type": "text", "text": "Found:"}, {"type": "text", "text": "{\"a\": 1}"}]"#,
            r#"{"a": 1}"#,
            0,
        );
        check(
            r#"[{"type": "text", "text": "{\"a\""}, {"type": "text", "text": ": 1}"}]"#,
            r#"{"a": 1}"#,
            0,
        );
        check(r#"[{"type": "image", "text": "{\"a\": 1}"}]"#, "null", 1);
        check(
            r#"[{"type": "text", "text": "1"}, {"type": "image_url"}]"#,
            "1",
            1,
        );
        check(r#"["a", "b"]"#, r#""a\nb""#, 0);
        check(r#"[{"flight": 1}]"#, r#"[{"flight": 1}]"#, 0);
        check("[]", "null", 0);
    }

    #[test]
    fn only_the_start_tells_a_failure() {
        for (text, expected) in [
            ("\"Error: no such order\"", true),
            ("\"no Error here\"", false),
            ("\"{\\\"error\\\": null}\"", false),
            ("[{\"type\": \"text\", \"text\": \"Error\"}]", true),
        ] {
            let content = Content::read(Some(text), &mut Vec::new());
            assert_eq!(content.starts_like_an_error(), expected, "{text}");
        }
    }
}
