//! A JSON value that prints the way it was built.
//!
//! The recordings are compared byte for byte, so the order of keys and the spelling of amounts (`12.50`) must not depend
//! on how a library was configured. This type keeps keys in the order of construction and numbers as text.

use std::fmt::{self, Display, Formatter, Write};

/// A JSON value under construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, spelled as it is to be printed.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, keys in the order given.
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    /// A string value.
    pub fn text(text: impl Into<String>) -> Self {
        Json::Text(text.into())
    }

    /// A number value from anything that prints as a JSON number.
    pub fn number(number: impl Display) -> Self {
        Json::Number(number.to_string())
    }

    /// A string, or `null` where there is none.
    pub fn maybe(text: Option<&str>) -> Self {
        text.map_or(Json::Null, Json::text)
    }
}

impl Display for Json {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => out.write_str("null"),
            Json::Bool(value) => write!(out, "{value}"),
            Json::Number(spelling) => out.write_str(spelling),
            Json::Text(text) => quoted(out, text),
            Json::List(items) => {
                out.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    separate(out, index)?;
                    write!(out, "{item}")?;
                }
                out.write_char(']')
            }
            Json::Object(entries) => {
                out.write_char('{')?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    separate(out, index)?;
                    quoted(out, key)?;
                    write!(out, ": {value}")?;
                }
                out.write_char('}')
            }
        }
    }
}

fn separate(out: &mut Formatter<'_>, index: usize) -> fmt::Result {
    if index > 0 {
        out.write_str(", ")?;
    }
    Ok(())
}

fn quoted(out: &mut Formatter<'_>, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            control if control.is_control() => write!(out, "\\u{:04x}", u32::from(control))?,
            other => out.write_char(other)?,
        }
    }
    out.write_char('"')
}
