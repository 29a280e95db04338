//! What kind of value a term can have, read from the tools' JSON Schemas.

use super::either;
use crate::catalog::Catalog;
use crate::predicate::{Name, Path, Segment, Term};
use crate::value::{Kind, Value};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fmt;

/// Deepest nesting of `anyOf` and `items` that is followed.
const MAX_STEPS: usize = 32;

/// The kinds a term can have, or nothing known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// None if any kind is possible.
    kinds: Option<BTreeSet<Kind>>,
    /// What the elements are, if it is a list and that is known.
    item: Option<Box<Shape>>,
}

impl Shape {
    pub(super) fn unknown() -> Shape {
        Shape {
            kinds: None,
            item: None,
        }
    }

    pub(super) fn of(kind: Kind) -> Shape {
        Shape {
            kinds: Some(BTreeSet::from([kind])),
            item: None,
        }
    }

    fn list_of(item: Shape) -> Shape {
        Shape {
            item: Some(Box::new(item)),
            ..Shape::of(Kind::List)
        }
    }

    pub(super) fn of_value(value: &Value) -> Shape {
        match value {
            Value::List(items) if !items.is_empty() => {
                Shape::list_of(union(items.iter().map(Shape::of_value)))
            }
            other => Shape::of(other.kind()),
        }
    }

    /// The shape of an element of this list.
    pub(super) fn item(&self) -> Shape {
        match &self.item {
            Some(item) => (**item).clone(),
            None => Shape::unknown(),
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

    /// Whether two values of these shapes can be of one kind.
    pub(super) fn meets(&self, other: &Shape) -> bool {
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

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kinds {
            Some(kinds) => f.write_str(&either(kinds)),
            None => f.write_str("of unknown kind"),
        }
    }
}

/// One of several shapes.
fn union(shapes: impl IntoIterator<Item = Shape>) -> Shape {
    let mut kinds = Some(BTreeSet::new());
    let mut items = Vec::new();
    for shape in shapes {
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
    let item = (kinds.is_some() && !items.is_empty()).then(|| Box::new(union(items)));
    Shape { kinds, item }
}

/// A path that steps into something without parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// What the path wants there.
    wanted: &'static str,
    /// What is there.
    found: Shape,
}

impl Fault {
    pub(super) fn message(&self, term: &Term) -> String {
        format!("`{term}` reads {} of what is {}", self.wanted, self.found)
    }
}

/// The shape of an argument: one of those that the tools' schemas give it.
/// Tools without the argument are left out; that is another check's finding.
pub(super) fn argument(catalog: &Catalog, tools: &[&str], path: &Path) -> Result<Shape, Fault> {
    let Some((Segment::Field(Name::Known(head)), rest)) = path.0.split_first() else {
        return Ok(Shape::unknown());
    };
    let schemas: Vec<&Json> = tools
        .iter()
        .filter_map(|tool| catalog.get(tool)?.parameters.get(head))
        .map(|parameter| &parameter.schema)
        .collect();
    if schemas.is_empty() {
        return Ok(Shape::unknown());
    }
    let mut at = alternatives(&schemas);
    let mut many = false;
    for segment in rest {
        let here = union(at.iter().map(|schema| shape(schema, 0)));
        let (wanted, kinds): (_, &[Kind]) = match segment {
            Segment::Field(_) => ("a field", &[Kind::Object]),
            Segment::Index(_) => ("an element", &[Kind::List]),
            Segment::Every => ("every element", &[Kind::List, Kind::Object]),
        };
        if !here.may_be(kinds) {
            return Err(Fault {
                wanted,
                found: here,
            });
        }
        many |= *segment == Segment::Every;
        let Some(next) = step(&at, segment) else {
            return Ok(if many {
                Shape::list_of(Shape::unknown())
            } else {
                Shape::unknown()
            });
        };
        at = next;
    }
    let end = union(at.iter().map(|schema| shape(schema, 0)));
    Ok(if many { Shape::list_of(end) } else { end })
}

/// The schemas one segment further; none if one of them does not say.
fn step<'a>(at: &[&'a Json], segment: &Segment) -> Option<Vec<&'a Json>> {
    let mut next = Vec::new();
    for schema in at {
        let kinds = shape(schema, 0).kinds?;
        let part = match segment {
            Segment::Field(Name::Placeholder(_)) => return None,
            Segment::Field(Name::Known(name)) if kinds.contains(&Kind::Object) => {
                schema.get("properties")?.get(name)?
            }
            Segment::Index(_) if kinds.contains(&Kind::List) => schema.get("items")?,
            Segment::Every if kinds.contains(&Kind::Object) => {
                schema.get("additionalProperties")?
            }
            Segment::Every if kinds.contains(&Kind::List) => schema.get("items")?,
            // Null beside an object: the path has no value there.
            _ => continue,
        };
        next.push(part);
    }
    let next = alternatives(&next);
    (!next.is_empty()).then_some(next)
}

/// The schemas with each `anyOf` and `oneOf` spread out.
fn alternatives<'a>(schemas: &[&'a Json]) -> Vec<&'a Json> {
    let mut open: Vec<(&Json, usize)> = schemas.iter().rev().map(|schema| (*schema, 0)).collect();
    let mut flat = Vec::new();
    while let Some((schema, depth)) = open.pop() {
        match choices(schema).filter(|_| depth < MAX_STEPS) {
            Some(choices) => open.extend(choices.iter().rev().map(|choice| (choice, depth + 1))),
            None => flat.push(schema),
        }
    }
    flat
}

fn choices(schema: &Json) -> Option<&Vec<Json>> {
    let choices = schema
        .get("anyOf")
        .or_else(|| schema.get("oneOf"))?
        .as_array()?;
    schema.get("type").is_none().then_some(choices)
}

/// The shape that a schema allows.
fn shape(schema: &Json, depth: usize) -> Shape {
    if depth > MAX_STEPS {
        return Shape::unknown();
    }
    let kinds: Option<BTreeSet<Kind>> = match schema.get("type") {
        Some(Json::String(name)) => kind(name).map(|kind| BTreeSet::from([kind])),
        Some(Json::Array(names)) => names.iter().map(|name| kind(name.as_str()?)).collect(),
        _ => {
            let values = match (schema.get("const"), schema.get("enum")) {
                (Some(only), _) => std::slice::from_ref(only),
                (None, Some(Json::Array(values))) => values.as_slice(),
                _ => {
                    return choices(schema).map_or_else(Shape::unknown, |choices| {
                        union(choices.iter().map(|choice| shape(choice, depth + 1)))
                    });
                }
            };
            return union(values.iter().map(|value| match Value::from_serde(value) {
                Ok(value) => Shape::of_value(&value),
                Err(_) => Shape::unknown(),
            }));
        }
    };
    let item = schema
        .get("items")
        .map(|items| Box::new(shape(items, depth + 1)));
    Shape {
        item: item.filter(|_| {
            kinds
                .as_ref()
                .is_some_and(|kinds| kinds.contains(&Kind::List))
        }),
        kinds: kinds.filter(|kinds| !kinds.is_empty()),
    }
}

fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "string" => Kind::Text,
        "number" | "integer" => Kind::Number,
        "boolean" => Kind::Bool,
        "array" => Kind::List,
        "object" => Kind::Object,
        "null" => Kind::Null,
        _ => return None,
    })
}
