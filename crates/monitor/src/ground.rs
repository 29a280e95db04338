//! Grounding: what a term's value and an atom's truth are at one event.
//!
//! Everything is read as it stood before the event (DESIGN section 3). A term
//! without a value is unknown; a comparison of different kinds is unknown, too.
//! Counts are quantities: from what is settled to settled plus in flight.

mod address;
mod atom;
mod compare;
mod condition;
mod count;
mod function;
mod lookup;
mod numerals;
mod path;
mod provenance;
mod quantity;
#[cfg(test)]
mod specimen;

pub use compare::plain_id;
pub use lookup::Found;
pub use quantity::Quantity;

use crate::consent::Answer;
use crate::history::{CallRecord, History};
use crate::world::World;
use lictor_contract::event::{Arguments, Call, EventKind, Outcome, Turn};
use lictor_contract::predicate::{ArithmeticOp, Gauge, Name, Path, Pattern, Segment, Term};
use lictor_contract::time::Time;
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
        /// The turn.
        turn: Turn,
    },
    /// A call that is counted, for what it adds to a sum.
    Counted {
        /// The call.
        record: &'a CallRecord,
        /// What it answered, as far as the event that counts may see it.
        value: Option<&'a Value>,
    },
}

impl Now<'_> {
    /// The kind of the event; a counted call stands for its outcome.
    pub fn kind(&self) -> EventKind {
        match self {
            Now::Call(_) => EventKind::Call,
            Now::Return { .. } | Now::Counted { .. } => EventKind::Return,
            Now::User { .. } => EventKind::User,
            Now::Agent { .. } => EventKind::Agent,
        }
    }
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
    /// What the library declares.
    pub world: &'a World,
    /// The elements that quantifiers and filters around the place look at.
    pub scope: Option<&'a Scope<'a>>,
    /// Facts are taken as they were when they were read, stale or not.
    pub as_read: bool,
    /// A turn whose answers come after the event, though they are there.
    pub before_answers_of: Option<Turn>,
}

/// An element that a quantifier or a filter looks at.
#[derive(Debug)]
pub struct Scope<'a> {
    /// Its name; none for the `@` of a filter.
    pub name: Option<&'a str>,
    /// Its value.
    pub value: &'a Value,
    /// The elements further out.
    pub outer: Option<&'a Scope<'a>>,
}

/// The value of a term.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground<'a> {
    /// One value.
    Value(Cow<'a, Value>),
    /// A quantity that calls in flight may still move, or the outcome of
    /// arithmetic.
    Quantity(Quantity),
    /// There was a value, and a write has made it stale.
    Stale,
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

    fn quantity_of(quantity: Option<Quantity>) -> Self {
        quantity.map_or(Ground::Unknown, Ground::Quantity)
    }

    /// Its one exact value, if it has one.
    pub fn exact(&self) -> Option<Cow<'_, Value>> {
        match self {
            Ground::Value(value) => Some(Cow::Borrowed(value.as_ref())),
            Ground::Quantity(quantity) => quantity.exact().map(|it| Cow::Owned(Value::Number(it))),
            Ground::Stale | Ground::Unknown => None,
        }
    }

    /// Whether it has a value.
    fn is_known(&self) -> bool {
        !matches!(self, Ground::Stale | Ground::Unknown)
    }
}

impl<'m> Moment<'m> {
    /// Looks at the moment with one more element in sight: `x` of a quantifier,
    /// or, without a name, `@` of a filter.
    pub fn with_element<T>(
        &self,
        name: Option<&str>,
        value: &Value,
        look: impl FnOnce(&Moment<'_>) -> T,
    ) -> T {
        let scope = Scope {
            name,
            value,
            outer: self.scope,
        };
        look(&self.within(&scope))
    }

    /// The same moment with one more element in sight.
    fn within<'s>(&'s self, scope: &'s Scope<'s>) -> Moment<'s> {
        Moment {
            scope: Some(scope),
            ..*self
        }
    }

    /// The value of a term.
    pub fn term<'s>(&'s self, term: &'s Term) -> Ground<'s> {
        match term {
            Term::Arg(path) => Ground::of(self.argument(path)),
            Term::Result(path) => {
                let value = match self.now {
                    Now::Return { value, .. } => Some(value),
                    Now::Counted { value, .. } => value,
                    _ => None,
                };
                Ground::of(value.and_then(|value| self.select(value, &path.0)))
            }
            Term::Context(key) => Ground::of(self.history.context(key).map(Cow::Borrowed)),
            Term::Lookup(lookup) => self.lookup(lookup),
            Term::Count(count) => Ground::quantity_of(self.count(count)),
            Term::Total(count, amount) => Ground::quantity_of(self.total(count, amount)),
            Term::Since(event) => Ground::quantity_of(self.time_since(event)),
            Term::Gauge(gauge) => self.gauge(*gauge),
            Term::Apply(function, inner) => self.apply(*function, inner),
            Term::Zip(left, right) => Ground::of(self.zip(left, right).map(Cow::Owned)),
            Term::Variable(name, path) => self.element(Some(name), path),
            Term::Current(path) => self.element(None, path),
            Term::Constant(value) => Ground::Value(Cow::Borrowed(value)),
            Term::Duration(length) => Ground::Quantity(Quantity::of(Decimal::from(length.0))),
            Term::Arithmetic(op, left, right) => self.arithmetic(*op, left, right),
        }
    }

    fn gauge(&self, gauge: Gauge) -> Ground<'_> {
        let host = |key: &str| match self.history.context(key) {
            Some(value @ Value::Number(_)) => Ground::Value(Cow::Borrowed(value)),
            _ => Ground::Unknown,
        };
        match (gauge, self.now) {
            (Gauge::Now, _) => {
                let stated = self.world.now().or_else(|| self.history.context("now"));
                match stated {
                    Some(value) => Ground::Value(Cow::Borrowed(value)),
                    None => Ground::of(self.history.stamp().map(Cow::Borrowed)),
                }
            }
            (Gauge::TurnCalls, Now::Call(call)) => Ground::number(Decimal::from(
                self.history.admitted_in(call.turn).saturating_add(1),
            )),
            (Gauge::TurnSize, Now::Call(call)) => match call.turn_size {
                Some(size) => Ground::number(Decimal::from(size)),
                None => Ground::Unknown,
            },
            (Gauge::TurnSays, Now::Agent { text, .. }) => {
                Ground::Value(Cow::Owned(Value::text(text)))
            }
            (Gauge::TurnSays, Now::Call(call)) => match self.history.said_in(call.turn) {
                Some(text) => Ground::Value(Cow::Owned(Value::text(text))),
                // A door that sees calls one by one may not see words at all.
                None if call.turn_size.is_some() => {
                    Ground::Value(Cow::Owned(Value::text(String::new())))
                }
                None => Ground::Unknown,
            },
            (Gauge::TurnCalls | Gauge::TurnSize | Gauge::TurnSays, _) => Ground::Unknown,
            (Gauge::Turns, now) => {
                let turn = match now {
                    Now::Call(call) => Some(call.turn),
                    Now::Agent { turn, .. } => Some(turn),
                    _ => None,
                };
                Ground::number(Decimal::from(self.history.agent_turns(turn)))
            }
            (Gauge::Tokens, _) => host("tokens"),
            (Gauge::Depth, _) => host("depth"),
        }
    }

    /// What a quantifier's name or a filter's `@` stands for.
    fn element(&self, name: Option<&str>, path: &Path) -> Ground<'_> {
        let mut scope = self.scope;
        while let Some(here) = scope {
            if here.name == name {
                return Ground::of(self.select(here.value, &path.0));
            }
            scope = here.outer;
        }
        Ground::Unknown
    }

    /// The arguments that `arg` reads: of the call, at a return of its call.
    pub fn arguments(&self) -> Option<&Arguments> {
        match self.now {
            Now::Call(call) => Some(&call.arguments),
            Now::Return { record, .. } | Now::Counted { record, .. } => Some(&record.arguments),
            Now::User { .. } | Now::Agent { .. } => None,
        }
    }

    fn argument(&self, path: &Path) -> Option<Cow<'_, Value>> {
        let (head, rest) = path.0.split_first()?;
        let Segment::Field(Name::Known(name)) = head else {
            return None;
        };
        self.select(self.arguments()?.get(name)?, rest)
    }

    fn arithmetic<'s>(&'s self, op: ArithmeticOp, left: &'s Term, right: &'s Term) -> Ground<'s> {
        let (left, right) = (self.term(left), self.term(right));
        let combined = || self.quantity(&left)?.combine(op, self.quantity(&right)?);
        Ground::quantity_of(combined())
    }

    /// A value as a quantity: a number, or a time as exact seconds.
    fn quantity(&self, ground: &Ground<'_>) -> Option<Quantity> {
        match ground {
            Ground::Quantity(quantity) => Some(*quantity),
            Ground::Value(value) => match value.as_ref() {
                Value::Number(number) => Some(Quantity::of(*number)),
                Value::Text(text) => {
                    let (seconds, is_instant) = Time::parse(text)?.seconds(self.world.zone())?;
                    Some(Quantity::time(seconds, is_instant))
                }
                _ => None,
            },
            Ground::Stale | Ground::Unknown => None,
        }
    }
}
