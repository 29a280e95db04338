//! What a message says: text, text parts, or nothing; and results decoded.

use crate::json::{self, Members};
use lictor_contract::decode::{self, Form};
use lictor_contract::value::Value;

const WITHOUT_TYPE: &str = "a content part without a type was passed over";

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
        let (parts, strange) = text_parts(&elements, oddities);
        if strange && parts.is_empty() {
            return Content::Data(raw.to_owned());
        }
        if strange {
            oddities.push(WITHOUT_TYPE.into());
        }
        Content::Parts(parts)
    }

    /// Reads parts of a content that is known to be a list of parts.
    pub(super) fn of_parts(elements: &[&str], oddities: &mut Vec<String>) -> Content {
        let (parts, strange) = text_parts(elements, oddities);
        if strange {
            oddities.push(WITHOUT_TYPE.into());
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

    /// The text that the content starts with, if it starts with one.
    pub(super) fn start(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(text),
            Content::Parts(parts) => parts.first().map(String::as_str),
            Content::Nothing | Content::Data(_) => None,
        }
    }

    /// Whether it holds nothing but blanks.
    pub(super) fn is_blank(&self) -> bool {
        match self {
            Content::Nothing => true,
            Content::Text(text) | Content::Data(text) => text.trim().is_empty(),
            Content::Parts(parts) => parts.iter().all(|part| part.trim().is_empty()),
        }
    }

    /// The result it holds, as `lictor_contract::decode` reads it.
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
                    // Talk may be a YAML list by accident, so YAML is not looked for.
                    let mut data = several
                        .iter()
                        .map(|part| decode::result(part))
                        .filter(|part| {
                            matches!(part.form, Form::Json | Form::Python)
                                && matches!(part.value, Value::Object(_) | Value::List(_))
                        });
                    match (data.next(), data.next()) {
                        (Some(part), None) => part.value,
                        _ => Value::Text(several.join("\n")),
                    }
                }
            },
        }
    }
}

/// The text parts of a list, and whether there are elements without a type.
fn text_parts(elements: &[&str], oddities: &mut Vec<String>) -> (Vec<String>, bool) {
    let mut parts = Vec::new();
    let mut strange = false;
    for element in elements {
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
    (parts, strange)
}

/// Decodes a result's text, and tells what was wrong with it.
fn decode(text: &str, oddities: &mut Vec<String>) -> Value {
    let decoded = decode::result(text);
    oddities.extend(decoded.note);
    decoded.value
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
    fn results_are_data_else_text() {
        check(r#""{\"a\": 1.10}""#, r#"{"a": 1.1}"#, 0);
        check(r#""raj_santos_9079""#, r#""raj_santos_9079""#, 0);
        check(r#""""#, r#""""#, 0);
        check(r#"" two \n""#, r#"" two \n""#, 0);
        check(r#""42""#, "42", 0);
        check(r#""{'a': 1}""#, r#"{"a": 1}"#, 0);
        check(r#""{'a': f()}""#, r#""{'a': f()}""#, 1);
        check(r#""(True, 300)""#, "[true, 300]", 0);
        check(r#""- a: 1\n- a: 2""#, r#"[{"a": 1}, {"a": 2}]"#, 0);
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
        check(
            r#"[{"type": "text", "text": "Found:"}, {"type": "text", "text": "(True, 1)"}]"#,
            "[true, 1]",
            0,
        );
        check(r#"["Found:", "- a\n- b"]"#, r#""Found:\n- a\n- b""#, 0);
        check(r#"["a", "b"]"#, r#""a\nb""#, 0);
        check(r#"[{"flight": 1}]"#, r#"[{"flight": 1}]"#, 0);
        check("[]", "null", 0);
    }
}
