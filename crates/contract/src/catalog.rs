//! The tool catalog: what the agent can call, and what is known about each tool.

mod entry;
mod error;
mod finding;
mod list;
mod open_api;
mod reference;
mod types;

pub use error::CatalogError;

use crate::declared::{Entity, ParameterRecord, ResultForm};
use crate::names::ToolNames;
use crate::value::{Value, ValueError};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a tool changes anything.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// May change something.
    Write,
}

/// One parameter of a tool, as its schema declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Whether a call must carry it.
    pub required: bool,
    /// Its JSON Schema, with `$ref`s into the tool's own schema replaced by what they name.
    pub schema: Json,
}

impl Parameter {
    /// The finite set of values the schema allows, if it lists one.
    pub fn domain(&self) -> Option<BTreeSet<Value>> {
        if let Some(only) = self.schema.get("const") {
            return Some(BTreeSet::from([Value::from_serde(only).ok()?]));
        }
        if let Some(values) = self.schema.get("enum").and_then(Json::as_array) {
            return values
                .iter()
                .map(|value| Value::from_serde(value).ok())
                .collect();
        }
        if self.schema.get("type").and_then(Json::as_str) == Some("boolean") {
            return Some(BTreeSet::from([Value::Bool(false), Value::Bool(true)]));
        }
        None
    }

    /// The JSON types the schema allows; empty if it does not say.
    pub fn types(&self) -> BTreeSet<&str> {
        types::types(&self.schema)
    }

    /// The value that stands for an absent argument; a default of null stands
    /// for nothing.
    pub fn default(&self) -> Option<&Json> {
        self.schema
            .get("default")
            .filter(|default| !default.is_null())
    }

    /// What a library keeps of it.
    pub fn record(&self) -> ParameterRecord {
        ParameterRecord {
            types: self.types().into_iter().map(str::to_owned).collect(),
            default: self.default().cloned(),
            required: self.required,
        }
    }
}

/// One tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// What rules and libraries call it: its name, or `server/name` if its
    /// catalog names a server.
    pub id: String,
    /// The server that offers it, if its catalog names one.
    pub server: Option<String>,
    /// Its name on that server.
    pub name: String,
    /// What its author says it does.
    pub description: String,
    /// Its parameters by name.
    pub parameters: BTreeMap<String, Parameter>,
    /// Whether arguments that the schema does not list are accepted.
    pub open: bool,
    /// Whether it changes anything; none if the catalog does not say.
    pub effect: Option<Effect>,
    /// Whether the effect class is a hint of the tool's own server, which
    /// nobody else has confirmed.
    pub hinted: bool,
    /// Hash over name, description and schema.
    pub fingerprint: String,
    /// Names of fields seen in its recorded results, at any depth.
    pub seen_fields: BTreeSet<String>,
    /// References in its schema that name nothing.
    pub dangling: BTreeSet<String>,
    /// Other names that agents use for it.
    pub aliases: BTreeSet<String>,
    /// Whether values that its results introduce are trusted.
    pub trusted: bool,
    /// The forms its results come in.
    pub results: Vec<ResultForm>,
    /// JSON Schema of the value its results carry.
    pub shape: Option<Json>,
}

impl Tool {
    /// Whether the tool counts as a write; a tool without a class does.
    pub fn is_write(&self) -> bool {
        self.effect != Some(Effect::Read)
    }
}

/// All tools of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    tools: BTreeMap<String, Tool>,
    /// Servers whose list of tools goes on elsewhere; an empty name stands for
    /// a list without a server.
    continued: BTreeSet<String>,
    /// Kinds of records that tools return and writes make stale.
    pub entities: BTreeMap<String, Entity>,
    /// Names of arguments and fields whose values are ids.
    pub ids: BTreeSet<String>,
}

impl Catalog {
    /// Reads a catalog: an array of tools in OpenAI, Anthropic or MCP form, an
    /// object with such a `tools` and perhaps a `server`, an answer to MCP's
    /// `tools/list`, or an OpenAPI document. Linear in the text.
    ///
    /// # Errors
    /// [`CatalogError`] says what is wrong and where.
    pub fn from_json(text: &str) -> Result<Catalog, CatalogError> {
        Catalog::of_server(text, None)
    }

    /// Reads the catalog of a server, whatever server the text itself names.
    ///
    /// # Errors
    /// As [`Catalog::from_json`], and if the name cannot be one of a server.
    pub fn of_server(text: &str, server: Option<&str>) -> Result<Catalog, CatalogError> {
        let json: Json =
            serde_json::from_str(text).map_err(|error| CatalogError::NotJson(error.to_string()))?;
        // The reader above keeps the last of two equal keys without a word.
        if let Err(ValueError::RepeatedKey(key)) = Value::from_json(text) {
            return Err(CatalogError::RepeatedKey(key));
        }
        list::read(&json, server)
    }

    /// Adds the tools of another catalog.
    ///
    /// # Errors
    /// If both define one tool. Nothing is added then.
    pub fn join(&mut self, other: Catalog) -> Result<(), CatalogError> {
        if let Some(id) = other.tools.keys().find(|id| self.tools.contains_key(*id)) {
            return Err(CatalogError::Repeated(id.clone()));
        }
        self.tools.extend(other.tools);
        self.continued.extend(other.continued);
        self.entities.extend(other.entities);
        self.ids.extend(other.ids);
        Ok(())
    }

    /// Learns the names of a tool's result fields from a recorded, successful
    /// result. Names with digits in them are keys of records rather than fields
    /// of a form, and are left out; so are names beyond the first few hundred
    /// of a tool.
    pub fn learn(&mut self, tool: &str, result: &Value) {
        let Some(tool) = self.tools.get_mut(tool) else {
            return;
        };
        let mut open = vec![result];
        while let Some(value) = open.pop() {
            match value {
                Value::List(items) => open.extend(items),
                Value::Object(fields) => {
                    for (name, field) in fields {
                        let is_field =
                            !name.is_empty() && !name.contains(|c: char| c.is_ascii_digit());
                        if is_field && tool.seen_fields.len() < MAX_SEEN {
                            tool.seen_fields.insert(name.clone());
                        }
                        open.push(field);
                    }
                }
                _ => {}
            }
        }
    }

    /// The tool of this id.
    pub fn get(&self, id: &str) -> Option<&Tool> {
        self.tools.get(id)
    }

    /// The tool of this id, to be told more about.
    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut Tool> {
        self.tools.get_mut(id)
    }

    /// All tools in order of their ids.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values()
    }

    /// All ids in order.
    pub fn tool_ids(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// What agents may call the tools. Costs a pass over all of them, so keep it.
    pub fn tool_names(&self) -> ToolNames {
        ToolNames::new(self.tools().map(|tool| {
            (
                tool.id.as_str(),
                tool.server.as_deref(),
                tool.name.as_str(),
                &tool.aliases,
            )
        }))
    }
}

/// Most names of result fields that are kept for one tool.
const MAX_SEEN: usize = 512;

fn fingerprint(name: &str, description: &str, schema: &Json) -> String {
    // Through `Value`, whose keys are sorted, so that equal schemas give equal text.
    let json = serde_json::json!([name, description, schema]);
    sha256(&Value::from_serde(&json).map_or_else(|_| json.to_string(), |value| value.to_string()))
}

/// SHA-256 of a text as lower-case hexadecimal digits.
pub fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
