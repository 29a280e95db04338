//! Following an argument path through a tool's JSON Schema.
//!
//! Schemas say less than they could: where one is silent (no properties, a
//! reference that was not resolved, several alternatives) the path counts as
//! known to exist, since only what a schema clearly excludes is a defect.

use lictor_contract::catalog::Tool;
use lictor_contract::predicate::{Name, Path, Segment};
use lictor_contract::value::Value;
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Where a path leads.
#[derive(Clone, Debug)]
pub struct Reached<'a> {
    /// The schema at its end; none where nothing is said about it.
    pub schema: Option<&'a Json>,
    /// The first name that the schema excludes.
    pub missing: Option<String>,
    /// The longest beginning of the path that a call may leave out; none if
    /// every call carries the value.
    pub optional: Option<Path>,
    /// Whether the path selects a list (`[*]`).
    pub spread: bool,
}

/// Follows `path` from the arguments of `tool`.
pub fn reach<'a>(tool: &'a Tool, path: &Path) -> Reached<'a> {
    let mut reached = Reached {
        schema: None,
        missing: None,
        optional: None,
        spread: false,
    };
    let mut here: Option<&Json> = None;
    for (index, segment) in path.0.iter().enumerate() {
        let prefix = || Path(path.0.iter().take(index + 1).cloned().collect());
        match segment {
            Segment::Field(Name::Known(name)) if index == 0 => match tool.parameters.get(name) {
                Some(parameter) => {
                    if !parameter.required && !has_default(&parameter.schema) {
                        reached.optional = Some(prefix());
                    }
                    here = Some(sole_alternative(&parameter.schema));
                }
                None => {
                    if !tool.open {
                        reached.missing = Some(name.clone());
                        return reached;
                    }
                    reached.optional = Some(prefix());
                }
            },
            Segment::Field(Name::Known(name)) => {
                let Some(schema) = here else { continue };
                match property(schema, name) {
                    Property::Declared {
                        schema: inner,
                        required,
                    } => {
                        // An element of a list that lacks a field is no absent argument.
                        if !required && !has_default(inner) && !reached.spread {
                            reached.optional = Some(prefix());
                        }
                        here = Some(sole_alternative(inner));
                    }
                    Property::Excluded => {
                        reached.missing = Some(name.clone());
                        return reached;
                    }
                    Property::Unsaid => here = None,
                }
            }
            Segment::Field(Name::Placeholder(_)) => here = None,
            // A position right behind a filter takes one of what it keeps.
            Segment::Index(_) if follows_filter(path, index) => {}
            Segment::Index(_) => {
                here = here
                    .and_then(|schema| schema.get("items"))
                    .map(sole_alternative)
            }
            // A key that is computed names a part that nobody declared.
            Segment::Computed(_) => here = None,
            Segment::Every | Segment::Filter(_) => {
                reached.spread = true;
                here = here
                    .and_then(|schema| schema.get("items"))
                    .map(sole_alternative);
            }
        }
    }
    reached.schema = here;
    reached
}

fn follows_filter(path: &Path, index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| path.0.get(before));
    matches!(before, Some(Segment::Filter(_)))
}

/// A default that is a value; a default of null stands for nothing.
fn has_default(schema: &Json) -> bool {
    schema
        .get("default")
        .is_some_and(|default| !default.is_null())
}

enum Property<'a> {
    Declared { schema: &'a Json, required: bool },
    Excluded,
    Unsaid,
}

fn property<'a>(schema: &'a Json, name: &str) -> Property<'a> {
    let Some(properties) = schema.get("properties").and_then(Json::as_object) else {
        // A text, number or truth value has no fields.
        let scalar = matches!(
            schema.get("type").and_then(Json::as_str),
            Some("string" | "number" | "integer" | "boolean")
        );
        return if scalar {
            Property::Excluded
        } else {
            Property::Unsaid
        };
    };
    if let Some(inner) = properties.get(name) {
        let required = schema
            .get("required")
            .and_then(Json::as_array)
            .is_some_and(|list| list.iter().any(|item| item.as_str() == Some(name)));
        return Property::Declared {
            schema: inner,
            required,
        };
    }
    let open = matches!(
        schema.get("additionalProperties"),
        Some(Json::Bool(true) | Json::Object(_))
    );
    if open || properties.is_empty() {
        Property::Unsaid
    } else {
        Property::Excluded
    }
}

/// `anyOf` with null and one other alternative is that other one.
fn sole_alternative(schema: &Json) -> &Json {
    for word in ["anyOf", "oneOf"] {
        if let Some(list) = schema.get(word).and_then(Json::as_array) {
            let mut others = list.iter().filter(|alternative| {
                alternative.get("type").and_then(Json::as_str) != Some("null")
            });
            if let (Some(only), None) = (others.next(), others.next()) {
                return only;
            }
        }
    }
    schema
}

/// The names that a path may continue with; empty where the schema is silent.
pub fn properties(schema: Option<&Json>) -> BTreeSet<&str> {
    schema
        .and_then(|schema| schema.get("properties"))
        .and_then(Json::as_object)
        .map(|properties| properties.keys().map(String::as_str).collect())
        .unwrap_or_default()
}

/// The finite set of values a schema allows, if it lists one.
pub fn finite(schema: &Json) -> Option<BTreeSet<Value>> {
    if let Some(only) = schema.get("const") {
        return Some(BTreeSet::from([Value::from_serde(only).ok()?]));
    }
    if let Some(values) = schema.get("enum").and_then(Json::as_array) {
        return values
            .iter()
            .map(|value| Value::from_serde(value).ok())
            .collect();
    }
    (schema.get("type").and_then(Json::as_str) == Some("boolean"))
        .then(|| BTreeSet::from([Value::Bool(false), Value::Bool(true)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lictor_contract::catalog::Catalog;

    fn catalog() -> Catalog {
        Catalog::from_json(
            r#"[{"name": "ship", "parameters": {"properties": {
                "to": {"type": "object", "properties": {"city": {"type": "string"}, "floor": {"type": "integer"}},
                       "required": ["city"]},
                "items": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
                "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
                "speed": {"enum": ["slow", "fast"], "default": "slow"}, "blob": {}},
              "required": ["to", "items"]}}]"#,
        )
        .unwrap()
    }

    #[track_caller]
    fn check(path: &[&str], missing: Option<&str>, optional: Option<usize>) {
        let catalog = catalog();
        let segments = path.iter().map(|name| match *name {
            "*" => Segment::Every,
            name => Segment::Field(Name::Known(name.into())),
        });
        let reached = reach(catalog.get("ship").unwrap(), &Path(segments.collect()));
        assert_eq!(reached.missing.as_deref(), missing);
        assert_eq!(reached.optional.map(|path| path.0.len()), optional);
    }

    #[test]
    fn paths_are_followed_as_far_as_the_schema_speaks() {
        check(&["to"], None, None);
        check(&["to", "city"], None, None);
        check(&["to", "floor"], None, Some(2));
        check(&["to", "street"], Some("street"), None);
        check(&["items", "*", "sku"], None, None);
        check(&["items", "*", "size"], Some("size"), None);
        check(&["note"], None, Some(1));
        check(&["note", "length"], Some("length"), Some(1));
        check(&["speed"], None, None);
        check(&["blob", "deep", "down"], None, Some(1));
        check(&["weight"], Some("weight"), None);
    }
}
