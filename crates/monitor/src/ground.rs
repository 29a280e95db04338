//! Grounding: what a term's value and an atom's truth are at one event.
//!
//! Everything is read as it stood before the event (DESIGN section 3). A term
//! without a value is unknown; a comparison of different kinds is unknown, too.
//! Counts are quantities: from what is settled to settled plus in flight.

mod atom;
mod count;
mod path;
mod quantity;

pub use quantity::Quantity;

use crate::consent::Answer;
use crate::history::{CallRecord, History};
use lictor_contract::event::{Arguments, Call, Outcome, Turn};
use lictor_contract::predicate::{ArithmeticOp, Key, Lookup, Name, Path, Pattern, Segment, Term};
use lictor_contract::value::Value;
use regex::Regex;
use rust_decimal::Decimal;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The event at which atoms are grounded.
#[derive(Clone, Copy, Debug)]
pub enum Now<'a> {
    /// A proposed call.
    Call(&'a Call),
    /// An answer to an admitted call.
    Return {
        /// The call it answers.
        record: &'a CallRecord,
        /// How it ended.
        outcome: Outcome,
        /// What it carries.
        value: &'a Value,
    },
    /// A user turn.
    User {
        /// Its text.
        text: &'a str,
        /// How it answers what the agent asked.
        answer: Answer,
    },
    /// An agent turn.
    Agent {
        /// Its text.
        text: &'a str,
    },
}

/// An event together with what the session remembered before it.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// What the session remembered.
    pub history: &'a History,
    /// What happens.
    pub now: Now<'a>,
    /// The compiled patterns of the library.
    pub patterns: &'a BTreeMap<Pattern, Regex>,
}

/// The value of a term.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground<'a> {
    /// One value.
    Value(Cow<'a, Value>),
    /// A quantity that calls in flight may still move.
    Quantity(Quantity),
    /// No value.
    Unknown,
}

impl<'a> Ground<'a> {
    fn of(value: Option<Cow<'a, Value>>) -> Self {
        value.map_or(Ground::Unknown, Ground::Value)
    }

    fn number(value: Decimal) -> Self {
        Ground::Value(Cow::Owned(Value::Number(value)))
    }

    /// Its one exact value, if it has one.
    pub fn exact(&self) -> Option<Cow<'_, Value>> {
        match self {
            Ground::Value(value) => Some(Cow::Borrowed(value.as_ref())),
            Ground::Quantity(quantity) => quantity.exact().map(|it| Cow::Owned(Value::Number(it))),
            Ground::Unknown => None,
        }
    }

    fn quantity(&self) -> Option<Quantity> {
        match self {
            Ground::Value(value) => match value.as_ref() {
                Value::Number(number) => Some(Quantity::of(*number)),
                _ => None,
            },
            Ground::Quantity(quantity) => Some(*quantity),
            Ground::Unknown => None,
        }
    }
}

impl Moment<'_> {
    /// The value of a term.
    pub fn term<'s>(&'s self, term: &'s Term) -> Ground<'s> {
        match term {
            Term::Arg(path) => Ground::of(self.argument(path)),
            Term::Result(path) => match self.now {
                Now::Return { value, .. } => Ground::of(path::select(value, &path.0)),
                _ => Ground::Unknown,
            },
            Term::Context(key) => Ground::of(self.history.context(key).map(Cow::Borrowed)),
            Term::Last(lookup) => {
                let found = self.look_up(lookup).and_then(CallRecord::value);
                Ground::of(found.and_then(|value| path::select(value, &lookup.path.0)))
            }
            Term::Count(count) => self.count(count).map_or(Ground::Unknown, Ground::Quantity),
            Term::TurnCalls => match self.now {
                Now::Call(call) => Ground::number(Decimal::from(
                    self.history.admitted_in(call.turn).saturating_add(1),
                )),
                _ => Ground::Unknown,
            },
            Term::TurnSize => match self.now {
                Now::Call(Call {
                    turn_size: Some(size),
                    ..
                }) => Ground::number(Decimal::from(*size)),
                _ => Ground::Unknown,
            },
            Term::Len(inner) => match self.term(inner).exact().as_deref() {
                Some(Value::List(items)) => Ground::number(Decimal::from(items.len())),
                Some(Value::Object(entries)) => Ground::number(Decimal::from(entries.len())),
                Some(Value::Text(text)) => Ground::number(Decimal::from(text.chars().count())),
                _ => Ground::Unknown,
            },
            Term::Lower(inner) => match self.term(inner).exact().as_deref() {
                Some(Value::Text(text)) => {
                    Ground::Value(Cow::Owned(Value::Text(text.to_lowercase())))
                }
                _ => Ground::Unknown,
            },
            Term::Constant(value) => Ground::Value(Cow::Borrowed(value)),
            Term::Arithmetic(op, left, right) => self.arithmetic(*op, left, right),
        }
    }

    /// The arguments that `arg` reads: of the call, at a return of its call.
    pub fn arguments(&self) -> Option<&Arguments> {
        match self.now {
            Now::Call(call) => Some(&call.arguments),
            Now::Return { record, .. } => Some(&record.arguments),
            Now::User { .. } | Now::Agent { .. } => None,
        }
    }

    fn argument(&self, path: &Path) -> Option<Cow<'_, Value>> {
        let (head, rest) = path.0.split_first()?;
        let Segment::Field(Name::Known(name)) = head else {
            return None;
        };
        path::select(self.arguments()?.get(name)?, rest)
    }

    /// The turn that must not see its own returns: that of a proposed call.
    fn viewer(&self) -> Option<Turn> {
        match self.now {
            Now::Call(call) => Some(call.turn),
            _ => None,
        }
    }

    /// The newest successful answer that carries all the keys; none if a newer
    /// one perhaps does.
    pub fn look_up(&self, lookup: &Lookup) -> Option<&CallRecord> {
        let keys = self.keys(&lookup.keys)?;
        let newest = self.history.calls_of(&lookup.tools).filter_map(|lane| {
            let mut answers = lane
                .rev()
                .filter(|record| record.is_settled_for(self.viewer()) && record.value().is_some());
            answers.find_map(|record| match self.carries(record, &keys) {
                Some(false) => None,
                carries => Some((record, carries)),
            })
        });
        let (record, carries) = newest.max_by_key(|(record, _)| record.at)?;
        (carries == Some(true)).then_some(record)
    }

    /// Whether a call's arguments or its answer carry the keys. `None` if that
    /// cannot be told: what carries a key has another kind, the arguments cannot
    /// be read, or the answer that may carry it is not seen.
    fn carries(&self, record: &CallRecord, keys: &[(&str, Value)]) -> Option<bool> {
        let seen = record.is_settled_for(self.viewer());
        let answer = record.value().filter(|_| seen);
        let mut carries = Some(true);
        for (name, value) in keys {
            let field = || match answer {
                Some(Value::Object(fields)) => fields.get(*name),
                _ => None,
            };
            let readable = matches!(record.arguments, Arguments::Read(_));
            match record.arguments.get(name).or_else(field) {
                Some(found) => match found.equals(value) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => carries = None,
                },
                None if seen && readable => return Some(false),
                None => carries = None,
            }
        }
        carries
    }

    /// The keys with their values; none if one has no value.
    fn keys<'s>(&self, keys: &'s [Key]) -> Option<Vec<(&'s str, Value)>> {
        keys.iter()
            .map(|key| match &key.name {
                Name::Known(name) => {
                    let value = self.term(&key.value).exact()?.into_owned();
                    Some((name.as_str(), value))
                }
                Name::Placeholder(_) => None,
            })
            .collect()
    }

    fn arithmetic<'s>(&'s self, op: ArithmeticOp, left: &'s Term, right: &'s Term) -> Ground<'s> {
        let (Some(left), Some(right)) = (self.term(left).quantity(), self.term(right).quantity())
        else {
            return Ground::Unknown;
        };
        left.combine(op, right)
            .map_or(Ground::Unknown, Ground::Quantity)
    }
}
