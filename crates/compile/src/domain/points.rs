//! The values to try for one quantity.

use crate::schema;
use lictor_contract::catalog::Tool;
use lictor_contract::predicate::{Atom, Function, Gauge, Path, Term};
use lictor_contract::time::Time;
use lictor_contract::value::Value;
use rust_decimal::Decimal;
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Most values that are tried for one quantity.
const MAX_POINTS: usize = 200;

/// Values that realise every combination of truth values of some atoms.
#[derive(Clone, Debug)]
pub(super) struct Points {
    pub(super) values: Vec<Value>,
    /// Whether the quantity may have no value.
    absent: bool,
    /// Whether the values come from a domain that somebody declared.
    pub(super) declared: bool,
    /// Whether trying them is exact.
    pub(super) usable: bool,
}

impl Points {
    /// Whether the quantity may have no value.
    pub(super) fn may_be_absent(&self) -> bool {
        self.absent
    }

    pub(super) fn choices(&self) -> usize {
        self.values.len() + usize::from(self.absent)
    }

    /// The value of a choice; the last choice may be 'none'.
    pub(super) fn value(&self, choice: usize) -> Option<&Value> {
        self.values.get(choice)
    }
}

/// What is known of a quantity before any comparison.
#[derive(Default)]
struct Range {
    finite: Option<BTreeSet<Value>>,
    least: Option<Decimal>,
    greatest: Option<Decimal>,
    /// The bound itself is excluded.
    open_least: bool,
    open_greatest: bool,
    integral: bool,
    declared: bool,
    absent: bool,
}

/// The values to try for `term` in these atoms; with a tool, within the domains
/// that its schema declares.
pub(super) fn points(term: &Term, atoms: BTreeSet<&Atom>, tool: Option<&Tool>) -> Points {
    let range = range(term, tool);
    if let Some(finite) = range.finite {
        let times = finite.iter().any(is_time);
        return Points {
            usable: finite.len() <= MAX_POINTS && !finite.is_empty() && !times,
            values: finite.into_iter().collect(),
            absent: range.absent,
            declared: !times,
        };
    }
    let mut constants = BTreeSet::new();
    let mut usable = true;
    for atom in &atoms {
        match atom {
            Atom::Compare(_, left, right) | Atom::In(left, right) => {
                for side in [left, right] {
                    match side {
                        Term::Constant(Value::List(items)) if matches!(atom, Atom::In(..)) => {
                            constants.extend(items.iter().cloned());
                        }
                        Term::Constant(value) => {
                            constants.insert(value.clone());
                        }
                        _ => {}
                    }
                }
            }
            Atom::Known(_) => {}
            // Which texts match a pattern is not enumerated.
            _ => usable = false,
        }
    }
    let values = candidates(&constants, &range);
    Points {
        usable: usable && values.len() <= MAX_POINTS && !constants.iter().any(is_time),
        values,
        absent: range.absent,
        declared: range.declared,
    }
}

/// Whether it is a time. Times have many spellings, and which is earlier may hang
/// on the zone, so they are not tried.
pub(super) fn is_time(value: &Value) -> bool {
    matches!(value, Value::Text(text) if Time::parse(text).is_some())
}

/// The constants, their neighbours, the points between, and one value of each
/// kind that is equal to none of them.
fn candidates(constants: &BTreeSet<Value>, range: &Range) -> Vec<Value> {
    let mut values = BTreeSet::new();
    let mut numbers: BTreeSet<Decimal> = range.least.into_iter().chain(range.greatest).collect();
    for constant in constants {
        match constant {
            Value::Number(number) => {
                numbers.insert(*number);
            }
            Value::Text(text) => {
                values.insert(Value::Text(text.clone()));
                // Something else, in the order of texts before and after it.
                values.insert(Value::Text(format!("{text}\u{1}")));
                values.insert(Value::Text(String::new()));
            }
            Value::Bool(_) => values.extend([Value::Bool(false), Value::Bool(true)]),
            other => {
                values.insert(other.clone());
                values.insert(match other {
                    Value::List(_) => Value::List(vec![other.clone()]),
                    _ => Value::Object(
                        std::iter::once(("\u{1}".to_owned(), other.clone())).collect(),
                    ),
                });
            }
        }
    }
    let sorted: Vec<Decimal> = numbers.iter().copied().collect();
    let mut tried = numbers.clone();
    for number in &sorted {
        tried.extend(number.checked_add(Decimal::ONE));
        tried.extend(number.checked_sub(Decimal::ONE));
    }
    for pair in sorted.windows(2) {
        if let [low, high] = pair {
            let middle = low
                .checked_add(*high)
                .and_then(|sum| sum.checked_div(Decimal::TWO));
            tried.extend(middle.map(|middle| {
                if range.integral {
                    middle.floor()
                } else {
                    middle
                }
            }));
        }
    }
    if tried.is_empty() && constants.is_empty() {
        // Only `known` speaks of it: any value will do.
        values.insert(Value::Bool(true));
    }
    let within = |number: &Decimal| {
        let above = range.least.is_none_or(|least| {
            if range.open_least {
                *number > least
            } else {
                *number >= least
            }
        });
        let below = range.greatest.is_none_or(|greatest| {
            if range.open_greatest {
                *number < greatest
            } else {
                *number <= greatest
            }
        });
        above && below && (!range.integral || number.is_integer())
    };
    values.extend(tried.into_iter().filter(within).map(Value::Number));
    values.into_iter().collect()
}

fn range(term: &Term, tool: Option<&Tool>) -> Range {
    let natural = |least: i64| Range {
        least: Some(Decimal::from(least)),
        integral: true,
        ..Range::default()
    };
    match (term, tool) {
        (Term::Arg(path), Some(tool)) => argument(path, tool),
        (Term::Apply(Function::Len, inner), tool) => {
            let mut range = natural(0);
            range.absent = true;
            if let (Term::Arg(path), Some(tool)) = (&**inner, tool) {
                let reached = schema::reach(tool, path);
                range.absent = reached.optional.is_some() || reached.spread;
                if let Some(schema) = reached.schema.filter(|_| !reached.spread) {
                    let of_list = schema.get("type").and_then(Json::as_str) == Some("array");
                    let (low, high) = if of_list {
                        ("minItems", "maxItems")
                    } else {
                        ("minLength", "maxLength")
                    };
                    range.declared = schema.get(low).is_some() || schema.get(high).is_some();
                    range.least = number(schema, low).or(range.least);
                    range.greatest = number(schema, high);
                }
            }
            range
        }
        (Term::Count(_), _) => Range {
            // A count is unknown while a key is.
            absent: true,
            ..natural(0)
        },
        (Term::Gauge(Gauge::TurnCalls), _) => natural(1),
        (Term::Gauge(Gauge::TurnSize), _) => Range {
            absent: true,
            ..natural(1)
        },
        _ => Range {
            absent: true,
            ..Range::default()
        },
    }
}

fn argument(path: &Path, tool: &Tool) -> Range {
    let reached = schema::reach(tool, path);
    let mut range = Range {
        absent: reached.optional.is_some() || reached.schema.is_none(),
        ..Range::default()
    };
    let Some(schema) = reached.schema.filter(|_| !reached.spread) else {
        return range;
    };
    range.finite = schema::finite(schema);
    let integral = schema.get("type").and_then(Json::as_str) == Some("integer");
    range.integral = integral;
    range.least = number(schema, "minimum");
    range.greatest = number(schema, "maximum");
    if let Some(bound) = number(schema, "exclusiveMinimum") {
        (range.least, range.open_least) = (Some(bound), true);
    }
    if let Some(bound) = number(schema, "exclusiveMaximum") {
        (range.greatest, range.open_greatest) = (Some(bound), true);
    }
    range.declared = range.finite.is_some() || range.least.is_some() || range.greatest.is_some();
    range
}

/// The schema of the elements of the list that an argument term selects.
pub(super) fn element<'a>(term: &Term, tool: &'a Tool) -> Option<&'a Json> {
    let Term::Arg(path) = term else { return None };
    let reached = schema::reach(tool, path);
    if reached.spread {
        return reached.schema;
    }
    reached
        .schema
        .filter(|schema| schema.get("type").and_then(Json::as_str) == Some("array"))
        .and_then(|schema| schema.get("items"))
}

fn number(schema: &Json, key: &str) -> Option<Decimal> {
    match Value::from_serde(schema.get(key)?).ok()? {
        Value::Number(number) => Some(number),
        _ => None,
    }
}
