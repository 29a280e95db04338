//! What a tool's description says it returns, and what recorded results show.
//!
//! Catalogs declare arguments but rarely results. Until a catalog says more,
//! the words behind 'returns' in a description and the fields of recorded
//! results are the only hints at which tool supplies a customer's number. They
//! are used to ground placeholders and to see deadlocks of the second order,
//! never to reject a rule.

use lictor_contract::catalog::{Catalog, Tool};
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// The fields that the tool's declared shape has, that its description says it
/// returns, and those that its recorded results have.
pub fn fields(catalog: &Catalog, tool: &Tool) -> BTreeSet<String> {
    let mut found = tool.seen_fields.clone();
    if let Some(shape) = &tool.shape {
        found.extend(declared(shape));
    }
    let Some(returns) = after_returns(&tool.description) else {
        return found;
    };
    found.extend(identifiers(returns));
    // 'Returns the order in the form of get_order': that tool's fields, too.
    let named: Vec<&Tool> = catalog
        .tools()
        .filter(|other| other.id != tool.id && mentions(returns, &other.name))
        .collect();
    for other in named {
        found.remove(&other.name);
        found.extend(
            after_returns(&other.description)
                .map(identifiers)
                .unwrap_or_default(),
        );
    }
    found
}

/// Every name of a property in a schema.
fn declared(shape: &Json) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![shape];
    while let Some(schema) = open.pop() {
        if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
            found.extend(properties.keys().cloned());
            open.extend(properties.values());
        }
        open.extend(
            ["items", "additionalProperties"]
                .iter()
                .filter_map(|key| schema.get(key)),
        );
        let choices = ["anyOf", "oneOf", "allOf"].iter();
        open.extend(
            choices
                .filter_map(|key| schema.get(key)?.as_array())
                .flatten(),
        );
    }
    found
}

fn after_returns(description: &str) -> Option<&str> {
    let at = description.to_ascii_lowercase().find("return")?;
    description.get(at..)
}

/// Whether the word stands in the text as a whole word.
pub fn mentions(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
        .any(|part| part == word)
}

/// Quoted names that are no values (behind a colon or a bar), and bare words
/// that are plainly identifiers.
fn identifiers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut before = ' ';
    for (index, piece) in text.split('"').enumerate() {
        let quoted = index % 2 == 1;
        if quoted {
            let name = !piece.is_empty() && piece.chars().all(|c| c.is_alphanumeric() || c == '_');
            if name && !matches!(before, ':' | '|') {
                found.insert(piece.to_owned());
            }
        } else {
            before = piece.trim_end().chars().next_back().unwrap_or(' ');
            let bare = piece.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            found.extend(
                bare.filter(|word| word.trim_matches('_').contains('_'))
                    .map(str::to_owned),
            );
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_fields_are_named_at_any_depth() {
        let shape = r#"{"type": "object", "properties": {"a": {"items": {"properties": {"b": {}}}},
            "c": {"anyOf": [{"properties": {"d": {}}}, {"type": "null"}]}}}"#;
        let found = declared(&serde_json::from_str(shape).unwrap());
        assert_eq!(found, ["a", "b", "c", "d"].map(str::to_owned).into());
    }

    #[test]
    fn fields_are_told_from_values() {
        let catalog = Catalog::from_json(
            r#"[{"name": "get_order", "description": "Reads. Returns {\"order_id\", \"status\": \"open\" | \"shut\"}."},
                {"name": "cancel", "description": "Returns the order in the form of get_order."},
                {"name": "find", "description": "Returns customer_id."},
                {"name": "mute", "description": "Says order_id and nothing."}]"#,
        )
        .unwrap();
        let check = |tool: &str, expected: &[&str]| {
            let expected: BTreeSet<String> =
                expected.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(
                fields(&catalog, catalog.get(tool).unwrap()),
                expected,
                "{tool}"
            );
        };
        check("get_order", &["order_id", "status"]);
        check("cancel", &["order_id", "status"]);
        check("find", &["customer_id"]);
        check("mute", &[]);
    }
}
