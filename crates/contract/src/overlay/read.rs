//! Reading an overlay file.

use super::fields::{Entries, Fields};
use super::{EntityPart, InvalidationPart, Overlay, OverlayError, ToolPart, condition};
use crate::catalog::Effect;
use crate::declared::ResultForm;
use crate::language::nearest;
use crate::rule_file::Placed;
use crate::rule_file::yaml::{self, Node};
use crate::source::{Position, Source};
use std::collections::BTreeMap;

/// What an overlay looks like, for whoever gave something else.
const HELP: &str = "an overlay has the keys `ids`, `tools` and `entities`";

const RESULTS: &str = "write `results: [{ok: \"result[0] == true\", value: \"result[1]\"}]`";

impl Overlay {
    /// Reads an overlay as YAML or JSON. Linear in the text.
    ///
    /// # Errors
    /// The first mistake: no YAML, a key that is unknown or repeated, a value of
    /// the wrong kind, a condition that cannot be read.
    pub fn from_text(text: &str) -> Result<Overlay, OverlayError> {
        let source = Source::new("", text);
        let fields = Fields { source: &source };
        let root = yaml::read(&source).map_err(|(message, at)| {
            let message = match message.contains("budget breached") {
                true => "the overlay is too large or nested too deep".to_owned(),
                false => format!("the overlay is neither YAML nor JSON: {message}"),
            };
            let help = "put texts with `@`, `: ` or ` #` in quotes";
            OverlayError::new(source.position(at), message, help)
        })?;
        fields.overlay(root)
    }
}

impl Fields<'_> {
    fn overlay(&self, root: Placed<Node>) -> Result<Overlay, OverlayError> {
        let entries = self.entries("the overlay", root, HELP)?;
        let mut fields = self.fixed(entries, &["ids", "tools", "entities"], "an overlay")?;
        let mut overlay = Overlay::default();
        if let Some(node) = fields.remove("ids") {
            let words = self.texts("`ids`", &node)?;
            overlay.ids = words.into_iter().map(|word| word.text).collect();
        }
        let help = "give each tool a mapping, or leave the key out";
        if let Some(node) = fields.remove("tools") {
            for (tool, node) in self.free(self.entries("`tools`", node, help)?)? {
                let entries = self.entries(&format!("tool `{}`", tool.text), node, help)?;
                let part = self.tool(entries)?;
                overlay.tools.push((tool, part));
            }
        }
        let help = "give each kind of record a mapping with `key` and `returned_by`";
        if let Some(node) = fields.remove("entities") {
            for (name, node) in self.free(self.entries("`entities`", node, help)?)? {
                let entries = self.entries(&format!("entity `{}`", name.text), node, help)?;
                let part = self.entity(&name.text, name.at, entries)?;
                overlay.entities.insert(name.text, part);
            }
        }
        Ok(overlay)
    }

    fn tool(&self, entries: Entries) -> Result<ToolPart, OverlayError> {
        let known = ["effect", "aliases", "trusted", "results", "shape"];
        let mut fields = self.fixed(entries, &known, "a tool of an overlay")?;
        let mut part = ToolPart::default();
        if let Some(node) = fields.remove("effect") {
            part.effect = Some(self.effect(&node)?);
        }
        if let Some(node) = fields.remove("aliases") {
            part.aliases = self.texts("`aliases`", &node)?;
        }
        if let Some(node) = fields.remove("trusted") {
            part.trusted = Some(self.truth("`trusted`", &node)?);
        }
        if let Some(node) = fields.remove("results") {
            part.results = Some(self.results(node)?);
        }
        if let Some(node) = fields.remove("shape") {
            let at = self.at(&node);
            let Node::Map(_) = node.value else {
                let message = format!("`shape` is {}", node.value.describe());
                let help = "write a JSON Schema, such as `shape: {type: object}`";
                return Err(OverlayError::new(at, message, help));
            };
            part.shape = Some(self.data(node)?);
        }
        Ok(part)
    }

    fn effect(&self, node: &Placed<Node>) -> Result<Effect, OverlayError> {
        let word = self.text("`effect`", node)?;
        match word.text.as_str() {
            "read" => Ok(Effect::Read),
            "write" => Ok(Effect::Write),
            other => {
                let help = match nearest(other, ["read", "write"]) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "write `read` or `write`".to_owned(),
                };
                let message = format!("`{other}` is no effect");
                Err(OverlayError::new(word.at, message, help))
            }
        }
    }

    fn results(&self, node: Placed<Node>) -> Result<Vec<ResultForm>, OverlayError> {
        let at = self.at(&node);
        let items = match node.value {
            Node::List(items) if !items.is_empty() => items,
            Node::List(_) => {
                return Err(OverlayError::new(at, "`results` is empty", RESULTS));
            }
            other => {
                let message = format!("`results` is {}, not a list", other.describe());
                return Err(OverlayError::new(at, message, RESULTS));
            }
        };
        let forms = items.into_iter().map(|item| {
            let at = self.at(&item);
            let entries = self.entries("a form of `results`", item, RESULTS)?;
            let fields = self.fixed(entries, &["ok", "value"], "a form of `results`")?;
            if fields.is_empty() {
                let message = "a form of `results` says nothing";
                return Err(OverlayError::new(at, message, RESULTS));
            }
            Ok(ResultForm {
                ok: match fields.get("ok") {
                    // `ok: true` without quotes can only mean one thing.
                    Some(Placed {
                        value: Node::Bool(true),
                        ..
                    })
                    | None => "true".to_owned(),
                    Some(node) => condition::condition(&self.text("`ok`", node)?)?,
                },
                value: match fields.get("value") {
                    Some(node) => condition::value(&self.text("`value`", node)?)?,
                    None => "result".to_owned(),
                },
            })
        });
        forms.collect()
    }

    fn entity(
        &self,
        name: &str,
        at: Position,
        entries: Entries,
    ) -> Result<EntityPart, OverlayError> {
        let known = ["key", "returned_by", "invalidated_by"];
        let mut fields = self.fixed(entries, &known, "an entity")?;
        let mut needed = |key: &str, help: &str| {
            fields.remove(key).ok_or_else(|| {
                OverlayError::new(at, format!("entity `{name}` has no `{key}`"), help)
            })
        };
        let key = needed("key", "name the field that holds the record's id")?;
        let returned_by = needed("returned_by", "name the tools whose value is the record")?;
        let mut part = EntityPart {
            key: self.text("`key`", &key)?.text,
            returned_by: self.texts("`returned_by`", &returned_by)?,
            invalidated_by: Vec::new(),
        };
        if let Some(node) = fields.remove("invalidated_by") {
            let help = "write `invalidated_by: {TOOL: {fields: [NAME], key: ARGUMENT}}`";
            let entries = self.entries("`invalidated_by`", node, help)?;
            for (tool, node) in self.free(entries)? {
                let invalidation = self.invalidation(&tool.text, node, help)?;
                part.invalidated_by.push((tool, invalidation));
            }
        }
        Ok(part)
    }

    fn invalidation(
        &self,
        tool: &str,
        node: Placed<Node>,
        help: &str,
    ) -> Result<InvalidationPart, OverlayError> {
        let entries = match &node.value {
            // `{}`: the whole of every record. A blank behind the colon could be
            // a line that was forgotten.
            Node::Map(entries) if entries.is_empty() => return Ok(InvalidationPart::default()),
            _ => self.entries(&format!("`{tool}` of `invalidated_by`"), node, help)?,
        };
        let fields: BTreeMap<_, _> = self.fixed(entries, &["fields", "key"], "an invalidation")?;
        Ok(InvalidationPart {
            fields: match fields.get("fields") {
                Some(node) => {
                    let words = self.texts("`fields`", node)?;
                    words.into_iter().map(|word| word.text).collect()
                }
                None => Default::default(),
            },
            key: match fields.get("key") {
                Some(node) => Some(self.text("`key`", node)?),
                None => None,
            },
        })
    }
}
