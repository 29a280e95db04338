//! The JSON types that the top level of a schema allows.

use serde_json::Value as Json;
use std::collections::BTreeSet;

/// The types JSON Schema knows.
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Deepest nesting of alternatives that is followed.
const MAX_NESTING: usize = 16;

/// The types a schema allows, through `enum`, `const`, `nullable`, `anyOf`,
/// `oneOf` and `allOf`. Empty where the schema does not say, which is also what
/// a type that JSON does not have or a reference that leads nowhere comes to.
pub(super) fn types(schema: &Json) -> BTreeSet<&str> {
    allowed(schema, MAX_NESTING).unwrap_or_default()
}

/// None: anything is allowed, as far as one can tell.
fn allowed(schema: &Json, depth: usize) -> Option<BTreeSet<&str>> {
    let depth = depth.checked_sub(1)?;
    let mut sets: Vec<BTreeSet<&str>> = Vec::new();
    sets.extend(declared(schema));
    if let Some(only) = schema.get("const") {
        sets.push(BTreeSet::from([type_of(only)]));
    } else if let Some(values) = schema.get("enum").and_then(Json::as_array) {
        sets.push(values.iter().map(type_of).collect());
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(list) = schema.get(word).and_then(Json::as_array) {
            let each: Option<Vec<_>> = list.iter().map(|it| allowed(it, depth)).collect();
            sets.extend(each.map(|sets| sets.into_iter().flatten().collect()));
        }
    }
    if let Some(list) = schema.get("allOf").and_then(Json::as_array) {
        sets.extend(list.iter().filter_map(|it| allowed(it, depth)));
    }
    let mut both = sets
        .into_iter()
        .filter(|set| !set.is_empty())
        .reduce(|left, right| {
            let both = intersection(&left, &right);
            // Schemas that contradict themselves say nothing one could rely on.
            if both.is_empty() { left } else { both }
        })?;
    if schema.get("nullable") == Some(&Json::Bool(true))
        || declared(schema).is_some_and(|set| set.contains("null"))
    {
        // A list of values that forgets the null its type allows is common.
        both.insert("null");
    }
    Some(both)
}

fn declared(schema: &Json) -> Option<BTreeSet<&str>> {
    let names: Vec<&str> = match schema.get("type")? {
        Json::String(one) => vec![one],
        Json::Array(several) => several.iter().map(Json::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    let known = |name: &str| TYPES.into_iter().find(|it| *it == name);
    names.into_iter().map(known).collect()
}

fn type_of(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_f64() => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// What both sets allow; every integer is a number.
fn intersection<'a>(left: &BTreeSet<&'a str>, right: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let within = |one: &str, other: &BTreeSet<&str>| {
        other.contains(one) || (one == "integer" && other.contains("number"))
    };
    let kept = |from: &BTreeSet<&'a str>, other: &BTreeSet<&str>| -> Vec<&'a str> {
        from.iter()
            .copied()
            .filter(|it| within(it, other))
            .collect()
    };
    kept(left, right)
        .into_iter()
        .chain(kept(right, left))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(schema: &str, expected: &[&str]) {
        let json: Json = serde_json::from_str(schema).unwrap();
        let found: Vec<&str> = types(&json).into_iter().collect();
        assert_eq!(found, expected, "{schema}");
    }

    #[test]
    fn types_are_found_wherever_schemas_hide_them() {
        check(r#"{"type": "string"}"#, &["string"]);
        check(r#"{"type": ["null", "string"]}"#, &["null", "string"]);
        check(
            r#"{"type": "string", "nullable": true}"#,
            &["null", "string"],
        );
        check(
            r#"{"enum": ["a", 1, 1.5, null]}"#,
            &["integer", "null", "number", "string"],
        );
        check(r#"{"const": true}"#, &["boolean"]);
        check(
            r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#,
            &["null", "string"],
        );
        check(
            r#"{"oneOf": [{"enum": ["x"]}, {"type": "array"}]}"#,
            &["array", "string"],
        );
        check(
            r#"{"type": ["null", "string"], "enum": ["a"]}"#,
            &["null", "string"],
        );
        check(r#"{"type": "number", "enum": [1, 2]}"#, &["integer"]);
        check(
            r#"{"allOf": [{"type": ["string", "number"]}, {"type": "integer"}]}"#,
            &["integer"],
        );
        check(
            r#"{"allOf": [{"type": "object"}, {"description": "x"}]}"#,
            &["object"],
        );
    }

    #[test]
    fn a_schema_that_does_not_say_allows_anything() {
        check("{}", &[]);
        check("true", &[]);
        check("[]", &[]);
        check(r#"{"type": "text"}"#, &[]);
        check(r#"{"type": ["string", 3]}"#, &[]);
        check(r#"{"type": []}"#, &[]);
        check(r#"{"anyOf": [{"type": "string"}, {}]}"#, &[]);
        check(r##"{"$ref": "#/nowhere"}"##, &[]);
        check(r#"{"properties": {}}"#, &[]);
        let deep = format!(
            "{}{{\"type\": \"string\"}}{}",
            r#"{"anyOf": ["#.repeat(40),
            "]}".repeat(40)
        );
        check(&deep, &[]);
    }

    #[test]
    fn a_contradiction_says_what_it_says_first() {
        check(r#"{"type": "string", "enum": [1]}"#, &["string"]);
    }
}
