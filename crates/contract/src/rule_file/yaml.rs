//! YAML (and so JSON) as a tree in which every node and key knows where it stands.
//!
//! Repeated keys stay in the tree, so that the reader can report each of them
//! with its place, and one mistake does not hide the next.

use super::Placed;
use crate::source::Source;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy};
use serde_saphyr::{Location, Spanned};
use std::fmt;
use std::ops::Range;

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 32;

/// A YAML node.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    /// A whole number that is not negative.
    Natural(u64),
    /// Any other number.
    Number(f64),
    Text(String),
    List(Vec<Placed<Node>>),
    Map(Vec<(Placed<String>, Placed<Node>)>),
}

impl Node {
    /// What it is, for a message.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Node::Null => "nothing",
            Node::Bool(_) => "a truth value",
            Node::Natural(_) | Node::Number(_) => "a number",
            Node::Text(_) => "a text",
            Node::List(_) => "a list",
            Node::Map(_) => "a mapping",
        }
    }
}

/// Reads the one document of a text.
///
/// # Errors
/// What is wrong, and the byte offset where.
pub(crate) fn read(source: &Source) -> Result<Placed<Node>, (String, usize)> {
    let options = serde_saphyr::options! {
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        strict_booleans: true,
        budget: serde_saphyr::budget! { max_depth: MAX_DEPTH },
    };
    serde_saphyr::from_str_with_options::<Spanned<Raw>>(source.text(), options)
        .map(|node| placed(node, source))
        .map_err(|error| {
            let at = error
                .location()
                .map_or(0, |at| line_and_column(&at, source));
            let message = error.without_snippet().to_string();
            // The place is said in its own way.
            let message = message
                .split(" at line ")
                .next()
                .unwrap_or_default()
                .to_owned();
            let message = if message.contains("multiple YAML documents") {
                "it holds more than one document".to_owned()
            } else {
                message
            };
            (message, at)
        })
}

/// The byte offset of a 1-based line and column.
fn line_and_column(at: &Location, source: &Source) -> usize {
    let (line, column) = (at.line().max(1), at.column().max(1));
    let index = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let range = source.lines(index(line), index(line));
    let text = source.text().get(range.clone()).unwrap_or_default();
    let inside = text
        .char_indices()
        .nth(index(column - 1))
        .map_or(text.len(), |(at, _)| at);
    range.start + inside
}

fn range(at: &Location, source: &Source) -> Range<usize> {
    let index = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let end = source.text().len();
    let start = match at.span().byte_offset() {
        Some(offset) => index(offset),
        None => line_and_column(at, source),
    };
    let length = at.span().byte_len().map_or(0, index);
    start.min(end)..start.saturating_add(length).min(end)
}

/// A node as serde gives it, before its places are byte ranges.
enum Raw {
    Leaf(Node),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

/// Turns locations into byte ranges; the depth is bounded by the reader.
fn placed(node: Spanned<Raw>, source: &Source) -> Placed<Node> {
    let range_here = range(&node.defined, source);
    let value = match node.value {
        Raw::Leaf(leaf) => leaf,
        Raw::List(items) => {
            Node::List(items.into_iter().map(|item| placed(item, source)).collect())
        }
        Raw::Map(entries) => Node::Map(
            entries
                .into_iter()
                .map(|(key, value)| {
                    let key = Placed {
                        range: range(&key.defined, source),
                        value: key.value,
                    };
                    (key, placed(value, source))
                })
                .collect(),
        ),
    };
    Placed {
        value,
        range: range_here,
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, a list or a mapping")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Leaf(Node::Null))
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Leaf(Node::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        Raw::deserialize(deserializer)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Raw, E> {
        Ok(Raw::Leaf(Node::Bool(truth)))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Raw, E> {
        Ok(Raw::Leaf(Node::Natural(number)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Raw, E> {
        Ok(Raw::Leaf(
            u64::try_from(number).map_or(Node::Number(number as f64), Node::Natural),
        ))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Raw, E> {
        Ok(Raw::Leaf(Node::Number(number)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Leaf(Node::Text(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Raw::Map(map))
    }
}
