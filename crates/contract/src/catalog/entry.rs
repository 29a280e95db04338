//! One tool of a list, in whichever form its host writes it.
//!
//! OpenAI's two forms keep the schema under `parameters`, Anthropic's under
//! `input_schema`, MCP's under `inputSchema`. Each entry is recognised by
//! itself, so lists may be mixed.

use super::reference::References;
use super::{CatalogError, Effect, Parameter, Tool, fingerprint};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// The keys under which the known forms keep the schema of the arguments.
const SCHEMAS: [&str; 3] = ["parameters", "input_schema", "inputSchema"];

/// What every form says of a tool.
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    /// JSON Schema of the arguments.
    pub(super) schema: &'a Json,
    /// JSON Schema of the result.
    pub(super) output: Option<Json>,
    pub(super) effect: Option<Effect>,
    /// What the tool's own server says of its effect.
    pub(super) hint: Option<Effect>,
}

/// Reads the entry at `index` of a list.
pub(super) fn read(index: usize, entry: &Json, server: Option<&str>) -> Result<Tool, CatalogError> {
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
    let empty = Json::Object(Map::new());
    let mut schemas = SCHEMAS
        .into_iter()
        .filter_map(|key| Some((key, function.get(key).filter(|it| !it.is_null())?)));
    let schema = schemas.next();
    if let Some((key, _)) = schemas.next() {
        return Err(unusable(name, key, "the only schema of the tool"));
    }
    let description = function.get("description").and_then(Json::as_str);
    let hint = annotation(function, "readOnlyHint")
        .and_then(Json::as_bool)
        .map(|reads| if reads { Effect::Read } else { Effect::Write });
    let output = ["outputSchema", "output_schema"]
        .into_iter()
        .find_map(|key| function.get(key).filter(|it| it.is_object()))
        .map(|output| References::into_document(output).inline(output));
    let entry = Entry {
        name,
        description: description.unwrap_or_default(),
        schema: schema.map_or(&empty, |(_, schema)| schema),
        output,
        effect: effect(entry, function),
        hint,
    };
    tool(&entry, entry.schema, server)
}

/// Makes a tool; references in its schema are looked up in `document`.
pub(super) fn tool(
    entry: &Entry<'_>,
    document: &Json,
    server: Option<&str>,
) -> Result<Tool, CatalogError> {
    let mut references = References::into_document(document);
    // The whole schema may itself be a reference, as typed models write it.
    let schema = match entry.schema.get("$ref").and_then(Json::as_str) {
        Some(reference) => references.target(reference).unwrap_or(entry.schema),
        None => entry.schema,
    };
    let required: BTreeSet<&str> = schema
        .get("required")
        .and_then(Json::as_array)
        .map(|list| list.iter().filter_map(Json::as_str).collect())
        .unwrap_or_default();
    let mut parameters = BTreeMap::new();
    match schema.get("properties") {
        Some(Json::Object(properties)) => {
            for (name, property) in properties {
                let parameter = Parameter {
                    required: required.contains(name.as_str()),
                    schema: references.inline(property),
                };
                parameters.insert(name.clone(), parameter);
            }
        }
        // Some server kits write an empty object as an empty list.
        Some(Json::Array(list)) if list.is_empty() => {}
        None | Some(Json::Null) => {}
        Some(_) => {
            let expected = "an object of schemas by parameter";
            return Err(unusable(entry.name, "properties", expected));
        }
    }
    // Where arguments are declared in a way that is not followed, any may exist.
    let elsewhere = ["$ref", "anyOf", "oneOf", "allOf"];
    let unclear = parameters.is_empty() && elsewhere.iter().any(|key| schema.get(key).is_some());
    Ok(Tool {
        id: match server {
            Some(server) => format!("{server}/{}", entry.name),
            None => entry.name.to_owned(),
        },
        server: server.map(str::to_owned),
        name: entry.name.to_owned(),
        description: entry.description.to_owned(),
        parameters,
        open: unclear || schema.get("additionalProperties") == Some(&Json::Bool(true)),
        effect: entry.effect.or(entry.hint),
        hinted: entry.effect.is_none() && entry.hint.is_some(),
        fingerprint: fingerprint(entry.name, entry.description, entry.schema),
        seen_fields: BTreeSet::new(),
        dangling: references.dangling(),
        aliases: BTreeSet::new(),
        trusted: false,
        results: Vec::new(),
        shape: entry.output.clone(),
    })
}

fn unusable(tool: &str, key: &'static str, expected: &'static str) -> CatalogError {
    CatalogError::Unusable {
        tool: tool.to_owned(),
        key,
        expected,
    }
}

fn annotation<'a>(function: &'a Json, key: &str) -> Option<&'a Json> {
    function.get("annotations").and_then(|it| it.get(key))
}

/// Refuses what would otherwise count as not said at all.
fn usable(tool: &str, entry: &Json, function: &Json) -> Result<(), CatalogError> {
    type Test = fn(&Json) -> bool;
    const SCHEMA: &str = "a JSON schema, which is an object";
    let kind: Test = |it| matches!(it.as_str(), Some("read" | "write" | "generic" | "think"));
    let keys: [(&'static str, &'static str, Test); 5] = [
        ("x-write", "true or false", Json::is_boolean),
        ("x-tool-type", "`read`, `write` or `generic`", kind),
        ("parameters", SCHEMA, Json::is_object),
        ("input_schema", SCHEMA, Json::is_object),
        ("inputSchema", SCHEMA, Json::is_object),
    ];
    for (key, expected, is_usable) in keys {
        let found = [entry, function].into_iter().filter_map(|it| it.get(key));
        if found.into_iter().any(|it| !it.is_null() && !is_usable(it)) {
            return Err(unusable(tool, key, expected));
        }
    }
    let hint = annotation(function, "readOnlyHint");
    if hint.is_some_and(|it| !it.is_null() && !it.is_boolean()) {
        return Err(unusable(tool, "readOnlyHint", "true or false"));
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
