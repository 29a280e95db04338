//! The tool catalog: what the agent can call, and what is known about each tool.

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
        match self.schema.get("type") {
            Some(Json::String(one)) => BTreeSet::from([one.as_str()]),
            Some(Json::Array(several)) => several.iter().filter_map(Json::as_str).collect(),
            _ => BTreeSet::new(),
        }
    }
}

/// One tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What its author says it does.
    pub description: String,
    /// Its parameters by name.
    pub parameters: BTreeMap<String, Parameter>,
    /// Whether arguments that the schema does not list are accepted.
    pub open: bool,
    /// Whether it changes anything; none if the catalog does not say.
    pub effect: Option<Effect>,
    /// Hash over name, description and schema.
    pub fingerprint: String,
    /// Names of fields seen in its recorded results, at any depth.
    pub seen_fields: BTreeSet<String>,
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
}

/// Why a text is no catalog.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// The text is not JSON.
    #[error("the tool catalog is not JSON: {0}")]
    NotJson(String),
    /// JSON, but not a list of tools.
    #[error(
        "the tool catalog is no list of tools; expected an array of OpenAI function definitions"
    )]
    NotAList,
    /// An entry is not a function definition.
    #[error("tool {index} of the catalog has no {missing}; expected an OpenAI function definition")]
    NotATool {
        /// 0-based place in the list.
        index: usize,
        /// What is missing.
        missing: &'static str,
    },
    /// A name appears twice.
    #[error("the tool catalog defines `{0}` twice")]
    Repeated(String),
    /// An object of the catalog has one key twice, so one of two meanings would be lost.
    #[error("an object of the tool catalog has the key `{0}` twice; keep one")]
    RepeatedKey(String),
    /// A mark or a schema that would be passed over as if it were not there.
    #[error("tool `{tool}` of the catalog has a `{key}` that means nothing; it must be {expected}")]
    Unusable {
        /// The tool.
        tool: String,
        /// The key.
        key: &'static str,
        /// What may stand there.
        expected: &'static str,
    },
    /// A list without a tool.
    #[error("the tool catalog has no tools, so no rule could ever apply")]
    Empty,
}

impl Catalog {
    /// Reads a catalog in OpenAI form: an array of `{"type": "function",
    /// "function": {…}}` or of the flat form, or an object with such a `tools`.
    ///
    /// # Errors
    /// [`CatalogError`] says what is wrong and where.
    pub fn from_json(text: &str) -> Result<Catalog, CatalogError> {
        let json: Json =
            serde_json::from_str(text).map_err(|error| CatalogError::NotJson(error.to_string()))?;
        // The reader above keeps the last of two equal keys without a word.
        if let Err(ValueError::RepeatedKey(key)) = Value::from_json(text) {
            return Err(CatalogError::RepeatedKey(key));
        }
        let list = match &json {
            Json::Array(list) => list,
            Json::Object(object) => object
                .get("tools")
                .and_then(Json::as_array)
                .ok_or(CatalogError::NotAList)?,
            _ => return Err(CatalogError::NotAList),
        };
        if list.is_empty() {
            return Err(CatalogError::Empty);
        }
        let mut tools = BTreeMap::new();
        for (index, entry) in list.iter().enumerate() {
            let tool = read_tool(index, entry)?;
            let name = tool.name.clone();
            if tools.insert(name.clone(), tool).is_some() {
                return Err(CatalogError::Repeated(name));
            }
        }
        Ok(Catalog { tools })
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

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.tools.get(name)
    }

    /// All tools in order of their names.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values()
    }

    /// All names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }
}

fn read_tool(index: usize, entry: &Json) -> Result<Tool, CatalogError> {
    let function = entry.get("function").unwrap_or(entry);
    let name = function
        .get("name")
        .and_then(Json::as_str)
        .filter(|name| !name.is_empty())
        .ok_or(CatalogError::NotATool {
            index,
            missing: "name",
        })?;
    usable(name, entry, function)?;
    let description = function
        .get("description")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let empty = Json::Object(serde_json::Map::new());
    let schema = function
        .get("parameters")
        .filter(|it| !it.is_null())
        .unwrap_or(&empty);
    let required: BTreeSet<&str> = schema
        .get("required")
        .and_then(Json::as_array)
        .map(|list| list.iter().filter_map(Json::as_str).collect())
        .unwrap_or_default();
    let parameters = schema
        .get("properties")
        .and_then(Json::as_object)
        .map(|properties| {
            properties
                .iter()
                .map(|(name, property)| {
                    let parameter = Parameter {
                        required: required.contains(name.as_str()),
                        schema: resolve_reference(property, schema),
                    };
                    (name.clone(), parameter)
                })
                .collect()
        })
        .unwrap_or_default();
    Ok(Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
        open: schema.get("additionalProperties") == Some(&Json::Bool(true)),
        effect: effect(entry, function),
        fingerprint: fingerprint(name, description, schema),
        seen_fields: BTreeSet::new(),
    })
}

/// Most names of result fields that are kept for one tool.
const MAX_SEEN: usize = 512;

/// Most parts of one property's schema that are written out.
const MAX_PARTS: usize = 4096;

/// The schema of a property with every `$ref` into the tool's own schema
/// replaced by what it names, a few levels deep and up to [`MAX_PARTS`] parts,
/// so that rings and fans of references end. What lies beyond stays a reference.
fn resolve_reference(property: &Json, schema: &Json) -> Json {
    inline(property, schema, 8, &mut { MAX_PARTS })
}

fn inline(part: &Json, schema: &Json, depth: usize, parts: &mut usize) -> Json {
    let (Some(depth), Some(left)) = (depth.checked_sub(1), parts.checked_sub(1)) else {
        return part.clone();
    };
    *parts = left;
    let target = part
        .get("$ref")
        .and_then(Json::as_str)
        .and_then(|reference| reference.strip_prefix('#'))
        .and_then(|pointer| schema.pointer(pointer));
    match (target, part) {
        (Some(target), _) => inline(target, schema, depth, parts),
        (None, Json::Array(items)) => items
            .iter()
            .map(|item| inline(item, schema, depth, parts))
            .collect(),
        (None, Json::Object(fields)) => {
            let fields = fields.iter();
            let fields =
                fields.map(|(name, field)| (name.clone(), inline(field, schema, depth, parts)));
            Json::Object(fields.collect())
        }
        (None, other) => other.clone(),
    }
}

/// Refuses what would otherwise count as not said at all.
fn usable(tool: &str, entry: &Json, function: &Json) -> Result<(), CatalogError> {
    type Test = fn(&Json) -> bool;
    let kind: Test = |it| matches!(it.as_str(), Some("read" | "write" | "generic" | "think"));
    let keys: [(&'static str, &'static str, Test); 3] = [
        ("x-write", "true or false", Json::is_boolean),
        ("x-tool-type", "`read`, `write` or `generic`", kind),
        (
            "parameters",
            "a JSON schema, which is an object",
            Json::is_object,
        ),
    ];
    for (key, expected, is_usable) in keys {
        let found = [entry, function].into_iter().filter_map(|it| it.get(key));
        if found.into_iter().any(|it| !it.is_null() && !is_usable(it)) {
            let tool = tool.to_owned();
            return Err(CatalogError::Unusable {
                tool,
                key,
                expected,
            });
        }
    }
    Ok(())
}

/// The effect class that the catalog declares beside or inside the function.
fn effect(entry: &Json, function: &Json) -> Option<Effect> {
    for object in [entry, function] {
        if let Some(write) = object.get("x-write").and_then(Json::as_bool) {
            return Some(if write { Effect::Write } else { Effect::Read });
        }
        match object.get("x-tool-type").and_then(Json::as_str) {
            Some("write") => return Some(Effect::Write),
            Some("read" | "think" | "generic") => return Some(Effect::Read),
            _ => {}
        }
    }
    None
}

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
mod tests {
    use super::*;

    #[test]
    fn reads_both_openai_forms_and_their_effect_marks() {
        let catalog = Catalog::from_json(
            r##"[
              {"type": "function", "x-write": true, "function": {"name": "refund", "parameters":
                {"properties": {"order": {"$ref": "#/$defs/Order"}, "reason": {"enum": ["lost", "late"]}},
                 "required": ["order"], "$defs": {"Order": {"type": "string"}}}}},
              {"type": "function", "name": "look_up", "x-tool-type": "read"},
              {"name": "shrug"}]"##,
        )
        .unwrap();
        let refund = catalog.get("refund").unwrap();
        assert!(refund.parameters["order"].required);
        assert_eq!(
            refund.parameters["order"].types(),
            BTreeSet::from(["string"])
        );
        assert_eq!(refund.parameters["reason"].domain().unwrap().len(), 2);
        assert_eq!(refund.effect, Some(Effect::Write));
        assert_eq!(catalog.get("look_up").unwrap().effect, Some(Effect::Read));
        assert_eq!(catalog.get("shrug").unwrap().effect, None);
        assert!(catalog.get("shrug").unwrap().is_write());
    }

    #[test]
    fn field_names_are_learned_from_results() {
        let mut catalog = Catalog::from_json(r#"[{"name": "get_user"}]"#).unwrap();
        let result =
            r#"{"name": "Ann", "cards": {"card_17": {"brand": "v"}}, "trips": [{"day": 1}]}"#;
        catalog.learn("get_user", &Value::from_json(result).unwrap());
        catalog.learn("unknown", &Value::Null);
        let seen: Vec<&str> = catalog
            .get("get_user")
            .unwrap()
            .seen_fields
            .iter()
            .map(String::as_str)
            .collect();
        assert_eq!(seen, ["brand", "cards", "day", "name", "trips"]);
    }

    #[test]
    fn what_is_no_catalog_says_why() {
        assert_eq!(Catalog::from_json("[]"), Err(CatalogError::Empty));
        assert_eq!(Catalog::from_json("3"), Err(CatalogError::NotAList));
        assert!(matches!(
            Catalog::from_json("["),
            Err(CatalogError::NotJson(_))
        ));
        assert!(matches!(
            Catalog::from_json(r#"[{"function": {}}]"#),
            Err(CatalogError::NotATool { index: 0, .. })
        ));
        assert_eq!(
            Catalog::from_json(r#"[{"name": "a"}, {"name": "a"}]"#),
            Err(CatalogError::Repeated("a".into()))
        );
        assert_eq!(
            Catalog::from_json(r#"[{"name": "a", "x-write": false, "x-write": true}]"#),
            Err(CatalogError::RepeatedKey("x-write".into()))
        );
    }

    #[test]
    fn a_mark_that_means_nothing_is_no_mark() {
        let unusable = |fields: &str| {
            let text = format!(r#"[{{"name": "t", {fields}}}]"#);
            Catalog::from_json(&text)
                .err()
                .map(|error| error.to_string())
        };
        let check = |fields: &str, key: &str| {
            let error = unusable(fields).unwrap();
            assert!(error.contains("`t`") && error.contains(key), "{error}");
        };
        check(r#""x-write": "yes""#, "x-write");
        check(r#""x-tool-type": "wirte""#, "x-tool-type");
        check(r#""parameters": 5"#, "parameters");
        assert_eq!(unusable(r#""parameters": null"#), None);
        assert_eq!(unusable(r#""x-tool-type": "think""#), None);
    }

    #[test]
    fn a_ring_of_references_ends() {
        let text = r##"[{"name": "t", "parameters": {"properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}}]"##;
        assert!(Catalog::from_json(text).is_ok());
        let fan = vec![r##"{"$ref": "#/$defs/A"}"##; 200].join(", ");
        let text = format!(
            r##"[{{"name": "t", "parameters": {{"properties": {{"a": {{"$ref": "#/$defs/A"}}}},
            "$defs": {{"A": {{"anyOf": [{fan}]}}}}}}}}]"##
        );
        assert!(Catalog::from_json(&text).is_ok());
    }
}
