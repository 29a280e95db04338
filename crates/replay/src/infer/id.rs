//! Which names hold ids: values that people write in other case, with blanks or
//! without a leading `#`.

use super::effect::words;
use lictor_contract::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Words that end the name of an id.
const LAST_WORDS: [&str; 12] = [
    "code",
    "id",
    "ids",
    "iban",
    "key",
    "no",
    "number",
    "numbers",
    "ref",
    "reference",
    "sku",
    "uuid",
];

/// Deepest nesting in which values are looked for.
const MAX_NESTING: usize = 8;

/// Most values that are remembered of one run.
const MAX_VALUES: usize = 100_000;

/// The form in which ids are compared.
pub(super) fn folded(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix('#').unwrap_or(text);
    text.chars()
        .filter(|c| !c.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The key by which two scalar values are one id; none for other values.
pub(super) fn key(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(folded(text)).filter(|it| !it.is_empty()),
        Value::Number(number) => Some(number.normalize().to_string()),
        _ => None,
    }
}

/// The values that results of one run held, by their folded form.
#[derive(Debug, Default)]
pub(super) struct Seen {
    values: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl Seen {
    /// Remembers the texts of a result by the names they stand under.
    pub(super) fn remember(&mut self, result: &Value) {
        each_text(result, "", MAX_NESTING, &mut |name, text| {
            if self.values.len() < MAX_VALUES {
                let spelt = self.values.entry(folded(text)).or_default();
                let names = spelt.entry(text.to_owned()).or_default();
                names.insert(name.to_owned());
            }
        });
    }
}

/// How often arguments spell an id as a result did, by the argument's name.
#[derive(Debug, Default)]
pub(super) struct Spellings {
    counts: BTreeMap<String, Spelling>,
}

/// The spellings of one name.
#[derive(Debug, Default)]
pub(super) struct Spelling {
    pub(super) same: u64,
    pub(super) other: u64,
    /// The fields of results that were meant.
    pub(super) fields: BTreeSet<String>,
}

impl Spellings {
    /// Compares the arguments of a call with what was seen before it.
    pub(super) fn compare(&mut self, arguments: &BTreeMap<String, Value>, seen: &Seen) {
        for (name, value) in arguments {
            each_text(value, name, MAX_NESTING, &mut |name, text| {
                if !is_id(name, text) {
                    return;
                }
                let Some(spelt) = seen.values.get(&folded(text)) else {
                    return;
                };
                let counts = self.counts.entry(name.to_owned()).or_default();
                if spelt.contains_key(text) {
                    counts.same += 1;
                } else {
                    counts.other += 1;
                    let fields = spelt.values().flatten().filter(|it| !it.is_empty());
                    counts.fields.extend(fields.cloned());
                }
            });
        }
    }

    /// The names under which a value was ever spelt otherwise.
    pub(super) fn varied(&self) -> impl Iterator<Item = (&str, &Spelling)> {
        let counts = self.counts.iter().filter(|(_, counts)| counts.other > 0);
        counts.map(|(name, counts)| (name.as_str(), counts))
    }
}

/// Ids have digits, and a name that says so.
fn is_id(name: &str, text: &str) -> bool {
    let named = words(name)
        .last()
        .is_some_and(|word| LAST_WORDS.contains(&word.as_str()));
    named && text.contains(|c: char| c.is_ascii_digit())
}

fn each_text(value: &Value, name: &str, depth: usize, take: &mut dyn FnMut(&str, &str)) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    match value {
        Value::Text(text) if text.len() <= 200 => take(name, text),
        Value::List(items) => {
            for item in items {
                each_text(item, name, depth, take);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                each_text(field, name, depth, take);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> BTreeMap<String, Value> {
        match Value::from_json(text).unwrap() {
            Value::Object(fields) => fields,
            _ => BTreeMap::new(),
        }
    }

    /// The names whose values are spelt otherwise, with their counts.
    #[track_caller]
    fn check(result: &str, arguments: &[&str], expected: &[(&str, u64, u64)]) {
        let mut seen = Seen::default();
        seen.remember(&Value::from_json(result).unwrap());
        let mut spellings = Spellings::default();
        for text in arguments {
            spellings.compare(&object(text), &seen);
        }
        let found: Vec<(&str, u64, u64)> = spellings
            .varied()
            .map(|(name, counts)| (name, counts.same, counts.other))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn other_spellings_of_ids_are_found() {
        let result = r##"{"order": {"order_id": "#W12", "city": "New York 1", "items": ["ab9"]}}"##;
        check(result, &[r##"{"order_id": "#W12"}"##], &[]);
        check(
            result,
            &[
                r#"{"order_id": "w12"}"#,
                r##"{"order_id": "#W12"}"##,
                r#"{"order_id": "W13"}"#,
            ],
            &[("order_id", 1, 1)],
        );
        check(result, &[r#"{"item_ids": ["AB9"]}"#], &[("item_ids", 0, 1)]);
        check(result, &[r#"{"city": "new york 1"}"#], &[]);
        check(result, &[r#"{"city": "NY"}"#], &[]);
    }

    #[test]
    fn the_field_that_was_meant_is_known() {
        let mut seen = Seen::default();
        seen.remember(&Value::from_json(r#"{"id": "A1"}"#).unwrap());
        let mut spellings = Spellings::default();
        spellings.compare(&object(r#"{"order_id": "a 1"}"#), &seen);
        let (name, counts) = spellings.varied().next().unwrap();
        assert_eq!(
            (name, counts.fields.first().map(String::as_str)),
            ("order_id", Some("id"))
        );
    }
}
