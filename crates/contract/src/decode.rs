//! What a tool's answer and a call's arguments say, as values (DESIGN section 2).
//!
//! Decoding is total: every text has a value. A result is tried as JSON, as a
//! Python literal and as a YAML block list or map, after the wrappers that some
//! hosts put around all of it are off; what is none of these stays text, with a
//! note where it set out like data. A kind is never guessed: a number comes only
//! from a text that one of these forms makes a number of.
//!
//! All readers take time linear in the text (JSON: times its bounded depth), nest
//! at most [`MAX_DEPTH`](crate::value::MAX_DEPTH) deep and refuse texts longer
//! than [`MAX_LENGTH`].

mod number;
mod python;
mod wrapper;
mod yaml;

use crate::event::Arguments;
use crate::value::{Value, ValueError};
use serde::de::{Deserializer, Visitor};
use std::collections::BTreeSet;
use std::fmt;

/// Longest text that is decoded, in bytes; a longer one stays text.
pub const MAX_LENGTH: usize = 8 << 20;

/// How a result was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// JSON.
    Json,
    /// A Python literal, as `str` or `repr` print it.
    Python,
    /// A YAML block list or block map.
    Yaml,
    /// Anything else.
    Text,
}

/// A decoded result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The value; text where the form is [`Form::Text`].
    pub value: Value,
    /// How it was written.
    pub form: Form,
    /// Why a text that set out like data was kept as text: one sentence.
    pub note: Option<String>,
}

impl Decoded {
    fn data(form: Form, value: Value) -> Self {
        Decoded {
            value,
            form,
            note: None,
        }
    }

    fn text(text: &str, note: Option<String>) -> Self {
        Decoded {
            value: Value::text(text),
            form: Form::Text,
            note,
        }
    }
}

/// Decodes a tool's result.
///
/// Wrappers around all of it come off text, too; text without one stays as it
/// is, blanks included.
pub fn result(text: &str) -> Decoded {
    if text.len() > MAX_LENGTH {
        return Decoded::text(
            text,
            Some(format!(
                "the result is longer than {MAX_LENGTH} bytes and was kept as text"
            )),
        );
    }
    let inner = wrapper::unwrapped(text);
    let mut decoded = bare(inner.text);
    if decoded.form == Form::Text {
        let kept = if inner.ambiguous || inner.text.len() == text.len() {
            text
        } else {
            inner.text.trim()
        };
        decoded.value = Value::text(kept);
    }
    decoded
}

/// Decodes a text that has no wrapper.
fn bare(text: &str) -> Decoded {
    let trimmed = text.trim();
    let json = match Value::from_json(trimmed) {
        Ok(value) => return Decoded::data(Form::Json, value),
        Err(error) => error,
    };
    // JSON that cannot be kept is not read as something else.
    let python = match &json {
        ValueError::NotJson(_) if python::sets_out(trimmed) => match python::read(trimmed) {
            Ok(value) => return Decoded::data(Form::Python, value),
            Err(error) => Some(error),
        },
        _ => None,
    };
    let yaml = if yaml::sets_out(text) && !is_error(trimmed) {
        match yaml::read(text) {
            Ok(Some(value)) => return Decoded::data(Form::Yaml, value),
            Ok(None) => None,
            Err(error) => Some(error),
        }
    } else {
        None
    };
    let why = if trimmed.starts_with(['{', '[']) {
        Some(why_not(trimmed, &json, python))
    } else if looks_like_a_tuple(trimmed) {
        python.map(|error| format!("as a Python literal, {error}"))
    } else {
        yaml.filter(|_| yaml::looks_like_data(text))
            .map(|error| format!("as YAML, {error}"))
    };
    let note = why.map(|why| format!("the result looks like data but was kept as text: {why}"));
    Decoded::text(text, note)
}

/// Why a text that starts like a list or a map is none, from the reader that
/// fits its first key or item.
fn why_not(text: &str, json: &ValueError, python: Option<String>) -> String {
    let first = text.trim_start_matches(['[', '{', '(']).trim_start();
    match python {
        Some(error) if !first.starts_with('"') => format!("as a Python literal, {error}"),
        _ => json.to_string(),
    }
}

/// Whether a text in parentheses is more than a remark.
fn looks_like_a_tuple(text: &str) -> bool {
    let inside = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inside.is_some_and(|inside| {
        !inside.starts_with(char::is_alphabetic)
            || ["True,", "False,", "None,"]
                .iter()
                .any(|word| inside.starts_with(word))
    })
}

/// Decodes a call's arguments from their raw JSON: an object, or JSON text that
/// holds one, encoded once or twice. Anything else is unreadable, with the text
/// that stood there, and never an empty object.
pub fn arguments(raw_json: &str) -> Arguments {
    let unreadable = || Arguments::Unreadable(string(raw_json).unwrap_or_else(|| raw_json.into()));
    if raw_json.len() > MAX_LENGTH {
        return unreadable();
    }
    let mut text = raw_json.to_owned();
    for _ in 0..3 {
        match Value::from_json(&text) {
            Ok(Value::Object(values)) => return Arguments::Read(values),
            Ok(Value::Text(inner)) => text = inner,
            Ok(_) => return unreadable(),
            // Only a string may have half a surrogate pair in it and be read.
            Err(_) => match string(&text) {
                Some(inner) => text = inner,
                None => return unreadable(),
            },
        }
    }
    unreadable()
}

/// An argument as its declared JSON types would have it.
///
/// A text is opened, as JSON or as a Python literal, only where the schema
/// allows an object or an array and no string. None means that it could not be
/// opened to one of the declared types, so nothing is known of it; it is never
/// an empty object. Every other value is itself: a number written as text stays
/// text, and a text field that happens to hold JSON stays text.
pub fn opened(value: &Value, types: &BTreeSet<String>) -> Option<Value> {
    let Value::Text(text) = value else {
        return Some(value.clone());
    };
    let declared = |name: &str| types.contains(name);
    if declared("string") || !(declared("object") || declared("array")) {
        return Some(value.clone());
    }
    if text.len() > MAX_LENGTH {
        return None;
    }
    let read = |text: &str| {
        let text = text.trim();
        Value::from_json(text)
            .ok()
            .or_else(|| python::read(text).ok())
    };
    let opened = match read(text)? {
        Value::Text(inner) => read(&inner)?,
        other => other,
    };
    let fits = match opened {
        Value::Object(_) => declared("object"),
        Value::List(_) => declared("array"),
        Value::Null => declared("null"),
        Value::Bool(_) | Value::Number(_) | Value::Text(_) => false,
    };
    fits.then_some(opened)
}

/// Whether a result's content starts like a Python exception: its class, which
/// ends in `Error` or `Exception`, perhaps with its module, then a colon
/// (`KeyError: 'x'`, `billing.CardError: declined`). Only the start counts, since
/// the same words occur in data.
pub fn is_error(text: &str) -> bool {
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
        .unwrap_or(text.len());
    let Some((class, rest)) = text.split_at_checked(end) else {
        return false;
    };
    let named = class
        .split('.')
        .all(|part| part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
    let Some(rest) = rest.strip_prefix(':') else {
        return false;
    };
    named
        && (class.ends_with("Error") || class.ends_with("Exception"))
        && (rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// A JSON string. Half of a surrogate pair, which Python writes without
/// complaint, becomes U+FFFD instead of costing the whole text. None if it is
/// no JSON string.
pub fn string(raw_json: &str) -> Option<String> {
    if let Ok(string) = serde_json::from_str(raw_json) {
        return Some(string);
    }
    struct Bytes;
    impl<'de> Visitor<'de> for Bytes {
        type Value = Vec<u8>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }
        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(raw_json);
    let bytes = deserializer.deserialize_bytes(Bytes).ok()?;
    deserializer.end().ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests;
