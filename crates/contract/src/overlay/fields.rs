//! The parts of an overlay file by their kinds, each with the complaint that
//! fits when it is something else.

use super::{OverlayError, Word};
use crate::language::nearest;
use crate::rule_file::Placed;
use crate::rule_file::scalar;
use crate::rule_file::yaml::Node;
use crate::source::{Position, Source};
use serde_json::{Map, Number, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// A mapping as it is written.
pub(super) type Entries = Vec<(Placed<String>, Placed<Node>)>;

/// Reads parts of one file.
pub(super) struct Fields<'a> {
    pub(super) source: &'a Source,
}

impl Fields<'_> {
    /// Where something stands.
    pub(super) fn at<T>(&self, placed: &Placed<T>) -> Position {
        self.source.position(placed.range.start)
    }

    /// A mapping.
    pub(super) fn entries(
        &self,
        what: &str,
        node: Placed<Node>,
        help: &str,
    ) -> Result<Entries, OverlayError> {
        let at = self.at(&node);
        match node.value {
            Node::Map(entries) => Ok(entries),
            Node::Null => Err(OverlayError::new(at, format!("{what} is empty"), help)),
            other => {
                let message = format!("{what} is {}, not a mapping", other.describe());
                Err(OverlayError::new(at, message, help))
            }
        }
    }

    /// The values of a mapping whose keys are fixed.
    pub(super) fn fixed(
        &self,
        entries: Entries,
        known: &[&'static str],
        whose: &str,
    ) -> Result<BTreeMap<&'static str, Placed<Node>>, OverlayError> {
        let mut fields = BTreeMap::new();
        for (key, value) in self.free(entries)? {
            let Some(name) = known.iter().copied().find(|name| *name == key.text) else {
                let help = match nearest(&key.text, known.iter().copied()) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => format!("its keys are `{}`", known.join("`, `")),
                };
                let message = format!("{whose} has no key `{}`", key.text);
                return Err(OverlayError::new(key.at, message, help));
            };
            fields.insert(name, value);
        }
        Ok(fields)
    }

    /// The values of a mapping whose keys are the file's own.
    pub(super) fn free(&self, entries: Entries) -> Result<Vec<(Word, Placed<Node>)>, OverlayError> {
        let mut seen: BTreeMap<String, Position> = BTreeMap::new();
        let mut free = Vec::new();
        for (key, value) in entries {
            let at = self.at(&key);
            let text = key.value;
            if let Some(first) = seen.insert(text.clone(), at) {
                let message = format!("the key `{text}` is repeated");
                let help = format!("keep one; the first stands in line {}", first.line);
                return Err(OverlayError::new(at, message, help));
            }
            free.push((Word { text, at }, value));
        }
        Ok(free)
    }

    /// A text that is not blank.
    pub(super) fn text(&self, what: &str, node: &Placed<Node>) -> Result<Word, OverlayError> {
        let at = self.at(node);
        let is_null = matches!(node.value, Node::Null);
        if let Some(tag) = scalar::tag(self.source.text(), node.range.start, is_null) {
            let word = self.source.text().get(tag).unwrap_or_default();
            let message = format!("YAML takes `{word}` for a tag and drops it");
            let help = "put a text that starts with `!` in quotes";
            return Err(OverlayError::new(at, message, help));
        }
        match &node.value {
            Node::Text(text) if !text.trim().is_empty() => Ok(Word {
                text: text.trim().to_owned(),
                at,
            }),
            Node::Text(_) | Node::Null => Err(OverlayError::new(
                at,
                format!("{what} is empty"),
                "fill it, or leave the key out",
            )),
            other => {
                let message = format!("{what} is {}, not a text", other.describe());
                let help = match other {
                    Node::List(_) | Node::Map(_) => "give one text",
                    _ => "put it in quotes",
                };
                Err(OverlayError::new(at, message, help))
            }
        }
    }

    /// A list of texts, none of them twice; one text alone counts as a list.
    pub(super) fn texts(&self, what: &str, node: &Placed<Node>) -> Result<Vec<Word>, OverlayError> {
        let Node::List(items) = &node.value else {
            return Ok(vec![self.text(what, node)?]);
        };
        let mut words: Vec<Word> = Vec::new();
        let mut seen = BTreeSet::new();
        for item in items {
            let word = self.text(&format!("an item of {what}"), item)?;
            if !seen.insert(word.text.clone()) {
                let message = format!("{what} has `{}` twice", word.text);
                return Err(OverlayError::new(word.at, message, "keep one"));
            }
            words.push(word);
        }
        if words.is_empty() {
            let help = "fill it, or leave the key out";
            return Err(OverlayError::new(
                self.at(node),
                format!("{what} is empty"),
                help,
            ));
        }
        Ok(words)
    }

    /// A truth value.
    pub(super) fn truth(&self, what: &str, node: &Placed<Node>) -> Result<bool, OverlayError> {
        match &node.value {
            Node::Bool(truth) => Ok(*truth),
            other => {
                let message = format!("{what} is {}", other.describe());
                let help = "write `true` or `false`, without quotes";
                Err(OverlayError::new(self.at(node), message, help))
            }
        }
    }

    /// Any data; the reader bounds its depth.
    pub(super) fn data(&self, node: Placed<Node>) -> Result<Json, OverlayError> {
        Ok(match node.value {
            Node::Null => Json::Null,
            Node::Bool(truth) => Json::Bool(truth),
            Node::Natural(number) => Json::Number(number.into()),
            // Whole numbers stay whole; what is no number of JSON cannot be meant.
            Node::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
                Json::Number((number as i64).into())
            }
            Node::Number(number) => Number::from_f64(number).map_or(Json::Null, Json::Number),
            Node::Text(text) => Json::String(text),
            Node::List(items) => Json::Array(
                items
                    .into_iter()
                    .map(|item| self.data(item))
                    .collect::<Result<_, _>>()?,
            ),
            Node::Map(entries) => {
                let mut map = Map::new();
                for (key, value) in self.free(entries)? {
                    map.insert(key.text, self.data(value)?);
                }
                Json::Object(map)
            }
        })
    }
}
