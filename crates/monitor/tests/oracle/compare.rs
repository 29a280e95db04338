//! Equality, order, and numbers that are not one number, as the definitions have them.

use super::clock;
use super::letters::{compares, number};
use super::logic::T3;
use lictor_contract::predicate::{ArithmeticOp, CompareOp};
use lictor_contract::value::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A number in thousandths, so that numbers can be sorted.
pub type Milli = i64;

pub fn milli(number: f64) -> Milli {
    (number * 1000.0).round() as Milli
}

/// One way to read what is unknown of a number: what is settled, and from where to where calls in
/// flight may still move it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    pub settled: Milli,
    pub low: Milli,
    pub high: Milli,
}

impl Reading {
    pub fn of(number: Milli) -> Reading {
        Reading {
            settled: number,
            low: number,
            high: number,
        }
    }

    /// Whether it compares so, or that calls in flight make the difference.
    fn compare(self, op: CompareOp, other: Reading) -> T3 {
        // What tells numbers of a range apart: its ends, and where the other one begins and ends.
        let telling = |one: Reading, other: Reading| {
            let inside = |end: Milli| end.max(one.low).min(one.high);
            [one.low, one.high, inside(other.low), inside(other.high)]
        };
        let mut answers = BTreeSet::new();
        for left in telling(self, other) {
            for right in telling(other, self) {
                answers.insert(compares(op, &left, &right));
            }
        }
        match answers.len() {
            1 => T3::of(answers.first().copied()),
            _ => T3::Reserved,
        }
    }
}

/// A number in all its readings, or a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    pub readings: BTreeSet<Reading>,
    /// How many times the line of instants, and how many times a clock without a zone.
    pub unit: (i64, i64),
}

impl Quantity {
    pub fn of(number: f64) -> Quantity {
        Quantity {
            readings: BTreeSet::from([Reading::of(milli(number))]),
            unit: (0, 0),
        }
    }

    /// A number, or a text that stands for a time.
    pub fn read(value: &Value, zone: Option<f64>) -> Option<Quantity> {
        if let Some(number) = number(value) {
            return Some(Quantity::of(number));
        }
        let Value::Text(text) = value else {
            return None;
        };
        let (seconds, instant) = clock::seconds(clock::read(text)?, zone);
        let unit = if instant { (1, 0) } else { (0, 1) };
        Some(Quantity {
            unit,
            ..Quantity::of(seconds)
        })
    }

    pub fn exact(&self) -> Option<f64> {
        let only = self.readings.first().filter(|_| self.readings.len() == 1)?;
        let exact = *only == Reading::of(only.settled) && self.unit == (0, 0);
        exact.then_some(only.settled as f64 / 1000.0)
    }

    /// From the lowest to the highest reading.
    fn interval(&self) -> Reading {
        let low = self.readings.iter().map(|it| it.low).min().unwrap();
        let high = self.readings.iter().map(|it| it.high).max().unwrap();
        Reading {
            settled: low,
            low,
            high,
        }
    }

    /// What the whole interval agrees on; else whether calls in flight make the difference in
    /// every reading, or something unknown does.
    pub fn compare(&self, op: CompareOp, other: &Quantity) -> T3 {
        if self.unit != other.unit {
            return T3::Unknown;
        }
        let known = self.interval().compare(op, other.interval());
        if known != T3::Reserved {
            return known;
        }
        let mut pairs = self
            .readings
            .iter()
            .flat_map(|left| other.readings.iter().map(move |right| (left, right)));
        match pairs.all(|(left, right)| left.compare(op, *right) == T3::Reserved) {
            true => T3::Reserved,
            false => T3::Unknown,
        }
    }

    /// Sum, difference, or product with a constant.
    pub fn combine(&self, op: ArithmeticOp, other: &Quantity) -> Quantity {
        let both = |a: (i64, i64), b: (i64, i64)| match op {
            ArithmeticOp::Add => (a.0 + b.0, a.1 + b.1),
            _ => (a.0 - b.0, a.1 - b.1),
        };
        let mut readings = BTreeSet::new();
        for a in &self.readings {
            for b in &other.readings {
                readings.insert(match op {
                    ArithmeticOp::Add => Reading {
                        settled: a.settled + b.settled,
                        low: a.low + b.low,
                        high: a.high + b.high,
                    },
                    ArithmeticOp::Subtract => Reading {
                        settled: a.settled - b.settled,
                        low: a.low - b.high,
                        high: a.high - b.low,
                    },
                    ArithmeticOp::Multiply => {
                        let ends = [
                            a.low * b.low,
                            a.low * b.high,
                            a.high * b.low,
                            a.high * b.high,
                        ];
                        Reading {
                            settled: a.settled * b.settled / 1000,
                            low: ends.into_iter().min().unwrap() / 1000,
                            high: ends.into_iter().max().unwrap() / 1000,
                        }
                    }
                });
            }
        }
        let unit = match op {
            ArithmeticOp::Multiply => {
                // One side is a plain constant.
                let (factor, unit) = if self.unit == (0, 0) {
                    (self.exact(), other.unit)
                } else {
                    (other.exact(), self.unit)
                };
                let factor = factor.map_or(0, |it| it as i64);
                (factor * unit.0, factor * unit.1)
            }
            _ => both(self.unit, other.unit),
        };
        Quantity { readings, unit }
    }
}

/// An id without blanks, case and a leading `#`.
pub fn plain(id: &str) -> String {
    let id: String = id.to_lowercase().split_whitespace().collect();
    id.strip_prefix('#').unwrap_or(&id).to_owned()
}

fn each(pairs: Vec<Option<bool>>) -> Option<bool> {
    if pairs.contains(&Some(false)) {
        Some(false)
    } else if pairs.contains(&None) {
        None
    } else {
        Some(true)
    }
}

/// Equality where nothing has two spellings.
fn exactly(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Number(_), Value::Number(_)) => Some(number(left) == number(right)),
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            each(a.iter().zip(b).map(|(a, b)| exactly(a, b)).collect())
        }
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => each(
            a.values()
                .zip(b.values())
                .map(|(a, b)| exactly(a, b))
                .collect(),
        ),
        _ if left.kind() != right.kind() => None,
        _ => Some(left == right),
    }
}

/// Whether two values are equal; none where that is not known.
pub fn same(left: &Value, right: &Value, ids: bool, zone: Option<f64>) -> Option<bool> {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) if a == b => Some(true),
        (Value::Text(a), Value::Text(b)) if ids && plain(a) == plain(b) => Some(true),
        (Value::Text(a), Value::Text(b)) => match (clock::read(a), clock::read(b)) {
            (Some(a), Some(b)) => clock::order(a, b, zone).map(Ordering::is_eq),
            _ => Some(false),
        },
        (Value::List(a), Value::List(b)) if a.len() == b.len() => each(
            a.iter()
                .zip(b)
                .map(|(a, b)| same(a, b, ids, zone))
                .collect(),
        ),
        _ => exactly(left, right),
    }
}

/// The order of two numbers or two times.
pub fn order(left: &Value, right: &Value, zone: Option<f64>) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(_), Value::Number(_)) => number(left)?.partial_cmp(&number(right)?),
        (Value::Text(a), Value::Text(b)) => clock::order(clock::read(a)?, clock::read(b)?, zone),
        _ => None,
    }
}

/// Whether a list holds an element, or an object a key.
pub fn member(item: &Value, whole: &Value, ids: bool, zone: Option<f64>) -> Option<bool> {
    match (whole, item) {
        (Value::List(items), _) => {
            let found: Vec<Option<bool>> = items
                .iter()
                .map(|it| same(it, item, ids, zone).map(|equal| !equal))
                .collect();
            each(found).map(|none| !none)
        }
        (Value::Object(fields), Value::Text(name)) => {
            let key = |key: &String| key == name || ids && plain(key) == plain(name);
            Some(fields.keys().any(key))
        }
        _ => None,
    }
}

/// Whether every element of `part` has one of its own in `whole`.
pub fn subset(part: &Value, whole: &Value, ids: bool, zone: Option<f64>) -> Option<bool> {
    let (Value::List(part), Value::List(whole)) = (part, whole) else {
        return None;
    };
    /// Whether the first ones of `part` find a place each.
    fn placed(part: &[Value], left: &[&Value], fits: &dyn Fn(&Value, &Value) -> bool) -> bool {
        let Some((first, rest)) = part.split_first() else {
            return true;
        };
        (0..left.len()).any(|at| {
            let mut others = left.to_vec();
            let one = others.remove(at);
            fits(first, one) && placed(rest, &others, fits)
        })
    }
    let whole: Vec<&Value> = whole.iter().collect();
    let surely = placed(part, &whole, &|a, b| same(a, b, ids, zone) == Some(true));
    let perhaps = placed(part, &whole, &|a, b| same(a, b, ids, zone) != Some(false));
    match (surely, perhaps) {
        (true, _) => Some(true),
        (false, false) => Some(false),
        (false, true) => None,
    }
}
