//! Raw JSON, one level at a time.
//!
//! Recordings are read level by level over raw text, so that numbers keep their
//! digits, a damaged member hurts no other, and a message that nobody needs is
//! never built as a tree.

pub(crate) use lictor_contract::decode::string;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;

/// The members of one object, raw.
#[derive(Debug, Default)]
pub(crate) struct Members<'a> {
    values: BTreeMap<String, &'a RawValue>,
    /// Keys that occur more than once; the last value was kept.
    pub(crate) repeated: Vec<String>,
}

impl<'a> Members<'a> {
    /// The members of `text`; none if it is no JSON object.
    pub(crate) fn of(text: &'a str) -> Option<Members<'a>> {
        serde_json::from_str(text).ok()
    }

    /// The raw text of a member; none if it is absent or null.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.values
            .get(key)
            .map(|raw| raw.get())
            .filter(|text| *text != "null")
    }

    /// Whether the key is there at all, null included.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// A member that is a string.
    pub(crate) fn string(&self, key: &str) -> Option<String> {
        self.get(key).and_then(string)
    }

    /// A member that is an object.
    pub(crate) fn object(&self, key: &str) -> Option<Members<'a>> {
        self.get(key).and_then(Members::of)
    }

    /// A member that is a truth value.
    pub(crate) fn truth(&self, key: &str) -> Option<bool> {
        self.get(key).and_then(|text| text.parse().ok())
    }

    /// A member that is a number.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        self.get(key)
            .and_then(|text| serde_json::from_str(text).ok())
    }

    /// A member that is a whole number.
    pub(crate) fn integer(&self, key: &str) -> Option<i64> {
        self.get(key).and_then(|text| text.parse().ok())
    }

    /// All members in order of their keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.values
            .iter()
            .map(|(key, raw)| (key.as_str(), raw.get()))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Reader<'a> {
            type Value = Members<'a>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Members<'a>, M::Error> {
                let mut members = Members::default();
                while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
                    if members.values.insert(key.clone(), value).is_some() {
                        members.repeated.push(key);
                    }
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Reader(std::marker::PhantomData))
    }
}

/// The elements of an array, raw; none if the text is no JSON array.
pub(crate) fn elements(text: &str) -> Option<Vec<&str>> {
    let raw: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(raw.into_iter().map(RawValue::get).collect())
}

/// Whether the text is one complete JSON value.
pub(crate) fn is_complete(text: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_raw_and_repeats_are_told() {
        let members = Members::of(r#"{"a": 1.10, "b": null, "a": "x"}"#).unwrap();
        assert_eq!(members.get("a"), Some("\"x\""));
        assert_eq!(members.get("b"), None);
        assert!(members.has("b"));
        assert_eq!(members.repeated, ["a"]);
        assert!(Members::of("[1]").is_none());
        assert!(Members::of(r#"{"a": 1"#).is_none());
    }

    #[test]
    fn half_a_surrogate_pair_is_replaced() {
        assert_eq!(
            string(r#""a\ud83db""#).unwrap(),
            "a\u{fffd}\u{fffd}\u{fffd}b"
        );
        assert_eq!(string(r#""\ud83d\ude00""#).unwrap(), "\u{1f600}");
        assert_eq!(string("12"), None);
    }

    #[test]
    fn deep_nesting_does_not_overflow() {
        let deep = "[".repeat(2_000_000);
        assert!(elements(&deep).is_none());
        assert!(!is_complete(deep.as_bytes()));
        let object = format!("{{\"a\": {deep}{}}}", "]".repeat(2_000_000));
        let _ = Members::of(&object);
    }
}
