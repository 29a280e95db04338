//! Functions of one value, and pairs of lists.

use super::{Ground, Moment, address, numerals};
use lictor_contract::predicate::{Function, Term};
use lictor_contract::value::Value;
use rust_decimal::Decimal;
use std::borrow::Cow;

impl Moment<'_> {
    pub(super) fn apply(&self, function: Function, inner: &Term) -> Ground<'_> {
        let inner = self.term(inner);
        let value = inner.exact();
        Ground::of(
            value
                .and_then(|value| applied(function, &value))
                .map(Cow::Owned),
        )
    }

    /// The pairs of two lists of one length; lists of different lengths have none.
    pub(super) fn zip(&self, left: &Term, right: &Term) -> Option<Value> {
        let (left, right) = (self.term(left), self.term(right));
        let (left, right) = (left.exact()?.into_owned(), right.exact()?.into_owned());
        match (left, right) {
            (Value::List(left), Value::List(right)) if left.len() == right.len() => {
                let pairs = left.into_iter().zip(right);
                Some(Value::List(
                    pairs.map(|(a, b)| Value::List(vec![a, b])).collect(),
                ))
            }
            _ => None,
        }
    }
}

/// The value of a function; none if it has none for a value of this kind.
fn applied(function: Function, value: &Value) -> Option<Value> {
    match (function, value) {
        (Function::Len, Value::List(items)) => Some(number(items.len())),
        (Function::Len, Value::Object(fields)) => Some(number(fields.len())),
        (Function::Len, Value::Text(text)) => Some(number(text.chars().count())),
        (Function::Lower, Value::Text(text)) => Some(Value::Text(text.to_lowercase())),
        (Function::Sum, Value::List(items)) => {
            let mut sum = Decimal::ZERO;
            for item in items {
                let Value::Number(number) = item else {
                    return None;
                };
                sum = sum.checked_add(*number)?;
            }
            Some(Value::Number(sum))
        }
        (Function::Urls, _) => found_in(value, &address::urls),
        (Function::Emails, _) => found_in(value, &address::emails),
        (Function::Numbers, Value::Number(_)) => Some(Value::List(vec![value.clone()])),
        (Function::Numbers, _) => found_in(value, &numerals::numbers),
        (Function::Domain, Value::Text(text)) => address::domain(text).map(Value::Text),
        (Function::Path, Value::Text(text)) => address::path(text).map(Value::Text),
        _ => None,
    }
}

fn number(count: usize) -> Value {
    Value::Number(Decimal::from(count))
}

/// What is found in a text, or in each text of a list; none if one of them
/// cannot be read with certainty.
fn found_in(value: &Value, find: &dyn Fn(&str) -> Option<Vec<Value>>) -> Option<Value> {
    match value {
        Value::Text(text) => find(text).map(Value::List),
        Value::List(items) => {
            let mut all = Vec::new();
            for item in items {
                match item {
                    Value::Text(text) => all.extend(find(text)?),
                    _ => return None,
                }
            }
            Some(Value::List(all))
        }
        _ => None,
    }
}
