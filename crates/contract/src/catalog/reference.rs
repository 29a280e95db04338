//! References inside a schema (`$ref`), replaced by what they name.

use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Deepest nesting of a property's schema, references counted as a level, in
/// which references are followed.
const MAX_NESTING: usize = 24;

/// Most parts of one property's schema that are written out.
const MAX_PARTS: usize = 4096;

/// Words of a schema that hold data, in which nothing is a reference.
const DATA: [&str; 5] = ["const", "default", "enum", "example", "examples"];

/// Follows references into one document, and remembers those that lead nowhere.
pub(super) struct References<'a> {
    document: &'a Json,
    dangling: BTreeSet<String>,
}

impl<'a> References<'a> {
    /// References are looked up in `document`.
    pub(super) fn into_document(document: &'a Json) -> Self {
        References {
            document,
            dangling: BTreeSet::new(),
        }
    }

    /// The references met so far that name nothing.
    pub(super) fn dangling(self) -> BTreeSet<String> {
        self.dangling
    }

    /// The schema with references replaced by what they name, a few levels deep
    /// and up to [`MAX_PARTS`] parts, so that rings and fans of references end.
    /// What lies beyond, and what leads nowhere, stays a reference. Words beside
    /// a reference win over those it names.
    pub(super) fn inline(&mut self, schema: &Json) -> Json {
        if !mentions_reference(schema) {
            return schema.clone();
        }
        self.write_out(schema, MAX_NESTING, &mut { MAX_PARTS })
            .unwrap_or_else(|| schema.clone())
    }

    /// None: there is more than may be written out.
    fn write_out(&mut self, part: &Json, depth: usize, parts: &mut usize) -> Option<Json> {
        *parts = parts.checked_sub(1)?;
        let Json::Object(fields) = part else {
            let Json::Array(items) = part else {
                return Some(part.clone());
            };
            let items = items.iter();
            return items
                .map(|item| self.write_out(item, depth.saturating_sub(1), parts))
                .collect::<Option<_>>()
                .map(Json::Array);
        };
        let reference = fields.get("$ref").and_then(Json::as_str);
        let target = match reference {
            Some(reference) if depth > 0 => self.target(reference),
            _ => None,
        };
        let mut written = match target {
            Some(target) => match self.write_out(target, depth.saturating_sub(1), parts)? {
                Json::Object(target) => target,
                other => return Some(other),
            },
            None => serde_json::Map::new(),
        };
        for (name, field) in fields {
            if DATA.contains(&name.as_str()) {
                written.insert(name.clone(), field.clone());
            } else if target.is_none() || name != "$ref" {
                let field = self.write_out(field, depth.saturating_sub(1), parts)?;
                written.insert(name.clone(), field);
            }
        }
        Some(Json::Object(written))
    }

    /// What a reference names in the document; one that names nothing is noted.
    pub(super) fn target(&mut self, reference: &str) -> Option<&'a Json> {
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| self.document.pointer(&unescaped(pointer)));
        if target.is_none() {
            self.dangling.insert(reference.to_owned());
        }
        target
    }
}

/// Whether anything in the schema is a reference.
fn mentions_reference(schema: &Json) -> bool {
    let mut open = vec![schema];
    while let Some(part) = open.pop() {
        match part {
            Json::Object(fields) => {
                if fields.get("$ref").is_some_and(Json::is_string) {
                    return true;
                }
                open.extend(fields.values());
            }
            Json::Array(items) => open.extend(items),
            _ => {}
        }
    }
    false
}

/// A pointer in a reference may be written with the percent signs of addresses.
fn unescaped(pointer: &str) -> String {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escape = (*first == b'%')
            .then(|| after.split_at_checked(2))
            .flatten()
            .and_then(|(digits, after)| {
                let digits = std::str::from_utf8(digits).ok()?;
                Some((u8::from_str_radix(digits, 16).ok()?, after))
            });
        let (byte, after) = escape.unwrap_or((*first, after));
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).unwrap_or_else(|_| pointer.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r##"{"$defs": {
        "Money": {"type": "object", "properties": {"value": {"type": "number"}}, "description": "money"},
        "Pay": {"properties": {"amount": {"$ref": "#/$defs/Money", "description": "what to pay"}}},
        "A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}, "an odd/name": {"type": "null"},
        "Tree": {"properties": {"under": {"items": {"$ref": "#/$defs/Tree"}}}}, "yes": true}}"##;

    fn inlined(schema: &str) -> (Json, Vec<String>) {
        let document: Json = serde_json::from_str(DOCUMENT).unwrap();
        let schema: Json = serde_json::from_str(schema).unwrap();
        let mut references = References::into_document(&document);
        let inlined = references.inline(&schema);
        (inlined, references.dangling().into_iter().collect())
    }

    #[track_caller]
    fn check(schema: &str, expected: &str) {
        let expected: Json = serde_json::from_str(expected).unwrap();
        assert_eq!(inlined(schema), (expected, Vec::new()));
    }

    #[test]
    fn references_are_replaced_by_what_they_name() {
        check(
            r##"{"$ref": "#/$defs/Pay"}"##,
            r#"{"properties": {"amount": {"type": "object", "properties": {"value": {"type": "number"}}, "description": "what to pay"}}}"#,
        );
        check(
            r##"{"$ref": "#/$defs/an%20odd~1name", "default": null}"##,
            r#"{"type": "null", "default": null}"#,
        );
        check(r##"{"$ref": "#/$defs/yes"}"##, "true");
        check(
            r##"{"enum": [{"$ref": "#/no"}], "not": {"$ref": 5}}"##,
            r##"{"enum": [{"$ref": "#/no"}], "not": {"$ref": 5}}"##,
        );
    }

    #[test]
    fn what_leads_nowhere_stays_and_is_told() {
        let text = r##"{"anyOf": [{"$ref": "#/$defs/Shelf"}, {"$ref": "other.json#/x"}, {"$ref": "#Name"}]}"##;
        let (inlined, dangling) = inlined(text);
        assert_eq!(inlined, serde_json::from_str::<Json>(text).unwrap());
        assert_eq!(dangling, ["#/$defs/Shelf", "#Name", "other.json#/x"]);
    }

    #[test]
    fn rings_and_fans_end() {
        let (_, dangling) = inlined(r##"{"$ref": "#/$defs/A"}"##);
        assert!(dangling.is_empty());
        let (tree, _) = inlined(r##"{"$ref": "#/$defs/Tree"}"##);
        assert!(tree.to_string().len() < 2000);
        let fan = vec![r##"{"$ref": "#/$defs/Tree"}"##; 2000].join(", ");
        let text = format!(r#"{{"anyOf": [{fan}]}}"#);
        let (kept, _) = inlined(&text);
        assert_eq!(kept, serde_json::from_str::<Json>(&text).unwrap());
    }

    #[test]
    fn odd_escapes_are_taken_as_they_stand() {
        let check = |text: &str, expected: &str| assert_eq!(unescaped(text), expected);
        check("/a%20b", "/a b");
        check("/100%", "/100%");
        check("/%zz%4", "/%zz%4");
        check("/%ff", "/%ff");
    }
}
