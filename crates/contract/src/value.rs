//! Values of arguments, results and constants, with exact numbers.
//!
//! A value never loses a digit on the way in: numbers are decimals read from
//! the raw text. Two values of different kinds are not comparable at all, so a
//! comparison answers `None` (unknown) instead of guessing (DESIGN section 3).

use rust_decimal::Decimal;
use serde_json::value::RawValue;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Deepest nesting of arrays and objects that is read.
pub const MAX_DEPTH: usize = 64;

/// A JSON-like value with exact numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// JSON null.
    Null,
    /// A truth value.
    Bool(bool),
    /// An exact decimal of up to 28 digits.
    Number(Decimal),
    /// Text.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object; keys are unique and ordered.
    Object(BTreeMap<String, Value>),
}

/// The kind of a value; only values of one kind are comparable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// JSON null.
    Null,
    /// A truth value.
    Bool,
    /// A number.
    Number,
    /// Text.
    Text,
    /// An array.
    List,
    /// An object.
    Object,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Null => "null",
            Kind::Bool => "a truth value",
            Kind::Number => "a number",
            Kind::Text => "text",
            Kind::List => "a list",
            Kind::Object => "an object",
        })
    }
}

/// Why a text is not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    NotJson(String),
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// A number that an exact decimal cannot hold.
    #[error("the number `{0}` has more digits than can be kept exactly")]
    NumberTooLong(String),
    /// An object names one key twice.
    #[error("the key `{0}` is repeated")]
    RepeatedKey(String),
}

impl Value {
    /// Text as a value.
    pub fn text(text: impl Into<String>) -> Self {
        Value::Text(text.into())
    }

    /// A whole number as a value.
    pub fn integer(number: i64) -> Self {
        Value::Number(Decimal::from(number))
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Number,
            Value::Text(_) => Kind::Text,
            Value::List(_) => Kind::List,
            Value::Object(_) => Kind::Object,
        }
    }

    /// Equality by kind: numbers by value, lists in order, objects exactly.
    /// `None` when the kinds differ, since such values are neither equal nor
    /// known to differ.
    pub fn equals(&self, other: &Value) -> Option<bool> {
        match (self, other) {
            (Value::List(left), Value::List(right)) => {
                if left.len() != right.len() {
                    return Some(false);
                }
                all_known(left.iter().zip(right).map(|(a, b)| a.equals(b)))
            }
            (Value::Object(left), Value::Object(right)) => {
                if !left.keys().eq(right.keys()) {
                    return Some(false);
                }
                all_known(left.values().zip(right.values()).map(|(a, b)| a.equals(b)))
            }
            _ if self.kind() == other.kind() => Some(self == other),
            _ => None,
        }
    }

    /// Order of two numbers or two texts; `None` for anything else.
    pub fn order(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Number(left), Value::Number(right)) => Some(left.cmp(right)),
            (Value::Text(left), Value::Text(right)) => Some(left.cmp(right)),
            _ => None,
        }
    }

    /// Reads JSON exactly.
    ///
    /// # Errors
    /// [`ValueError`] says what is wrong: no JSON, too deep, a number with more
    /// digits than a decimal holds, or a repeated key.
    pub fn from_json(text: &str) -> Result<Value, ValueError> {
        let raw: &RawValue =
            serde_json::from_str(text).map_err(|error| ValueError::NotJson(error.to_string()))?;
        build(raw, 0)
    }

    /// Converts a parsed JSON value. Numbers take the shortest decimal that
    /// stands for them, so use [`Value::from_json`] where digits matter.
    ///
    /// # Errors
    /// As [`Value::from_json`].
    pub fn from_serde(value: &serde_json::Value) -> Result<Value, ValueError> {
        Value::from_json(&value.to_string())
    }

    /// The value as serde's JSON value, numbers as exactly as JSON allows.
    pub fn to_serde(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(value) => serde_json::from_str(&value.normalize().to_string())
                .unwrap_or(serde_json::Value::Null),
            Value::Text(value) => value.clone().into(),
            Value::List(values) => values.iter().map(Value::to_serde).collect(),
            Value::Object(values) => values
                .iter()
                .map(|(key, value)| (key.clone(), value.to_serde()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

/// Three-valued conjunction: false wins over unknown.
fn all_known(items: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for item in items {
        match item {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

/// Builds a value from raw JSON. Each level re-reads its text once, so the cost
/// is length times depth, and depth is bounded.
fn build(raw: &RawValue, depth: usize) -> Result<Value, ValueError> {
    if depth > MAX_DEPTH {
        return Err(ValueError::TooDeep);
    }
    let text = raw.get();
    let not_json = |error: serde_json::Error| ValueError::NotJson(error.to_string());
    match text.as_bytes().first() {
        Some(b'{') => {
            let entries: Entries<'_> = serde_json::from_str(text).map_err(not_json)?;
            let mut object = BTreeMap::new();
            for (key, value) in entries.0 {
                let value = build(value, depth + 1)?;
                if object.insert(key.clone(), value).is_some() {
                    return Err(ValueError::RepeatedKey(key));
                }
            }
            Ok(Value::Object(object))
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(not_json)?;
            let items = items.into_iter().map(|item| build(item, depth + 1));
            Ok(Value::List(items.collect::<Result<_, _>>()?))
        }
        Some(b'"') => Ok(Value::Text(serde_json::from_str(text).map_err(not_json)?)),
        Some(b't') => Ok(Value::Bool(true)),
        Some(b'f') => Ok(Value::Bool(false)),
        Some(b'n') => Ok(Value::Null),
        _ => number(text).map(Value::Number),
    }
}

/// Reads a JSON number without losing a digit.
pub fn number(text: &str) -> Result<Decimal, ValueError> {
    let too_long = || ValueError::NumberTooLong(text.chars().take(40).collect());
    let parsed = if let Some((digits, _)) = text.split_once(['e', 'E']) {
        // `from_scientific` would round digits that do not fit instead of saying so.
        Decimal::from_str_exact(digits).map_err(|_| too_long())?;
        Decimal::from_scientific(text).map_err(|_| too_long())?
    } else {
        Decimal::from_str_exact(text).map_err(|_| too_long())?
    };
    Ok(parsed)
}

/// The entries of an object in source order, repeated keys included.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Entries<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> serde::de::Visitor<'de> for Visitor<'a> {
            type Value = Entries<'a>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<M: serde::de::MapAccess<'de>>(
                self,
                mut map: M,
            ) -> Result<Entries<'a>, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Visitor(std::marker::PhantomData))
    }
}

impl FromStr for Value {
    type Err = ValueError;
    fn from_str(text: &str) -> Result<Self, ValueError> {
        Value::from_json(text)
    }
}

/// Prints compact JSON, numbers without trailing zeros.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Number(value) => write!(f, "{}", value.normalize()),
            Value::Text(value) => f.write_str(&serde_json::Value::from(value.as_str()).to_string()),
            Value::List(values) => {
                f.write_str("[")?;
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{value}")?;
                }
                f.write_str("]")
            }
            Value::Object(values) => {
                f.write_str("{")?;
                for (index, (key, value)) in values.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{}: {value}", serde_json::Value::from(key.as_str()))?;
                }
                f.write_str("}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Value::from_json(text).unwrap().to_string(), expected);
    }

    #[test]
    fn numbers_keep_every_digit() {
        check("12345678901234567890123456", "12345678901234567890123456");
        check("1.10", "1.1");
        check("1e3", "1000");
        check("0.1000000000000000055511151", "0.1000000000000000055511151");
        assert!(matches!(
            Value::from_json(&"9".repeat(60)),
            Err(ValueError::NumberTooLong(_))
        ));
    }

    #[test]
    fn hostile_numbers_are_refused_at_once() {
        for text in [
            "1e999999999",
            "1e-999999999",
            "-1E400",
            "0e99999999999999999999",
            "1e+40",
            "1.00000000000000000000000000000001e0",
        ] {
            let read = Value::from_json(text);
            assert!(
                !matches!(read, Ok(Value::Number(_))) || text.starts_with("0e"),
                "{text}: {read:?}"
            );
        }
    }

    #[test]
    fn what_is_no_value_says_why() {
        assert!(matches!(Value::from_json("{"), Err(ValueError::NotJson(_))));
        assert_eq!(
            Value::from_json(r#"{"a": 1, "a": 2}"#),
            Err(ValueError::RepeatedKey("a".into()))
        );
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(Value::from_json(&deep), Err(ValueError::TooDeep));
        assert!(Value::from_json(&"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn equality_is_by_kind() {
        let value = |text: &str| Value::from_json(text).unwrap();
        assert_eq!(value("4").equals(&value("4.0")), Some(true));
        assert_eq!(value("4").equals(&value("\"4\"")), None);
        assert_eq!(value("[1, 2]").equals(&value("[2, 1]")), Some(false));
        assert_eq!(value("[1, \"a\"]").equals(&value("[1, 2]")), None);
        assert_eq!(
            value(r#"{"a": 1}"#).equals(&value(r#"{"a": 1.0}"#)),
            Some(true)
        );
        assert_eq!(value("null").equals(&value("0")), None);
    }
}
