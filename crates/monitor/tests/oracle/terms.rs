//! Values of terms: paths and look-ups.

use super::catalog::Record;
use super::compare;
use super::facts::{Called, Ground, View, What};
use super::letters::names;
use super::logic::T3;
use lictor_contract::predicate::{
    Function, Gauge, Key, Lookup, Name, Occurrence, Path, Segment, Term, ToolPattern,
};
use lictor_contract::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a record carries a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    Yes,
    No,
    Perhaps,
}

fn field<'v>(value: Option<&'v Value>, name: &str) -> Option<&'v Value> {
    match value {
        Some(Value::Object(fields)) => fields.get(name),
        _ => None,
    }
}

impl<'e> View<'e> {
    pub fn term(&self, term: &Term) -> Ground {
        match term {
            Term::Constant(value) => Ground::Value(value.clone()),
            Term::Duration(length) => Ground::Quantity(compare::Quantity::of(length.0 as f64)),
            Term::Arg(path) => Ground::of(self.call().and_then(|call| {
                let arguments = Value::Object(call.arguments.clone()?);
                self.select(&arguments, path)
            })),
            Term::Result(path) => {
                let value = match (self.counted, &self.now.what) {
                    (Some(call), _) => self.answer(call).map(|it| it.1),
                    (None, What::Return { value, .. }) => Some(value),
                    _ => None,
                };
                Ground::of(value.and_then(|value| self.select(value, path)))
            }
            Term::Context(key) => Ground::of(self.context(key)),
            Term::Lookup(lookup) => Ground::of(match lookup.which {
                Occurrence::Every => self.every(lookup),
                _ => self.one(lookup),
            }),
            Term::Count(count) => self
                .tally(count, None)
                .map_or(Ground::None, Ground::Quantity),
            Term::Total(count, amount) => self
                .tally(count, Some(amount))
                .map_or(Ground::None, Ground::Quantity),
            Term::Since(event) => self.since(event).map_or(Ground::None, Ground::Quantity),
            Term::Gauge(gauge) => self.gauge(*gauge),
            Term::Apply(function, inner) => Ground::of(
                match (function, self.exact(inner)) {
                    (Function::Len, Some(Value::List(items))) => Some(items.len()),
                    (Function::Len, Some(Value::Object(fields))) => Some(fields.len()),
                    (Function::Len, Some(Value::Text(text))) => Some(text.chars().count()),
                    (Function::Lower, Some(Value::Text(text))) => {
                        return Ground::Value(Value::text(text.to_lowercase()));
                    }
                    (Function::Sum, Some(Value::List(items))) => return added(&items),
                    (Function::Len | Function::Lower | Function::Sum, _) => None,
                    (other, _) => panic!("the oracle does not know {other:?}"),
                }
                .map(|length| Value::integer(length as i64)),
            ),
            Term::Zip(left, right) => Ground::of(match (self.exact(left), self.exact(right)) {
                (Some(Value::List(a)), Some(Value::List(b))) if a.len() == b.len() => {
                    let pairs = a.into_iter().zip(b);
                    Some(Value::List(
                        pairs.map(|(a, b)| Value::List(vec![a, b])).collect(),
                    ))
                }
                _ => None,
            }),
            Term::Variable(name, path) => self.element(Some(name), path),
            Term::Current(path) => self.element(None, path),
            Term::Arithmetic(op, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                match (self.quantity(&left), self.quantity(&right)) {
                    (Some(left), Some(right)) => Ground::Quantity(left.combine(*op, &right)),
                    _ => Ground::None,
                }
            }
        }
    }

    fn element(&self, name: Option<&String>, path: &Path) -> Ground {
        let here = self.scope.iter().rev().find(|(it, _)| it.as_ref() == name);
        Ground::of(here.and_then(|(_, value)| self.select(value, path)))
    }

    fn gauge(&self, gauge: Gauge) -> Ground {
        let host = |name| {
            let told = self.context(name);
            Ground::of(told.filter(|it| matches!(it, Value::Number(_))))
        };
        let call = match &self.now.what {
            What::Call(call) => Some(call),
            _ => None,
        };
        match gauge {
            Gauge::Now => {
                let stamp = || self.now.stamp.as_ref().map(|it| Value::text(&it.text));
                let stated = self.catalog.now.map(Value::text);
                Ground::of(stated.or_else(|| self.context("now")).or_else(stamp))
            }
            Gauge::Tokens => host("tokens"),
            Gauge::Depth => host("depth"),
            Gauge::TurnCalls => call.map_or(Ground::None, |now| {
                let same = |call: &Called| call.turn == now.turn && !call.withheld;
                Ground::number(self.calls().filter(|(_, call)| same(call)).count() + 1)
            }),
            Gauge::TurnSize => call
                .and_then(|call| call.size)
                .map_or(Ground::None, |size| Ground::number(size as usize)),
            Gauge::TurnSays => Ground::of(match &self.now.what {
                What::Agent { text, .. } => Some(Value::text(text)),
                What::Call(call) => {
                    let said = self.before.iter().find_map(|event| match &event.what {
                        What::Agent { turn, text } if *turn == call.turn => Some(text.clone()),
                        _ => None,
                    });
                    // Who sees calls one by one may have missed the words.
                    said.or_else(|| call.size.map(|_| String::new()))
                        .map(Value::text)
                }
                _ => None,
            }),
            Gauge::Turns => {
                let turn = |what: &What| match what {
                    What::Agent { turn, .. } => Some(*turn),
                    What::Call(call) if !call.withheld => Some(call.turn),
                    _ => None,
                };
                let all = self.before.iter().chain([self.now]);
                let turns: BTreeSet<u32> = all.filter_map(|event| turn(&event.what)).collect();
                Ground::number(turns.len())
            }
        }
    }

    /// What a path leads to. With `[*]` or a filter it is a list, and every node on the way must
    /// go on; a position behind a filter is one in what the filter leaves.
    pub fn select(&self, value: &Value, path: &Path) -> Option<Value> {
        let mut nodes = vec![value.clone()];
        let mut segments = path.0.iter().peekable();
        while let Some(segment) = segments.next() {
            let mut next = Vec::new();
            let position = match (segment, segments.peek()) {
                (Segment::Filter(_), Some(Segment::Index(index))) => Some(*index),
                _ => None,
            };
            for node in &nodes {
                match segment {
                    Segment::Every => next.extend(children(node)?),
                    Segment::Filter(filter) => {
                        let mut kept = Vec::new();
                        for child in children(node)? {
                            let mut view = self.clone();
                            view.scope.push((None, child.clone()));
                            match view.condition(filter.formula(), true) {
                                T3::True => kept.push(child),
                                T3::False => {}
                                T3::Unknown | T3::Reserved => return None,
                            }
                        }
                        match position {
                            Some(index) => next.push(at(&kept, index)?),
                            None => next.extend(kept),
                        }
                    }
                    Segment::Field(Name::Known(name)) => {
                        next.push(field(Some(node), name)?.clone());
                    }
                    Segment::Index(index) => match node {
                        Value::List(items) => next.push(at(items, *index)?),
                        _ => return None,
                    },
                    Segment::Computed(key) => match (node, self.exact(key)?) {
                        (Value::Object(fields), Value::Text(name)) => {
                            next.push(fields.get(&name)?.clone());
                        }
                        (Value::List(items), number @ Value::Number(_)) => {
                            next.push(at(items, number.to_string().parse().ok()?)?);
                        }
                        _ => return None,
                    },
                    Segment::Field(Name::Placeholder(_)) => return None,
                }
            }
            nodes = next;
            if position.is_some() {
                segments.next();
            }
        }
        if plural(path) {
            Some(Value::List(nodes))
        } else {
            nodes.pop()
        }
    }

    pub fn keys(&self, keys: &[Key]) -> Option<Vec<(String, Value)>> {
        keys.iter()
            .map(|key| match &key.name {
                Name::Known(name) => Some((name.clone(), self.exact(&key.value)?)),
                Name::Placeholder(_) => None,
            })
            .collect()
    }

    /// Whether a call's arguments or value carry all the keys.
    pub fn fit(&self, call: &Called, keys: &[(String, Value)]) -> Fit {
        let mut fit = Fit::Yes;
        for (name, sought) in keys {
            let argument = call.arguments.as_ref().and_then(|it| it.get(name));
            let carried = [argument, field(self.value(call), name)];
            let ids = self.catalog.is_id(name);
            let equal: Vec<Option<bool>> = carried
                .into_iter()
                .flatten()
                .map(|it| compare::same(it, sought, ids, self.catalog.ahead()))
                .collect();
            let open = call.arguments.is_none() || self.answer(call).is_none();
            let one = if equal.contains(&Some(true)) {
                Fit::Yes
            } else if equal.contains(&None) || equal.is_empty() && open {
                Fit::Perhaps
            } else {
                Fit::No
            };
            fit = match (fit, one) {
                (Fit::No, _) | (_, Fit::No) => Fit::No,
                (Fit::Yes, Fit::Yes) => Fit::Yes,
                _ => Fit::Perhaps,
            };
        }
        fit
    }

    /// Whether a tool supplies what a look-up asks for: it is named, or it returns the same kind
    /// of record as one that is.
    fn supplies(&self, tools: &ToolPattern, tool: &str) -> bool {
        names(tools, tool)
            || self
                .catalog
                .record(tool)
                .is_some_and(|record| tools.names().any(|name| record.returned_by.contains(&name)))
    }

    /// The successful calls of a look-up that carry its keys, or perhaps do, oldest first.
    fn found(&self, lookup: &Lookup) -> Option<Vec<(usize, &'e Called, Fit)>> {
        let keys = self.keys(&lookup.keys)?;
        let calls = self.calls().filter(|(_, call)| {
            self.supplies(&lookup.tools, &call.tool) && self.value(call).is_some()
        });
        let fitted = calls.map(|(at, call)| (at, call, self.fit(call, &keys)));
        Some(fitted.filter(|(_, _, fit)| *fit != Fit::No).collect())
    }

    /// `last` and `first`.
    fn one(&self, lookup: &Lookup) -> Option<Value> {
        let found = self.found(lookup)?;
        let newest = lookup.which == Occurrence::Last;
        let (at, call, fit) = *if newest { found.last() } else { found.first() }?;
        if fit == Fit::Perhaps || newest && self.is_stale(at, call, &lookup.path) {
            return None;
        }
        self.select(self.value(call)?, &lookup.path)
    }

    fn every(&self, lookup: &Lookup) -> Option<Value> {
        let found = self.found(lookup)?;
        let mut values = Vec::new();
        for (at, call, fit) in &found {
            // What was read again stands as it was then.
            let again = || {
                found.iter().any(|(later, other, _)| {
                    later > at
                        && self.same_record(call, other)
                        && !self.is_stale(*later, other, &lookup.path)
                })
            };
            if *fit == Fit::Perhaps || self.is_stale(*at, call, &lookup.path) && !again() {
                return None;
            }
            match self.select(self.value(call)?, &lookup.path)? {
                Value::List(inner) if plural(&lookup.path) => values.extend(inner),
                value => values.push(value),
            }
        }
        Some(Value::List(values))
    }

    fn record_key(&self, record: &Record, call: &'e Called) -> Option<&'e Value> {
        let argument = || call.arguments.as_ref().and_then(|it| it.get(record.key));
        field(self.value(call), record.key).or_else(argument)
    }

    fn same_record(&self, one: &'e Called, other: &'e Called) -> bool {
        let Some(record) = self.catalog.record(&one.tool) else {
            return false;
        };
        let keys = (self.record_key(record, one), self.record_key(record, other));
        let (Some(a), Some(b)) = keys else {
            return false;
        };
        let ids = self.catalog.is_id(record.key);
        record.returned_by.contains(&other.tool.as_str())
            && compare::same(a, b, ids, self.catalog.ahead()) == Some(true)
    }

    /// Whether a write that took place, or is under way, changes what was read.
    fn is_stale(&self, at: usize, read: &'e Called, path: &Path) -> bool {
        let Some(record) = self.catalog.record(&read.tool) else {
            return false;
        };
        if self.as_read {
            return false;
        }
        let later = self.calls().filter(|(place, _)| *place > at);
        later.map(|it| it.1).any(|write| {
            let took_place = match self.answer(write) {
                Some((ok, _)) => ok,
                None => !write.withheld,
            };
            took_place
                && record.changes.iter().any(|change| {
                    let touched = change.fields.is_empty()
                        || match path.0.first() {
                            Some(Segment::Field(Name::Known(name))) => {
                                change.fields.contains(&name.as_str())
                            }
                            _ => true,
                        };
                    let arguments: Option<&BTreeMap<_, _>> = write.arguments.as_ref();
                    let written = change.key.and_then(|key| arguments?.get(key));
                    let other = match (written, self.record_key(record, read)) {
                        (Some(written), Some(key)) => {
                            let ids = self.catalog.is_id(record.key);
                            compare::same(written, key, ids, self.catalog.ahead()) == Some(false)
                        }
                        _ => false,
                    };
                    change.write == write.tool && touched && !other
                })
        })
    }
}

fn children(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::List(items) => Some(items.clone()),
        Value::Object(fields) => Some(fields.values().cloned().collect()),
        _ => None,
    }
}

fn at(items: &[Value], index: i64) -> Option<Value> {
    let place = if index < 0 {
        index + items.len() as i64
    } else {
        index
    };
    items.get(usize::try_from(place).ok()?).cloned()
}

/// Whether a path leads to a list of what it selects.
fn plural(path: &Path) -> bool {
    let behind = |place: usize| matches!(path.0.get(place + 1), Some(Segment::Index(_)));
    let mut each = path.0.iter().enumerate();
    each.any(|(place, segment)| match segment {
        Segment::Every => true,
        Segment::Filter(_) => !behind(place),
        _ => false,
    })
}

fn added(items: &[Value]) -> Ground {
    let numbers: Option<Vec<f64>> = items.iter().map(super::letters::number).collect();
    let sum = numbers.map(|all| all.iter().sum::<f64>().to_string());
    Ground::of(sum.and_then(|sum| Value::from_json(&sum).ok()))
}
