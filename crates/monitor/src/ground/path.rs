//! Walking a path into a value.

use lictor_contract::predicate::{Name, Segment};
use lictor_contract::value::Value;
use std::borrow::Cow;

/// What a path selects. A path with `[*]` selects a list, and only if every
/// selected element has the rest of the path: a record with one malformed
/// element must not pass as if it had none.
pub fn select<'a>(value: &'a Value, path: &[Segment]) -> Option<Cow<'a, Value>> {
    let Some((head, rest)) = path.split_first() else {
        return Some(Cow::Borrowed(value));
    };
    match (head, value) {
        (Segment::Field(Name::Known(name)), Value::Object(fields)) => {
            select(fields.get(name)?, rest)
        }
        (Segment::Index(index), Value::List(items)) => select(element(items, *index)?, rest),
        (Segment::Every, Value::List(items)) => every(items.iter(), rest),
        (Segment::Every, Value::Object(fields)) => every(fields.values(), rest),
        _ => None,
    }
}

fn element(items: &[Value], index: i64) -> Option<&Value> {
    let from_end = usize::try_from(index.unsigned_abs()).ok()?;
    if index < 0 {
        items.get(items.len().checked_sub(from_end)?)
    } else {
        items.get(from_end)
    }
}

fn every<'a>(items: impl Iterator<Item = &'a Value>, rest: &[Segment]) -> Option<Cow<'a, Value>> {
    let flatten = rest.contains(&Segment::Every);
    let mut selected = Vec::new();
    for item in items {
        match select(item, rest)?.into_owned() {
            Value::List(inner) if flatten => selected.extend(inner),
            other => selected.push(other),
        }
    }
    Some(Cow::Owned(Value::List(selected)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, path: &[Segment], expected: Option<&str>) {
        let value = Value::from_json(value).unwrap();
        let found = select(&value, path).map(|found| found.to_string());
        assert_eq!(found.as_deref(), expected);
    }

    fn field(name: &str) -> Segment {
        Segment::Field(Name::Known(name.into()))
    }

    #[test]
    fn fields_and_indices() {
        check(
            r#"{"a": [1, 2]}"#,
            &[field("a"), Segment::Index(-1)],
            Some("2"),
        );
        check(r#"{"a": [1, 2]}"#, &[field("a"), Segment::Index(2)], None);
        check(r#"{"a": [1, 2]}"#, &[field("b")], None);
    }

    #[test]
    fn every_element_must_have_the_rest() {
        let path = [field("a"), Segment::Every, field("x")];
        check(r#"{"a": [{"x": 1}, {"x": 2}]}"#, &path, Some("[1, 2]"));
        check(r#"{"a": {"k": {"x": 1}}}"#, &path, Some("[1]"));
        check(r#"{"a": []}"#, &path, Some("[]"));
        check(r#"{"a": [{"x": 1}, {}]}"#, &path, None);
        check(r#"{"a": 3}"#, &path, None);
    }

    #[test]
    fn nested_every_gives_one_flat_list() {
        let path = [Segment::Every, Segment::Every];
        check("[[1], [2, 3]]", &path, Some("[1, 2, 3]"));
    }
}
