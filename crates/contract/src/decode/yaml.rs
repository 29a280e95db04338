//! YAML block lists and block maps, as dumpers print records.
//!
//! Much prose is YAML by accident, so less is read than the standard allows. The
//! root is a block list, or a block map of several entries whose keys are single
//! words (of one entry, if that holds a list or a map): `note: see below` is a
//! sentence. Whatever a dump of plain data does not have, and prose has without
//! meaning it (comments, anchors, tags, several documents), is refused as a whole
//! instead of being dropped.
//!
//! The parser gives events and keeps no tree, so the depth is bounded while the
//! value is built.

mod scalar;

use crate::value::{MAX_DEPTH, Value};
use serde_saphyr::granit_parser::{self, Event, Parser, ScalarStyle, StructureStyle};
use std::collections::BTreeMap;

/// Whether the first line is that of a block list or a block map.
pub(super) fn sets_out(text: &str) -> bool {
    first_line(text).is_some_and(|line| is_item(line) || key(line).is_some())
}

/// Whether a text that could not be read was meant as data: it starts as a list,
/// or its first line is not the only one with a key.
pub(super) fn looks_like_data(text: &str) -> bool {
    let keys = || {
        text.lines()
            .filter(|line| !line.starts_with(' ') && key(line).is_some())
    };
    first_line(text).is_some_and(is_item) || keys().nth(1).is_some()
}

/// The first line that says something, past the mark of a document's start.
fn first_line(text: &str) -> Option<&str> {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && *line != "---")
}

fn is_item(line: &str) -> bool {
    line == "-" || line.starts_with("- ")
}

/// The key that a line starts with, if that is a single word or in quotes.
fn key(line: &str) -> Option<&str> {
    let end = match line.chars().next()? {
        quote @ ('\'' | '"') => line.get(1..)?.find(quote)? + 2,
        _ => line.find(|c: char| c == ':' || !is_key(c))?,
    };
    let (key, rest) = line.split_at_checked(end)?;
    let rest = rest.strip_prefix(':')?;
    (!key.is_empty() && (rest.is_empty() || rest.starts_with(' '))).then_some(key)
}

fn is_key(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | '$')
}

/// Reads a text that is one block list or block map; none if it is YAML that
/// prose is by accident.
///
/// # Errors
/// Why it is no YAML or has parts that are no plain data, as the end of a
/// sentence.
pub(super) fn read(text: &str) -> Result<Option<Value>, String> {
    let options = granit_parser::options! {
        disallow_directives: true,
        block_nesting_limit: MAX_DEPTH + 1,
        flow_nesting_limit: MAX_DEPTH + 1,
    };
    let mut builder = Builder::default();
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| error.info())?;
        if !builder.take(event, span.is_empty())? {
            return Ok(None);
        }
    }
    Ok(builder.root.filter(is_data))
}

/// Whether a root is more than a sentence with a colon.
fn is_data(root: &Value) -> bool {
    match root {
        Value::List(items) => items.iter().any(|item| *item != Value::Null),
        Value::Object(entries) => {
            let one_word = |key: &String| !key.contains(char::is_whitespace);
            let holds_more = |value: &Value| matches!(value, Value::List(_) | Value::Object(_));
            entries.keys().all(one_word) && (entries.len() > 1 || entries.values().any(holds_more))
        }
        _ => false,
    }
}

/// A list or map whose end has not come yet.
enum Open {
    List(Vec<Value>),
    /// The entries so far, and the key of the next one.
    Map(BTreeMap<String, Value>, Option<String>),
}

/// Builds the value out of the parser's events.
#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<Value>,
}

impl Builder {
    /// Takes the next event, which may have no text of its own; false if the
    /// root is no block list or map.
    fn take(&mut self, event: Event<'_>, unwritten: bool) -> Result<bool, String> {
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(..) => {
                if self.root.is_some() {
                    return Err("it has several documents".into());
                }
            }
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, _, Some(_))
            | Event::MappingStart(_, _, Some(_)) => return Err("it has a tag".into()),
            Event::Scalar(text, style, 0, None) => {
                if self.open.is_empty() {
                    return Ok(false);
                }
                self.scalar(&text, style, unwritten)?;
            }
            Event::SequenceStart(style, 0, None) => {
                return self.start(style, Open::List(Vec::new()));
            }
            Event::MappingStart(style, 0, None) => {
                return self.start(style, Open::Map(BTreeMap::new(), None));
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let value = match self.open.pop() {
                    Some(Open::List(items)) => Value::List(items),
                    Some(Open::Map(entries, None)) => Value::Object(entries),
                    Some(Open::Map(_, Some(_))) | None => {
                        return Err("a key has no value".into());
                    }
                };
                self.place(value)?;
            }
            Event::Comment(..) => return Err("it has a comment".into()),
            Event::Scalar(..)
            | Event::SequenceStart(..)
            | Event::MappingStart(..)
            | Event::Alias(_) => return Err("it has an anchor".into()),
            _ => return Err("it has a part that is no plain data".into()),
        }
        Ok(true)
    }

    fn start(&mut self, style: StructureStyle, open: Open) -> Result<bool, String> {
        if self.open.is_empty() && style != StructureStyle::Block {
            return Ok(false);
        }
        self.check_depth()?;
        if matches!(self.open.last(), Some(Open::Map(_, None))) {
            return Err("a key is a list or a map".into());
        }
        self.open.push(open);
        Ok(true)
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, unwritten: bool) -> Result<(), String> {
        if let Some(Open::Map(entries, key @ None)) = self.open.last_mut() {
            if unwritten {
                return Err("a key is missing".into());
            }
            if entries.contains_key(text) {
                let short: String = text.chars().take(40).collect();
                return Err(format!("the key `{short}` is repeated"));
            }
            *key = Some(text.to_owned());
            return Ok(());
        }
        self.check_depth()?;
        let value = match style {
            ScalarStyle::Plain => scalar::plain(text)?,
            _ => Value::text(text),
        };
        self.place(value)
    }

    /// The next value would stand below all that are open.
    fn check_depth(&self) -> Result<(), String> {
        if self.open.len() > MAX_DEPTH {
            return Err(format!("it is nested deeper than {MAX_DEPTH} levels"));
        }
        Ok(())
    }

    fn place(&mut self, value: Value) -> Result<(), String> {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(entries, key)) => {
                let key = key.take().ok_or("a value has no key")?;
                entries.insert(key, value);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
