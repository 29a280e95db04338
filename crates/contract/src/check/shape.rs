//! What kind of value a term can have.

use super::either;
use super::schema;
use crate::time::Time;
use crate::value::{Kind, Value};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fmt;

/// What a number or a text measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Nothing in particular.
    Plain,
    /// A stretch of time, in seconds.
    Stretch,
    /// A point in time.
    Time,
}

/// The kinds a term can have, or nothing known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape<'a> {
    /// None if any kind is possible.
    kinds: Option<BTreeSet<Kind>>,
    /// What the elements are, if it is a list and that is known.
    item: Option<Box<Shape<'a>>>,
    /// What it measures.
    pub(super) measure: Measure,
    /// The schemas one of which describes it; none if it has none.
    schemas: Vec<&'a Json>,
}

impl<'a> Shape<'a> {
    pub(super) fn unknown() -> Self {
        Shape {
            kinds: None,
            item: None,
            measure: Measure::Plain,
            schemas: Vec::new(),
        }
    }

    pub(super) fn of(kind: Kind) -> Self {
        Shape::of_kinds(Some(BTreeSet::from([kind])), None)
    }

    pub(super) fn of_kinds(kinds: Option<BTreeSet<Kind>>, item: Option<Shape<'a>>) -> Self {
        Shape {
            kinds: kinds.filter(|kinds| !kinds.is_empty()),
            item: item.map(Box::new),
            ..Shape::unknown()
        }
    }

    pub(super) fn stretch() -> Self {
        Shape {
            measure: Measure::Stretch,
            ..Shape::of(Kind::Number)
        }
    }

    pub(super) fn time() -> Self {
        Shape {
            measure: Measure::Time,
            ..Shape::of(Kind::Text)
        }
    }

    pub(super) fn list_of(item: Shape<'a>) -> Self {
        Shape {
            item: Some(Box::new(item)),
            ..Shape::of(Kind::List)
        }
    }

    pub(super) fn of_value(value: &Value) -> Self {
        match value {
            Value::List(items) if !items.is_empty() => {
                Shape::list_of(Shape::any_of(items.iter().map(Shape::of_value)))
            }
            Value::Text(text) if Time::parse(text).is_some() => Shape::time(),
            other => Shape::of(other.kind()),
        }
    }

    /// The same shape, described by these schemas.
    pub(super) fn described_by(self, schemas: Vec<&'a Json>) -> Self {
        Shape { schemas, ..self }
    }

    /// One of several shapes.
    pub(super) fn any_of(shapes: impl IntoIterator<Item = Shape<'a>>) -> Self {
        let mut kinds = Some(BTreeSet::new());
        let mut items = Vec::new();
        let mut schemas = Some(Vec::new());
        let mut measures = Vec::new();
        for shape in shapes {
            measures.push(shape.measure);
            schemas = schemas.filter(|_| !shape.schemas.is_empty());
            if let Some(all) = &mut schemas {
                all.extend(shape.schemas);
            }
            kinds = kinds
                .zip(shape.kinds)
                .map(|(mut all, more): (BTreeSet<Kind>, _)| {
                    if more.contains(&Kind::List) {
                        items.push(shape.item.map_or_else(Shape::unknown, |item| *item));
                    }
                    all.extend(more);
                    all
                });
        }
        let kinds = kinds.filter(|kinds| !kinds.is_empty());
        let item = (kinds.is_some() && !items.is_empty()).then(|| Shape::any_of(items));
        let measure = match measures.as_slice() {
            [first, rest @ ..] if rest.iter().all(|other| other == first) => *first,
            _ => Measure::Plain,
        };
        Shape {
            measure,
            schemas: schemas.unwrap_or_default(),
            ..Shape::of_kinds(kinds, item)
        }
    }

    /// The shape of an element of this list.
    pub(super) fn item(&self) -> Shape<'a> {
        match &self.item {
            Some(item) => (**item).clone(),
            None => Shape::unknown(),
        }
    }

    /// The shape of an element of this list, or of a value of this object.
    pub(super) fn element(&self) -> Shape<'a> {
        if self.is_only(Kind::List) {
            return self.item();
        }
        self.part(|schema| {
            let kinds = schema::shape(schema).kinds;
            let kinds = kinds.as_ref();
            let is = |kind: Kind| kinds.is_some_and(|kinds| kinds.contains(&kind));
            match (is(Kind::List), is(Kind::Object)) {
                (true, false) => Some(schema.get("items")),
                (false, true) => Some(schema.get("additionalProperties")),
                (true, true) => Some(None),
                // Null beside them has no elements.
                (false, false) => kinds.map_or(Some(None), |_| None),
            }
        })
    }

    /// The shape of a field of this object.
    pub(super) fn field(&self, name: &str) -> Shape<'a> {
        self.part(|schema| {
            let kinds = schema::shape(schema).kinds;
            match kinds {
                Some(kinds) if !kinds.contains(&Kind::Object) => None,
                _ => Some(schema.get("properties").and_then(|it| it.get(name))),
            }
        })
    }

    /// The shape of a part, as each schema has it: none if a value of that schema
    /// has no such part, none inside if the schema says nothing about it.
    fn part(&self, part: impl Fn(&'a Json) -> Option<Option<&'a Json>>) -> Shape<'a> {
        let parts = self.schemas.iter().filter_map(|schema| part(schema));
        match parts.collect::<Option<Vec<_>>>() {
            Some(parts) if !parts.is_empty() => schema::described(&parts),
            _ => Shape::unknown(),
        }
    }

    pub(super) fn may_be(&self, kinds: &[Kind]) -> bool {
        self.kinds
            .as_ref()
            .is_none_or(|known| kinds.iter().any(|kind| known.contains(kind)))
    }

    /// Whether it is known to be of this kind.
    pub(super) fn is_only(&self, kind: Kind) -> bool {
        self.kinds
            .as_ref()
            .is_some_and(|known| known.len() == 1 && known.contains(&kind))
    }

    /// Whether its one kind is known.
    pub(super) fn is_settled(&self) -> bool {
        self.kinds.as_ref().is_some_and(|known| known.len() == 1)
    }

    /// Whether two values of these shapes can be of one kind.
    pub(super) fn meets(&self, other: &Shape<'_>) -> bool {
        let (Some(left), Some(right)) = (&self.kinds, &other.kinds) else {
            return true;
        };
        let shared: BTreeSet<&Kind> = left.intersection(right).collect();
        if shared.len() == 1 && shared.contains(&Kind::List) {
            return self.item().meets(&other.item());
        }
        !shared.is_empty()
    }
}

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.kinds, self.measure) {
            (_, Measure::Stretch) => f.write_str("a stretch of time"),
            (_, Measure::Time) => f.write_str("a time"),
            (Some(kinds), Measure::Plain) => f.write_str(&either(kinds)),
            (None, Measure::Plain) => f.write_str("of unknown kind"),
        }
    }
}
