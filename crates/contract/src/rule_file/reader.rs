//! The parts of a rule file: keys, texts, lists and mappings, each with the
//! complaint that fits when it is something else.

use super::Placed;
use super::scalar;
use super::yaml::Node;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::language::{Terms, nearest};
use crate::source::Source;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Reads parts and collects what is wrong.
pub(super) struct Reader<'a> {
    pub(super) source: &'a Source,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The terms that the file names.
    pub(super) terms: Terms,
    /// Names whose terms could not be read, so that their use is no second mistake.
    pub(super) broken: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        Reader {
            source,
            diagnostics: Vec::new(),
            terms: Terms::default(),
            broken: BTreeSet::new(),
        }
    }

    pub(super) fn label(&self, range: Range<usize>) -> Label {
        Label::new(self.source.name(), range)
    }

    /// Notes a mistake in how the file is written.
    pub(super) fn complain(
        &mut self,
        range: Range<usize>,
        about: Option<&str>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let mut diagnostic = Diagnostic::new(Code::Syntax, message)
            .help(help)
            .at(self.label(range));
        diagnostic.contracts.extend(about.map(str::to_owned));
        self.diagnostics.push(diagnostic);
    }

    /// The values by their keys; unknown and repeated keys are complained about
    /// and left out.
    pub(super) fn fields(
        &mut self,
        map: Vec<(Placed<String>, Placed<Node>)>,
        known: &[&'static str],
        whose: &str,
        about: Option<&str>,
    ) -> BTreeMap<&'static str, Placed<Node>> {
        let mut fields = BTreeMap::new();
        for (key, value) in map {
            let Some(name) = known.iter().copied().find(|name| *name == key.value) else {
                let help = match nearest(&key.value, known.iter().copied()) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => format!("the keys of {whose} are `{}`", known.join("`, `")),
                };
                let message = format!("{whose} has no key `{}`", key.value);
                self.complain(key.range, about, message, help);
                continue;
            };
            if fields.contains_key(name) {
                let message = format!("the key `{name}` is repeated");
                self.complain(key.range, about, message, "keep one of them");
                continue;
            }
            fields.insert(name, value);
        }
        fields
    }

    /// The entries of a mapping; none, with a complaint, if it is something else.
    pub(super) fn mapping(
        &mut self,
        name: &str,
        node: Placed<Node>,
        about: Option<&str>,
        example: &str,
    ) -> Option<Vec<(Placed<String>, Placed<Node>)>> {
        match node.value {
            Node::Map(map) => Some(map),
            other => {
                let message = format!("{name} is {}, not a mapping", other.describe());
                self.complain(node.range, about, message, format!("write `{example}`"));
                None
            }
        }
    }

    /// A text; none if it is `null` or something else, which is complained about.
    pub(super) fn text(
        &mut self,
        name: &str,
        node: Placed<Node>,
        about: Option<&str>,
    ) -> Option<Placed<String>> {
        let is_null = matches!(node.value, Node::Null);
        if let Some(tag) = scalar::tag(self.source.text(), node.range.start, is_null) {
            let word = self.source.text().get(tag.clone()).unwrap_or_default();
            let message = format!("YAML takes `{word}` for a tag and drops it");
            let help =
                "put a text that starts with `!` in quotes, or behind `|` on a line of its own";
            self.complain(tag, about, message, help);
            return None;
        }
        match node.value {
            Node::Text(value) => Some(Placed {
                value,
                range: node.range,
            }),
            Node::Null if !node.range.is_empty() => None,
            Node::Null => {
                let message = format!("`{name}` is empty");
                self.complain(
                    node.range,
                    about,
                    message,
                    "fill it, leave it out, or write `null`",
                );
                None
            }
            other => {
                let message = format!("`{name}` is {}, not a text", other.describe());
                let help = match other {
                    Node::List(_) | Node::Map(_) => "give one text",
                    _ => "put it in quotes",
                };
                self.complain(node.range, about, message, help);
                None
            }
        }
    }

    /// A list of texts; one text alone counts as a list of one.
    pub(super) fn list(
        &mut self,
        name: &str,
        node: Placed<Node>,
        about: Option<&str>,
    ) -> Vec<Placed<String>> {
        match node.value {
            Node::List(items) => items
                .into_iter()
                .filter_map(|item| self.item(name, item, about))
                .collect(),
            _ => self.text(name, node, about).into_iter().collect(),
        }
    }

    fn item(
        &mut self,
        name: &str,
        node: Placed<Node>,
        about: Option<&str>,
    ) -> Option<Placed<String>> {
        let is_null = matches!(node.value, Node::Null);
        let range = node.range.clone();
        let before = self.diagnostics.len();
        let text = self.text(name, node, about);
        if is_null && self.diagnostics.len() == before {
            let message = format!("an item of `{name}` is `null`");
            self.complain(range, about, message, "remove it");
        }
        text
    }

    /// A whole number that is not negative.
    pub(super) fn natural(
        &mut self,
        name: &str,
        node: &Placed<Node>,
        about: Option<&str>,
    ) -> Option<u32> {
        match node.value {
            Node::Natural(number) if u32::try_from(number).is_ok() => u32::try_from(number).ok(),
            Node::Null if !node.range.is_empty() => None,
            _ => {
                let message = format!("`{name}` is no whole number");
                self.complain(
                    node.range.clone(),
                    about,
                    message,
                    format!("write `{name}: 3`"),
                );
                None
            }
        }
    }

    /// One of the words that a setting knows.
    pub(super) fn choice<T: DeserializeOwned>(
        &mut self,
        name: &str,
        node: Placed<Node>,
        words: &[&str],
        about: Option<&str>,
    ) -> Option<T> {
        let text = self.text(name, node, about)?;
        let choice = serde_json::from_value(serde_json::Value::from(text.value.as_str())).ok();
        if choice.is_none() {
            let help = match nearest(&text.value, words.iter().copied()) {
                Some(word) => format!("did you mean `{word}`?"),
                None => format!("write one of `{}`", words.join("`, `")),
            };
            let message = format!("`{}` is no value of `{name}`", text.value);
            self.complain(text.range, about, message, help);
        }
        choice
    }
}
