//! Shapes as JSON Schemas describe them.

use super::shape::Shape;
use crate::catalog::Catalog;
use crate::predicate::ToolPattern;
use crate::value::{Kind, Value};
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Deepest nesting of `anyOf` and `items` that is followed.
const MAX_STEPS: usize = 32;

/// The shape of an argument: one of those that the tools' schemas give it.
/// Tools without the argument are left out; that is another check's finding.
pub(super) fn argument<'a>(catalog: &'a Catalog, tools: &[&str], name: &str) -> Shape<'a> {
    let schemas: Vec<&Json> = tools
        .iter()
        .filter_map(|tool| catalog.get(tool)?.parameters.get(name))
        .map(|parameter| &parameter.schema)
        .collect();
    described(&schemas)
}

/// The shape of what a successful answer of these tools carries: what is declared
/// of each of them, and of each other tool that returns the same record.
pub(super) fn answer<'a>(catalog: &'a Catalog, tools: &ToolPattern) -> Shape<'a> {
    let mut suppliers: BTreeSet<&str> = tools.names().collect();
    for entity in catalog.entities.values() {
        if suppliers
            .iter()
            .any(|tool| entity.returned_by.contains(*tool))
        {
            suppliers.extend(entity.returned_by.iter().map(String::as_str));
        }
    }
    let schemas = suppliers
        .iter()
        .map(|tool| catalog.get(tool)?.shape.as_ref());
    match schemas.collect::<Option<Vec<_>>>() {
        Some(schemas) => described(&schemas),
        None => Shape::unknown(),
    }
}

/// The shape of a value that one of these schemas describes; unknown for none.
pub(super) fn described<'a>(schemas: &[&'a Json]) -> Shape<'a> {
    let schemas = alternatives(schemas);
    let shape = Shape::any_of(schemas.iter().map(|schema| shape(schema)));
    shape.described_by(schemas)
}

/// The schemas with each `anyOf` and `oneOf` spread out.
fn alternatives<'a>(schemas: &[&'a Json]) -> Vec<&'a Json> {
    let mut open: Vec<(&Json, usize)> = schemas.iter().rev().map(|schema| (*schema, 0)).collect();
    let mut flat = Vec::new();
    while let Some((schema, depth)) = open.pop() {
        match choices(schema).filter(|_| depth < MAX_STEPS) {
            Some(choices) => open.extend(choices.iter().rev().map(|choice| (choice, depth + 1))),
            None => flat.push(schema),
        }
    }
    flat
}

fn choices(schema: &Json) -> Option<&Vec<Json>> {
    let choices = schema
        .get("anyOf")
        .or_else(|| schema.get("oneOf"))?
        .as_array()?;
    schema.get("type").is_none().then_some(choices)
}

/// The shape that a schema allows.
pub(super) fn shape(schema: &Json) -> Shape<'_> {
    within(schema, 0)
}

fn within(schema: &Json, depth: usize) -> Shape<'_> {
    if depth > MAX_STEPS {
        return Shape::unknown();
    }
    let kinds: Option<BTreeSet<Kind>> = match schema.get("type") {
        Some(Json::String(name)) => kind(name).map(|kind| BTreeSet::from([kind])),
        Some(Json::Array(names)) => names.iter().map(|name| kind(name.as_str()?)).collect(),
        _ => {
            let values = match (schema.get("const"), schema.get("enum")) {
                (Some(only), _) => std::slice::from_ref(only),
                (None, Some(Json::Array(values))) => values.as_slice(),
                _ => {
                    return choices(schema).map_or_else(Shape::unknown, |choices| {
                        Shape::any_of(choices.iter().map(|choice| within(choice, depth + 1)))
                    });
                }
            };
            return Shape::any_of(values.iter().map(|value| match Value::from_serde(value) {
                Ok(value) => Shape::of(value.kind()),
                Err(_) => Shape::unknown(),
            }));
        }
    };
    let is_list = kinds
        .as_ref()
        .is_some_and(|kinds| kinds.contains(&Kind::List));
    let item = schema
        .get("items")
        .filter(|_| is_list)
        .map(|items| within(items, depth + 1).described_by(alternatives(&[items])));
    Shape::of_kinds(kinds, item)
}

fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "string" => Kind::Text,
        "number" | "integer" => Kind::Number,
        "boolean" => Kind::Bool,
        "array" => Kind::List,
        "object" => Kind::Object,
        "null" => Kind::Null,
        _ => return None,
    })
}
