//! One request to the model, and the name under which its answer is kept.

use crate::prompt::{ANSWER_SCHEMA, Message};
use lictor_contract::catalog::sha256;
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

/// Where batch endpoints send each line.
const URL: &str = "/v1/chat/completions";

/// One question: a section, asked once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which section, from 0.
    pub section: usize,
    /// Which sample, from 0.
    pub sample: usize,
    /// Hash over what is asked, without the names of model and endpoint, so
    /// that an answer is found again whoever gave it.
    pub custom_id: String,
}

/// The body of a chat-completions request.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<&'a str>,
    messages: &'a [Message],
    response_format: ResponseFormat,
    /// Sets the samples of a section apart; servers that know `seed` answer
    /// each of them again the same way.
    seed: usize,
}

#[derive(Clone, Debug, Serialize)]
struct ResponseFormat {
    r#type: &'static str,
    json_schema: JsonSchema,
}

#[derive(Clone, Debug, Serialize)]
struct JsonSchema {
    name: &'static str,
    strict: bool,
    schema: Box<RawValue>,
}

/// One line of a batch input file.
#[derive(Debug, Serialize)]
struct BatchLine<'a> {
    custom_id: &'a str,
    method: &'static str,
    url: &'static str,
    body: Body<'a>,
}

impl<'a> Body<'a> {
    /// The body that asks `messages` for the sample of this number.
    ///
    /// # Errors
    /// The answer schema is no JSON, which the tests of this crate exclude.
    pub(crate) fn new(
        model: Option<&'a str>,
        messages: &'a [Message],
        sample: usize,
    ) -> serde_json::Result<Self> {
        Ok(Body {
            model,
            messages,
            response_format: ResponseFormat {
                r#type: "json_schema",
                json_schema: JsonSchema {
                    name: "rules_of_a_section",
                    strict: true,
                    schema: serde_json::from_str(ANSWER_SCHEMA)?,
                },
            },
            seed: sample,
        })
    }

    /// SHA-256 over the canonical JSON (keys sorted, no white space) of the
    /// body without the model's name.
    ///
    /// # Errors
    /// As [`Body::new`].
    pub(crate) fn custom_id(&self) -> serde_json::Result<String> {
        let nameless = Body {
            model: None,
            ..self.clone()
        };
        let json: Json = serde_json::from_str(&serde_json::to_string(&nameless)?)?;
        let mut text = String::new();
        write_canonical(&json, &mut text);
        Ok(sha256(&text))
    }

    /// The line that asks this of a batch endpoint, without a line break.
    ///
    /// # Errors
    /// As [`Body::new`].
    pub(crate) fn batch_line(self, custom_id: &str) -> serde_json::Result<String> {
        serde_json::to_string(&BatchLine {
            custom_id,
            method: "POST",
            url: URL,
            body: self,
        })
    }
}

/// Writes JSON with sorted keys whatever map the JSON library was built with.
/// Its input is a request of ours, so it is as shallow as the answer schema.
fn write_canonical(json: &Json, out: &mut String) {
    match json {
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        Json::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (index, (name, value)) in fields.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Json::from(name.as_str()).to_string());
                out.push(':');
                write_canonical(value, out);
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_depends_on_the_question_alone() {
        let ask = |text: &str| {
            [Message {
                role: "user",
                content: text.into(),
            }]
        };
        let id = |model, text: &str, sample| {
            Body::new(model, &ask(text), sample)
                .unwrap()
                .custom_id()
                .unwrap()
        };
        assert_eq!(id(None, "a", 0), id(Some("some-model"), "a", 0));
        assert_ne!(id(None, "a", 0), id(None, "a", 1));
        assert_ne!(id(None, "a", 0), id(None, "b", 0));
        assert_eq!(id(None, "a", 0).len(), 64);
    }

    #[test]
    fn the_model_writes_the_quotation_first() {
        let messages = [Message {
            role: "user",
            content: "a".into(),
        }];
        let line = Body::new(Some("m"), &messages, 2)
            .unwrap()
            .batch_line("id")
            .unwrap();
        assert!(line.starts_with(
            r#"{"custom_id":"id","method":"POST","url":"/v1/chat/completions","body":{"model":"m","#
        ));
        assert!(line.contains(r#""properties":{"quote":"#));
        assert!(line.ends_with(r#""seed":2}}"#));
        assert!(!line.contains('\n'));
    }
}
