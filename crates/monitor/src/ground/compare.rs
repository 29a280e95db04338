//! Equality and order, one meaning for each kind (DESIGN section 3).
//!
//! Numbers compare by value, ids ignoring case, blanks and a leading `#`, times
//! by instant or by day, other texts character by character, lists in order,
//! objects exactly. Different kinds are neither equal nor known to differ.

use super::Moment;
use lictor_contract::time::Time;
use lictor_contract::value::Value;
use std::cmp::Ordering;

impl Moment<'_> {
    /// Whether two values are equal; none if that cannot be told.
    pub(super) fn same(&self, left: &Value, right: &Value, are_ids: bool) -> Option<bool> {
        match (left, right) {
            (Value::Text(a), Value::Text(b)) => {
                if a == b || (are_ids && plain_id(a) == plain_id(b)) {
                    return Some(true);
                }
                match (Time::parse(a), Time::parse(b)) {
                    (Some(a), Some(b)) => a.order(b, self.world.zone()).map(Ordering::is_eq),
                    _ => Some(false),
                }
            }
            (Value::List(a), Value::List(b)) if are_ids || a.iter().any(is_time) => {
                if a.len() != b.len() {
                    return Some(false);
                }
                let mut known = true;
                for (a, b) in a.iter().zip(b) {
                    match self.same(a, b, are_ids) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => known = false,
                    }
                }
                known.then_some(true)
            }
            _ => left.equals(right),
        }
    }

    /// The order of two numbers or of two times; other texts have none.
    pub(super) fn order(&self, left: &Value, right: &Value) -> Option<Ordering> {
        match (left, right) {
            (Value::Text(a), Value::Text(b)) => {
                Time::parse(a)?.order(Time::parse(b)?, self.world.zone())
            }
            _ => left.order(right),
        }
    }

    /// Whether an element of a list, or a key of an object, equals the value.
    pub(super) fn member(&self, item: &Value, collection: &Value, are_ids: bool) -> Option<bool> {
        let mut known = true;
        match (collection, item) {
            (Value::List(items), _) => {
                for candidate in items {
                    match self.same(candidate, item, are_ids) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => known = false,
                    }
                }
                known.then_some(false)
            }
            (Value::Object(fields), Value::Text(name)) => {
                let found = fields.contains_key(name)
                    || (are_ids && fields.keys().any(|key| plain_id(key) == plain_id(name)));
                Some(found)
            }
            _ => None,
        }
    }

    /// Bag inclusion: every element of `part` has one of its own in `whole`.
    pub(super) fn subset(&self, part: &Value, whole: &Value, are_ids: bool) -> Option<bool> {
        let (Value::List(part), Value::List(whole)) = (part, whole) else {
            return None;
        };
        let mut left: Vec<&Value> = whole.iter().collect();
        let mut known = true;
        for item in part {
            let equal = |candidate: &&Value| self.same(candidate, item, are_ids);
            match left.iter().position(|it| equal(it) == Some(true)) {
                Some(index) => {
                    left.swap_remove(index);
                }
                None if left.iter().any(|it| equal(it).is_none()) => known = false,
                None => return Some(false),
            }
        }
        known.then_some(true)
    }
}

fn is_time(value: &Value) -> bool {
    matches!(value, Value::Text(text) if Time::parse(text).is_some())
}

/// An id without what people add to it or leave out.
pub fn plain_id(text: &str) -> String {
    let text = text.trim_start().trim_start_matches('#');
    let kept = text.chars().filter(|c| !c.is_whitespace());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use crate::ground::specimen::with_moment;
    use lictor_contract::value::Value;
    use std::cmp::Ordering;

    fn value(text: &str) -> Value {
        Value::from_json(text).unwrap()
    }

    #[track_caller]
    fn member(item: &str, list: &str, expected: Option<bool>) {
        let found = with_moment(|moment| moment.member(&value(item), &value(list), false));
        assert_eq!(found, expected, "{item} in {list}");
    }

    #[track_caller]
    fn subset(part: &str, whole: &str, expected: Option<bool>) {
        let found = with_moment(|moment| moment.subset(&value(part), &value(whole), false));
        assert_eq!(found, expected, "{part} subset {whole}");
    }

    #[test]
    fn membership() {
        member("1", "[2, 1.0]", Some(true));
        member("1", "[]", Some(false));
        member("1", "[\"1\"]", None);
        member("\"k\"", r#"{"k": 1}"#, Some(true));
        member("\"k\"", "\"kk\"", None);
    }

    #[test]
    fn bags() {
        subset("[1, 1]", "[1, 2, 1]", Some(true));
        subset("[1, 1]", "[1, 2]", Some(false));
        subset("[]", "[1]", Some(true));
        subset("[\"1\"]", "[1]", None);
        subset("[\"1\", 3]", "[1, \"x\"]", None);
        subset("[5, \"1\"]", "[1, 2]", Some(false));
    }

    #[test]
    fn only_numbers_and_times_have_an_order() {
        let check = |left: &str, right: &str, expected| {
            let found = with_moment(|moment| moment.order(&value(left), &value(right)));
            assert_eq!(found, expected, "{left} and {right}");
        };
        check("2", "10", Some(Ordering::Less));
        check("\"2024-05-01\"", "\"2024-05-20\"", Some(Ordering::Less));
        check(
            "\"2024-05-01\"",
            "\"2024-05-20T10:00:00\"",
            Some(Ordering::Less),
        );
        check("\"2024-05-20 10:00\"", "\"2024-05-20T10:00:00Z\"", None);
        check("\"apple\"", "\"pear\"", None);
        check("\"9\"", "10", None);
    }

    #[test]
    fn ids_and_times_have_spellings() {
        let check = |left: &str, right: &str, are_ids: bool, expected| {
            let found = with_moment(|moment| moment.same(&value(left), &value(right), are_ids));
            assert_eq!(found, expected, "{left} and {right}");
        };
        check("\"#W 12a\"", "\"w12A\"", true, Some(true));
        check("\"#W12A\"", "\"W12A\"", false, Some(false));
        check("[\"#w1\", 2]", "[\"W1\", 2.0]", true, Some(true));
        check("\"12\"", "12", true, None);
        check(
            "\"2024-05-01T10:00:00Z\"",
            "\"2024-05-01T12:00:00+02:00\"",
            false,
            Some(true),
        );
        check("\"2024-05-01\"", "\"2024-05-01 12:00\"", false, Some(true));
    }
}
