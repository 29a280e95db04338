//! The tool catalog as the prompt shows it: one line for a tool, one for each
//! parameter, with the shape of its values in a few words.

use lictor_contract::catalog::{Catalog, Tool};
use serde::Serialize;
use serde_json::Value as Json;

/// Deepest nesting of a shape that is spelt out.
const DEEPEST: usize = 6;

/// A tool for the template.
#[derive(Debug, Serialize)]
pub(super) struct ToolView {
    name: String,
    effect: &'static str,
    description: String,
    parameters: Vec<ParameterView>,
    open: bool,
}

#[derive(Debug, Serialize)]
struct ParameterView {
    name: String,
    shape: String,
    required: bool,
    description: String,
}

/// All tools of a catalog, in its order.
pub(super) fn views(catalog: &Catalog) -> Vec<ToolView> {
    catalog.tools().map(view).collect()
}

fn view(tool: &Tool) -> ToolView {
    let mut parameters: Vec<ParameterView> = tool
        .parameters
        .iter()
        .map(|(name, parameter)| ParameterView {
            name: name.clone(),
            shape: shape(&parameter.schema, DEEPEST),
            required: parameter.required,
            description: words(parameter.schema.get("description")),
        })
        .collect();
    // What every call carries comes first; it is what keys are made of.
    parameters.sort_by_key(|parameter| !parameter.required);
    ToolView {
        name: tool.id.clone(),
        effect: if tool.is_write() { "write" } else { "read" },
        description: one_line(&tool.description),
        parameters,
        open: tool.open,
    }
}

fn words(description: Option<&Json>) -> String {
    one_line(description.and_then(Json::as_str).unwrap_or_default())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What values a schema allows, in a few words.
fn shape(schema: &Json, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else {
        return "…".to_owned();
    };
    if let Some(only) = schema.get("const") {
        return only.to_string();
    }
    if let Some(values) = schema.get("enum").and_then(Json::as_array) {
        let values: Vec<String> = values.iter().map(Json::to_string).collect();
        return format!("one of {}", values.join(", "));
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(alternatives) = schema.get(word).and_then(Json::as_array) {
            return either(alternatives, depth);
        }
    }
    if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
        return reference.rsplit('/').next().unwrap_or(reference).to_owned();
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Json::String(one)) => vec![one.as_str()],
        Some(Json::Array(several)) => several.iter().filter_map(Json::as_str).collect(),
        _ if schema.get("properties").is_some() => vec!["object"],
        _ if schema.get("items").is_some() => vec!["array"],
        _ => vec!["any value"],
    };
    let shapes: Vec<String> = types
        .iter()
        .map(|name| typed(name, schema, depth))
        .collect();
    shapes.join(" or ")
}

/// The shapes of alternatives. A bare `object` beside one with fields tells
/// nothing, so it is left out.
fn either(alternatives: &[Json], depth: usize) -> String {
    let mut shapes: Vec<String> = Vec::new();
    for alternative in alternatives {
        let shape = shape(alternative, depth);
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    if shapes.len() > 1 {
        shapes.retain(|shape| shape != "object");
    }
    shapes.join(" or ")
}

fn typed(name: &str, schema: &Json, depth: usize) -> String {
    match name {
        "object" => fields(schema, depth),
        "array" => {
            let items = schema
                .get("items")
                .map_or_else(|| "any value".to_owned(), |items| shape(items, depth));
            format!(
                "list of {items}{}",
                bounds(schema, &[("minItems", "at least"), ("maxItems", "at most")])
            )
        }
        "integer" | "number" => {
            let limits = [
                ("minimum", ">="),
                ("exclusiveMinimum", ">"),
                ("maximum", "<="),
                ("exclusiveMaximum", "<"),
            ];
            format!("{name}{}", bounds(schema, &limits))
        }
        "string" => match schema.get("pattern").and_then(Json::as_str) {
            Some(pattern) => format!("string like /{pattern}/"),
            None => match schema.get("format").and_then(Json::as_str) {
                Some(format) => format!("string ({format})"),
                None => "string".to_owned(),
            },
        },
        other => other.to_owned(),
    }
}

fn fields(schema: &Json, depth: usize) -> String {
    let Some(properties) = schema
        .get("properties")
        .and_then(Json::as_object)
        .filter(|it| !it.is_empty())
    else {
        return "object".to_owned();
    };
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Json::as_array)
        .map(|names| names.iter().filter_map(Json::as_str).collect())
        .unwrap_or_default();
    let mut names: Vec<&String> = properties.keys().collect();
    names.sort();
    let fields: Vec<String> = names
        .into_iter()
        .filter_map(|name| {
            let mark = if required.contains(&name.as_str()) {
                ""
            } else {
                " (optional)"
            };
            properties
                .get(name)
                .map(|field| format!("{name}{mark}: {}", shape(field, depth)))
        })
        .collect();
    format!("{{{}}}", fields.join("; "))
}

fn bounds(schema: &Json, limits: &[(&str, &str)]) -> String {
    let found: Vec<String> = limits
        .iter()
        .filter_map(|(key, sign)| {
            schema
                .get(*key)
                .filter(|it| it.is_number())
                .map(|bound| format!("{sign} {bound}"))
        })
        .collect();
    match found.is_empty() {
        true => String::new(),
        false => format!(" ({})", found.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(schema: &str, expected: &str) {
        assert_eq!(
            shape(&serde_json::from_str(schema).unwrap(), DEEPEST),
            expected
        );
    }

    #[test]
    fn shapes_are_spelt_out() {
        check(r#"{"type": "string"}"#, "string");
        check(
            r#"{"type": ["string", "null"], "pattern": "^A"}"#,
            "string like /^A/ or null",
        );
        check(r#"{"enum": ["a", 1]}"#, r#"one of "a", 1"#);
        check(
            r#"{"type": "integer", "minimum": 1, "maximum": 9}"#,
            "integer (>= 1, <= 9)",
        );
        check(
            r#"{"type": "array", "maxItems": 3, "items": {"anyOf": [
                {"type": "object", "required": ["b"], "properties": {"b": {"type": "string"}, "a": {}}},
                {"type": "object", "additionalProperties": true}]}}"#,
            "list of {a (optional): any value; b: string} (at most 3)",
        );
        check(
            r##"{"type": "array", "items": {"$ref": "#/$defs/Flight"}}"##,
            "list of Flight",
        );
        check("{}", "any value");
        check("true", "any value");
    }

    #[test]
    fn a_deep_shape_ends() {
        let deep = format!(
            "{}{}",
            r#"{"items":"#.repeat(50),
            "{}".to_owned() + &"}".repeat(50)
        );
        check(&deep, &format!("{}…", "list of ".repeat(DEEPEST)));
    }
}
