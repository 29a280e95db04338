//! Walking a path into a value.

use super::Moment;
use crate::truth::Truth;
use lictor_contract::predicate::{Name, Segment};
use lictor_contract::value::Value;
use rust_decimal::prelude::ToPrimitive;
use std::borrow::Cow;

impl Moment<'_> {
    /// What a path selects. A path with `[*]` or a filter selects a list, and
    /// only if every selected element has the rest of the path: a record with one
    /// malformed element must not pass as if it had none. A position right behind
    /// a filter is one in the filtered list. A filter that is undecided for one
    /// element leaves the list unknown.
    pub fn select<'a>(&self, value: &'a Value, path: &[Segment]) -> Option<Cow<'a, Value>> {
        let Some((head, rest)) = path.split_first() else {
            return Some(Cow::Borrowed(value));
        };
        match (head, value) {
            (Segment::Field(Name::Known(name)), Value::Object(fields)) => {
                self.select(fields.get(name)?, rest)
            }
            (Segment::Index(index), Value::List(items)) => {
                self.select(items.get(place(items.len(), *index)?)?, rest)
            }
            (Segment::Computed(key), _) => {
                let key = self.term(key);
                let part = match (value, key.exact()?.as_ref()) {
                    (Value::Object(fields), Value::Text(name)) => fields.get(name)?,
                    (Value::List(items), Value::Number(number)) if number.is_integer() => {
                        items.get(place(items.len(), number.to_i64()?)?)?
                    }
                    _ => return None,
                };
                self.select(part, rest)
            }
            (Segment::Every, Value::List(items)) => self.each(items.iter(), rest),
            (Segment::Every, Value::Object(fields)) => self.each(fields.values(), rest),
            (Segment::Filter(condition), _) => {
                let items: Vec<&Value> = match value {
                    Value::List(items) => items.iter().collect(),
                    Value::Object(fields) => fields.values().collect(),
                    _ => return None,
                };
                let mut kept = Vec::new();
                for item in items {
                    match self.holds_for(condition, item) {
                        Truth::True => kept.push(item),
                        Truth::False => {}
                        Truth::Unknown | Truth::Reserved => return None,
                    }
                }
                match rest.split_first() {
                    Some((Segment::Index(index), rest)) => {
                        self.select(kept.get(place(kept.len(), *index)?)?, rest)
                    }
                    _ => self.each(kept.into_iter(), rest),
                }
            }
            _ => None,
        }
    }

    fn each<'a>(
        &self,
        items: impl Iterator<Item = &'a Value>,
        rest: &[Segment],
    ) -> Option<Cow<'a, Value>> {
        let flatten = is_list(rest);
        let mut selected = Vec::new();
        for item in items {
            match self.select(item, rest)?.into_owned() {
                Value::List(inner) if flatten => selected.extend(inner),
                other => selected.push(other),
            }
        }
        Some(Cow::Owned(Value::List(selected)))
    }
}

/// Whether a path selects a list: a position behind a filter takes one of it.
fn is_list(path: &[Segment]) -> bool {
    let behind = path.iter().skip(1).map(Some).chain([None]);
    path.iter()
        .zip(behind)
        .any(|(segment, behind)| match segment {
            Segment::Every => true,
            Segment::Filter(_) => !matches!(behind, Some(Segment::Index(_))),
            _ => false,
        })
}

/// The place of a position that may count from the end.
fn place(length: usize, index: i64) -> Option<usize> {
    let distance = usize::try_from(index.unsigned_abs()).ok()?;
    if index < 0 {
        length.checked_sub(distance)
    } else {
        Some(distance)
    }
}

#[cfg(test)]
mod tests {
    use crate::ground::specimen::with_moment;
    use lictor_contract::language::{Mode, parse_term};
    use lictor_contract::predicate::Term;
    use lictor_contract::value::Value;

    #[track_caller]
    fn check(value: &str, path: &str, expected: Option<&str>) {
        let value = Value::from_json(value).unwrap();
        let Term::Result(path) = parse_term(&format!("result{path}"), Mode::Strict).unwrap() else {
            panic!("no path");
        };
        let found = with_moment(|moment| {
            let found = moment.select(&value, &path.0);
            found.map(|found| found.to_string())
        });
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn fields_and_positions() {
        check(r#"{"a": [1, 2]}"#, ".a[-1]", Some("2"));
        check(r#"{"a": [1, 2]}"#, ".a[2]", None);
        check(r#"{"a": [1, 2]}"#, ".b", None);
        check(r#"{"a": {"k": 1}}"#, ".a[\"k\"]", Some("1"));
    }

    #[test]
    fn every_element_must_have_the_rest() {
        check(r#"{"a": [{"x": 1}, {"x": 2}]}"#, ".a[*].x", Some("[1, 2]"));
        check(r#"{"a": {"k": {"x": 1}}}"#, ".a[*].x", Some("[1]"));
        check(r#"{"a": []}"#, ".a[*].x", Some("[]"));
        check(r#"{"a": [{"x": 1}, {}]}"#, ".a[*].x", None);
        check(r#"{"a": 3}"#, ".a[*].x", None);
    }

    #[test]
    fn nested_lists_give_one_flat_list() {
        check("[[1], [2, 3]]", "[*][*]", Some("[1, 2, 3]"));
    }

    #[test]
    fn filters_keep_what_is_known_to_fit() {
        let orders = r#"[{"id": "a", "n": 1}, {"id": "b", "n": 2}, {"id": "c", "n": 3}]"#;
        check(orders, "[?@.n > 1].id", Some(r#"["b", "c"]"#));
        check(orders, "[?@.n > 1][0].id", Some("\"b\""));
        check(orders, "[?@.n > 1][-1].id", Some("\"c\""));
        check(orders, "[?@.n > 5].id", Some("[]"));
        check(orders, "[?@.n > 5][0].id", None);
        check(orders, "[?@.id == \"a\" | @.n == 3].n", Some("[1, 3]"));
        // One element leaves it open.
        check(r#"[{"n": 1}, {"m": 1}]"#, "[?@.n > 0]", None);
        check(
            r#"{"x": {"n": 1}, "y": {"n": 5}}"#,
            "[?@.n < 3].n",
            Some("[1]"),
        );
    }

    #[test]
    fn computed_keys_name_a_part() {
        check(r#"{"a": 1}"#, "[lower(\"A\")]", Some("1"));
        check("[5, 6]", "[len(\"x\")]", Some("6"));
        check(r#"{"1": 1}"#, "[len(\"x\")]", None);
        check(r#"{"a": 1}"#, "[arg.name]", None);
    }
}
