//! A JSON Schema learned from values.
//!
//! Only types and the names of fields are kept, no values and no keys that look
//! like values: a library carries the shape, and no recorded value may reach it. That numbers were
//! whole so far may be chance, so all of them are of one type.

use lictor_contract::value::Value;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// Deepest nesting that is described.
const MAX_NESTING: usize = 10;

/// Most names of fields of one object; with more of them, they are keys of records.
const MAX_FIELDS: usize = 64;

/// Fewest fields of one kind that are taken for a list of names.
const FEWEST_ENTRIES: usize = 16;

/// What values of one place looked like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Values seen.
    pub(super) seen: u64,
    nulls: u64,
    truths: u64,
    numbers: u64,
    texts: u64,
    lists: u64,
    /// Objects seen.
    pub(super) objects: u64,
    items: Option<Box<Shape>>,
    /// Fields of the objects, and how each looked.
    pub(super) fields: BTreeMap<String, Shape>,
    /// What stood under keys, once there were too many of them to be fields.
    records: Option<Box<Shape>>,
}

impl Shape {
    /// Learns from a value. Linear in it.
    pub(super) fn learn(&mut self, value: &Value) {
        self.learn_to(value, MAX_NESTING);
    }

    fn learn_to(&mut self, value: &Value, depth: usize) {
        self.seen += 1;
        match value {
            Value::Null => self.nulls += 1,
            Value::Bool(_) => self.truths += 1,
            Value::Number(_) => self.numbers += 1,
            Value::Text(_) => self.texts += 1,
            Value::List(items) => {
                self.lists += 1;
                let Some(depth) = depth.checked_sub(1) else {
                    return;
                };
                let shape = self.items.get_or_insert_default();
                for item in items {
                    shape.learn_to(item, depth);
                }
            }
            Value::Object(fields) => {
                self.objects += 1;
                let Some(depth) = depth.checked_sub(1) else {
                    return;
                };
                for (name, field) in fields {
                    match &mut self.records {
                        Some(records) => records.learn_to(field, depth),
                        None => {
                            let shape = self.fields.entry(name.clone()).or_default();
                            shape.learn_to(field, depth);
                        }
                    }
                }
                if self.fields.len() > MAX_FIELDS {
                    self.records = Some(Box::new(self.joined()));
                    self.fields.clear();
                }
            }
        }
    }

    /// The fields that (nearly) all objects have.
    pub(super) fn usual_fields(&self) -> Vec<&str> {
        if self.records().is_some() {
            return Vec::new();
        }
        let usual = self.fields.iter();
        usual
            .filter(|(_, field)| field.seen * 10 >= self.objects * 9)
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// All fields taken as one.
    fn joined(&self) -> Shape {
        let mut joined = Shape::default();
        for field in self.fields.values() {
            joined.merge(field);
        }
        joined
    }

    /// Learns what the other one learned.
    pub(super) fn merge(&mut self, other: &Shape) {
        self.seen += other.seen;
        self.nulls += other.nulls;
        self.truths += other.truths;
        self.numbers += other.numbers;
        self.texts += other.texts;
        self.lists += other.lists;
        self.objects += other.objects;
        if let Some(items) = &other.items {
            self.items.get_or_insert_default().merge(items);
        }
        match (&mut self.records, &other.records) {
            (Some(mine), Some(theirs)) => mine.merge(theirs),
            (Some(mine), None) => mine.merge(&other.joined()),
            (None, Some(theirs)) => {
                let mut records = self.joined();
                records.merge(theirs);
                self.records = Some(Box::new(records));
                self.fields.clear();
            }
            (None, None) => {
                for (name, field) in &other.fields {
                    self.fields.entry(name.clone()).or_default().merge(field);
                }
            }
        }
    }

    /// How the values under the keys look, if the keys are those of records
    /// rather than names of fields: too many of them, or mostly such as carry
    /// data, over values of one kind.
    fn records(&self) -> Option<Shape> {
        if let Some(records) = &self.records {
            return Some((**records).clone());
        }
        let carry_data = |(name, field): &(&String, &Shape)| {
            is_data(name)
                || (field.seen < self.objects && name.contains(|c: char| c.is_ascii_digit()))
        };
        let data = self.fields.iter().filter(carry_data).count();
        let mostly_data = data > 0 && data * 2 >= self.fields.len();
        if !mostly_data && !self.is_directory() {
            return None;
        }
        let joined = self.joined();
        (joined.kinds() == 1).then_some(joined)
    }

    /// Whether there are many fields and all of them hold scalars of one kind,
    /// as where a list of names is written as an object.
    fn is_directory(&self) -> bool {
        let mut kinds = self.fields.values();
        let first = kinds.next().map(|field| (field.texts > 0, field.kinds()));
        self.fields.len() >= FEWEST_ENTRIES
            && self.fields.values().all(|field| {
                let scalar = field.lists + field.objects + field.nulls == 0;
                scalar && first == Some((field.texts > 0, field.kinds()))
            })
    }

    /// How many kinds of values there were; numbers are of one kind, and null of none.
    fn kinds(&self) -> usize {
        let counts = [
            self.truths,
            self.numbers,
            self.texts,
            self.lists,
            self.objects,
        ];
        counts.into_iter().filter(|count| *count > 0).count()
    }

    /// The schema; empty where nothing was seen.
    pub(super) fn schema(&self) -> Json {
        let types: Vec<&str> = [
            ("null", self.nulls),
            ("boolean", self.truths),
            ("number", self.numbers),
            ("string", self.texts),
            ("array", self.lists),
            ("object", self.objects),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, _)| name)
        .collect();
        let mut schema = Map::new();
        match types.as_slice() {
            [] => return Json::Object(schema),
            [only] => schema.insert("type".into(), json!(only)),
            several => schema.insert("type".into(), json!(several)),
        };
        if let Some(items) = self.items.as_ref().filter(|items| items.seen > 0) {
            schema.insert("items".into(), items.schema());
        }
        if let Some(records) = self.records() {
            schema.insert("additionalProperties".into(), records.schema());
        } else if !self.fields.is_empty() {
            let fields = self.fields.iter();
            let properties: Map<String, Json> = fields
                .map(|(name, field)| (name.clone(), field.schema()))
                .collect();
            schema.insert("properties".into(), Json::Object(properties));
            let always = self.fields.iter();
            let always: Vec<&str> = always
                .filter(|(_, field)| field.seen == self.objects)
                .map(|(name, _)| name.as_str())
                .collect();
            if !always.is_empty() {
                schema.insert("required".into(), json!(always));
            }
        }
        Json::Object(schema)
    }
}

/// Whether a key looks like a value: a number of three digits or more, or signs
/// that no name of a field has.
pub(super) fn is_data(name: &str) -> bool {
    let mut digits = 0;
    let mut most = 0;
    for c in name.chars() {
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        most = most.max(digits);
    }
    most >= 3 || name.contains(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &[&str], expected: &str) {
        let mut shape = Shape::default();
        for value in values {
            shape.learn(&Value::from_json(value).unwrap());
        }
        let expected: Json = serde_json::from_str(expected).unwrap();
        assert_eq!(shape.schema(), expected);
    }

    #[test]
    fn types_are_joined() {
        check(&["1", "2.50", "null"], r#"{"type": ["null", "number"]}"#);
        check(&["true", "\"x\""], r#"{"type": ["boolean", "string"]}"#);
        check(&["[]"], r#"{"type": "array"}"#);
        check(
            &["[1]", "[]"],
            r#"{"type": "array", "items": {"type": "number"}}"#,
        );
        check(&[], "{}");
    }

    #[test]
    fn a_field_is_required_if_every_object_has_it() {
        check(
            &[r#"{"id": "a", "note": null}"#, r#"{"id": "b"}"#],
            r#"{"type": "object", "properties": {"id": {"type": "string"}, "note": {"type": "null"}}, "required": ["id"]}"#,
        );
        check(
            &[r#"{"line1": "a", "line2": "b"}"#],
            r#"{"type": "object", "properties": {"line1": {"type": "string"}, "line2": {"type": "string"}}, "required": ["line1", "line2"]}"#,
        );
    }

    #[test]
    fn keys_of_records_are_no_fields() {
        let records = r#"{"type": "object", "additionalProperties": {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}}"#;
        check(
            &[r#"{"card_123": {"b": "x"}, "gift_7": {"b": "y"}}"#],
            records,
        );
        check(
            &[r#"{"card_1": {"b": "x"}}"#, r#"{"gift_7": {"b": "y"}}"#],
            records,
        );
        check(
            &[r#"{"Desk Lamp": "1", "Book Shelf": "2", "Kettle": "3"}"#],
            r#"{"type": "object", "additionalProperties": {"type": "string"}}"#,
        );
        check(
            &[r#"{"2024-05-01": 3, "total": {}}"#],
            r#"{"type": "object", "properties": {"2024-05-01": {"type": "number"}, "total": {"type": "object"}}, "required": ["2024-05-01", "total"]}"#,
        );
        let many: Vec<String> = (0..100)
            .map(|n| format!("\"{}\": {n}", "k".repeat(n + 1)))
            .collect();
        let many = format!("{{{}}}", many.join(", "));
        check(
            &[&many],
            r#"{"type": "object", "additionalProperties": {"type": "number"}}"#,
        );
    }

    #[test]
    fn what_is_nested_too_deep_is_left_out() {
        let deep = format!("{}1{}", "[".repeat(40), "]".repeat(40));
        let mut shape = Shape::default();
        shape.learn(&Value::from_json(&deep).unwrap());
        assert!(shape.schema().to_string().matches("array").count() <= MAX_NESTING + 1);
    }
}
