//! The events of a session, and every atom at each of them, from the whole list.

use super::catalog::Catalog;
use super::compare::{self, Quantity};
use super::letters::names;
use super::logic::T3;
use super::words;
use lictor_contract::predicate::{
    Atom, CompareOp, EventPredicate, Formula, Occurrence, Quantifier, Term, ToolEvent,
};
use lictor_contract::value::Value;
use std::collections::BTreeMap;

/// When an event took place.
#[derive(Clone, Debug, PartialEq)]
pub struct Stamp {
    pub text: String,
    pub seconds: f64,
}

/// An event that took place, or a call that a gate stopped while its recorded result came.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// None where nobody knows.
    pub stamp: Option<Stamp>,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Context(String, Value),
    User(String, T3),
    Agent { turn: u32, text: String },
    Call(Called),
    Return { call: u32, ok: bool, value: Value },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    pub id: u32,
    pub turn: u32,
    pub tool: String,
    /// None where they cannot be read.
    pub arguments: Option<BTreeMap<String, Value>>,
    pub size: Option<u32>,
    pub withheld: bool,
}

/// The value of a term.
#[derive(Clone, Debug)]
pub enum Ground {
    None,
    Value(Value),
    Quantity(Quantity),
}

impl Ground {
    pub fn of(value: Option<Value>) -> Ground {
        value.map_or(Ground::None, Ground::Value)
    }

    pub fn number(number: usize) -> Ground {
        Ground::Value(Value::integer(number as i64))
    }

    pub fn exact(&self) -> Option<Value> {
        match self {
            Ground::Value(value) => Some(value.clone()),
            Ground::Quantity(quantity) => {
                let text = quantity.exact()?.to_string();
                Value::from_json(&text).ok()
            }
            Ground::None => None,
        }
    }
}

/// An element that a quantifier or a filter looks at: its name (none for `@`) and its value.
pub type Element = (Option<String>, Value);

/// The events before one, seen from it.
#[derive(Clone)]
pub struct View<'e> {
    pub catalog: &'e Catalog,
    pub before: &'e [Event],
    pub now: &'e Event,
    pub scope: Vec<Element>,
    /// The call that is counted, where `arg` and `result` are those of it.
    pub counted: Option<&'e Called>,
    /// Facts are taken as they were read, whatever became of them.
    pub as_read: bool,
}

impl<'e> View<'e> {
    pub fn new(catalog: &'e Catalog, before: &'e [Event], now: &'e Event) -> View<'e> {
        View {
            catalog,
            before,
            now,
            scope: Vec::new(),
            counted: None,
            as_read: false,
        }
    }

    /// Every call with its place.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = (usize, &'e Called)> + use<'e> {
        let events = self.before.iter().enumerate();
        events.filter_map(|(at, event)| match &event.what {
            What::Call(call) => Some((at, call)),
            _ => None,
        })
    }

    /// The answer to a call as it is seen now: a call sees none of its own turn.
    pub fn answer(&self, call: &Called) -> Option<(bool, &'e Value)> {
        if matches!(&self.now.what, What::Call(now) if now.turn == call.turn) {
            return None;
        }
        self.before.iter().find_map(|event| match &event.what {
            What::Return {
                call: id,
                ok,
                value,
            } if *id == call.id => Some((*ok, value)),
            _ => None,
        })
    }

    /// The value of a call that succeeded.
    pub fn value(&self, call: &Called) -> Option<&'e Value> {
        self.answer(call).filter(|(ok, _)| *ok).map(|it| it.1)
    }

    /// The call that `arg` speaks of.
    pub fn call(&self) -> Option<&'e Called> {
        match (self.counted, &self.now.what) {
            (Some(call), _) | (None, What::Call(call)) => Some(call),
            (None, What::Return { call: id, .. }) => {
                let mut calls = self.calls().map(|it| it.1);
                calls.find(|other| other.id == *id)
            }
            _ => None,
        }
    }

    pub fn context(&self, name: &str) -> Option<Value> {
        let mut told = self.before.iter().rev();
        told.find_map(|event| match &event.what {
            What::Context(key, value) if key == name => Some(value.clone()),
            _ => None,
        })
    }

    pub fn letter(&self, atoms: &[Atom]) -> Vec<T3> {
        atoms.iter().map(|atom| self.atom(atom)).collect()
    }

    /// The truth of a formula over values, or of its negation.
    pub fn condition(&self, formula: &Formula, positive: bool) -> T3 {
        let all = |parts: &[Formula]| {
            let each = parts.iter().map(|part| self.condition(part, positive));
            if positive {
                each.fold(T3::True, T3::and)
            } else {
                each.fold(T3::False, T3::or)
            }
        };
        let some = |parts: &[Formula]| {
            let each = parts.iter().map(|part| self.condition(part, positive));
            if positive {
                each.fold(T3::False, T3::or)
            } else {
                each.fold(T3::True, T3::and)
            }
        };
        match formula {
            Formula::True => T3::of(Some(positive)),
            Formula::False => T3::of(Some(!positive)),
            Formula::Atom(atom) if positive => self.atom(atom),
            Formula::Atom(atom) => self.atom(atom).not(),
            Formula::Not(inner) => self.condition(inner, !positive),
            Formula::And(parts) => all(parts),
            Formula::Or(parts) => some(parts),
            Formula::Implies(f, g) if positive => {
                self.condition(f, false).or(self.condition(g, true))
            }
            Formula::Implies(f, g) => self.condition(f, true).and(self.condition(g, false)),
            other => panic!("the oracle reads no {other:?} in a condition"),
        }
    }

    fn atom(&self, atom: &Atom) -> T3 {
        let zone = self.catalog.ahead();
        let both = |left: &Term, right: &Term| {
            let ids = self.is_id(left) || self.is_id(right);
            Some((self.exact(left)?, self.exact(right)?, ids))
        };
        let of = |term: &Term, test: &dyn Fn(&Value) -> Option<bool>| {
            T3::of(self.exact(term).and_then(|value| test(&value)))
        };
        match atom {
            Atom::Event(predicate) => self.event(predicate),
            Atom::Known(term) => {
                let mut view = self.clone();
                view.as_read = true;
                T3::of(Some(!matches!(view.term(term), Ground::None)))
            }
            Atom::Compare(op, left, right) => self.compare(*op, left, right),
            Atom::In(item, list) => T3::of(
                both(item, list)
                    .and_then(|(item, list, ids)| compare::member(&item, &list, ids, zone)),
            ),
            Atom::Subset(part, whole) => T3::of(
                both(part, whole)
                    .and_then(|(part, whole, ids)| compare::subset(&part, &whole, ids, zone)),
            ),
            Atom::Contains(whole, part) => T3::of(both(whole, part).and_then(
                |(whole, part, ids)| match (&whole, &part) {
                    (Value::Text(whole), Value::Text(part)) => Some(whole.contains(part)),
                    _ => compare::member(&part, &whole, ids, zone),
                },
            )),
            Atom::Under(part, whole) => T3::of(both(part, whole).and_then(
                |(part, whole, _)| match (&part, &whole) {
                    (Value::Text(part), Value::Text(whole)) => words::under(part, whole),
                    _ => None,
                },
            )),
            Atom::Matches(term, pattern) => of(term, &|value| match value {
                Value::Text(text) => Some(words::finds(&pattern.0, text)),
                _ => None,
            }),
            Atom::Quantified(quantifier, list, name, body) => {
                let Some(Value::List(items)) = self.exact(list) else {
                    return T3::Unknown;
                };
                let each = items.into_iter().map(|item| {
                    let mut view = self.clone();
                    view.scope.push((Some(name.clone()), item));
                    view.condition(body.formula(), true)
                });
                let read_in_full = !matches!(list, Term::Lookup(lookup)
                    if lookup.which == Occurrence::Every);
                match quantifier {
                    Quantifier::All => each.fold(T3::True, T3::and),
                    Quantifier::Any => match each.fold(T3::False, T3::or) {
                        T3::False if !read_in_full => T3::Unknown,
                        truth => truth,
                    },
                }
            }
            Atom::Permitted(name) => of(name, &|name| {
                compare::member(name, &self.context("permissions")?, false, zone)
            }),
            Atom::FromUser(term) => of(term, &|value| {
                Some(
                    words::leaves(value)
                        .is_some_and(|leaves| leaves.iter().all(|leaf| self.named_by_user(leaf))),
                )
            }),
            Atom::FromTool(term, tools) => of(term, &|value| {
                Some(words::leaves(value).is_some_and(|leaves| {
                    leaves.iter().all(|leaf| {
                        let mut calls = self.calls();
                        calls.any(|(_, call)| {
                            names(tools, &call.tool)
                                && self.value(call).is_some_and(|it| words::holds(it, leaf))
                        })
                    })
                }))
            }),
            Atom::Untrusted(term) => of(term, &|value| {
                Some(words::leaves(value).is_some_and(|leaves| {
                    leaves.iter().any(|leaf| {
                        let shows = |call: &Called| {
                            self.answer(call).is_some_and(|it| words::holds(it.1, leaf))
                        };
                        let first = self.calls().map(|it| it.1).find(|call| shows(call));
                        let trusts =
                            |call: &Called| self.catalog.trusted.contains(&call.tool.as_str());
                        !self.named_by_user(leaf) && first.is_some_and(|call| !trusts(call))
                    })
                }))
            }),
            Atom::Listed(_) => panic!("the oracle reads no lists before a yes"),
        }
    }

    fn named_by_user(&self, leaf: &str) -> bool {
        self.before
            .iter()
            .any(|event| matches!(&event.what, What::User(text, _) if words::names(leaf, text)))
    }

    fn event(&self, predicate: &EventPredicate) -> T3 {
        T3::of(Some(match (predicate, &self.now.what) {
            (EventPredicate::Confirms, What::User(_, answer)) => return *answer,
            (EventPredicate::Tool(ToolEvent::Call, tools), What::Call(call)) => {
                names(tools, &call.tool)
            }
            (EventPredicate::Tool(event, tools), What::Return { ok, .. }) => {
                names(tools, &self.call().unwrap().tool) && ended(*event, *ok)
            }
            (words, _) => spoken(words, self.now).is_some(),
        }))
    }

    /// Whether the value of a term is an id, by the name that its path ends in.
    fn is_id(&self, term: &Term) -> bool {
        let named = term.path().and_then(|path| path.last_field());
        named.is_some_and(|name| self.catalog.is_id(name))
    }

    fn compare(&self, op: CompareOp, left: &Term, right: &Term) -> T3 {
        let zone = self.catalog.ahead();
        let ids = self.is_id(left) || self.is_id(right);
        let writes_null = [left, right].contains(&&Term::Constant(Value::Null));
        let (left, right) = (self.term(left), self.term(right));
        if writes_null {
            // A null that a rule writes differs from every other value.
            let null = |ground: &Ground| match ground {
                Ground::None => None,
                Ground::Value(value) => Some(*value == Value::Null),
                _ => Some(false),
            };
            let both = null(&left)
                .zip(null(&right))
                .map(|(one, other)| one && other);
            return T3::of(match op {
                CompareOp::Equal => both,
                CompareOp::NotEqual => both.map(|both| !both),
                _ => None,
            });
        }
        if let (Ground::Value(left), Ground::Value(right)) = (&left, &right) {
            let order = || compare::order(left, right, zone);
            return T3::of(match op {
                CompareOp::Equal => compare::same(left, right, ids, zone),
                CompareOp::NotEqual => compare::same(left, right, ids, zone).map(|it| !it),
                CompareOp::Less => order().map(|it| it.is_lt()),
                CompareOp::LessOrEqual => order().map(|it| it.is_le()),
                CompareOp::Greater => order().map(|it| it.is_gt()),
                CompareOp::GreaterOrEqual => order().map(|it| it.is_ge()),
            });
        }
        match (self.quantity(&left), self.quantity(&right)) {
            (Some(left), Some(right)) => left.compare(op, &right),
            _ => T3::Unknown,
        }
    }

    pub fn quantity(&self, ground: &Ground) -> Option<Quantity> {
        match ground {
            Ground::None => None,
            Ground::Value(value) => Quantity::read(value, self.catalog.ahead()),
            Ground::Quantity(quantity) => Some(quantity.clone()),
        }
    }

    pub fn exact(&self, term: &Term) -> Option<Value> {
        self.term(term).exact()
    }
}

/// The text of an event at which a predicate over words holds.
pub fn spoken<'e>(predicate: &EventPredicate, event: &'e Event) -> Option<&'e str> {
    match (predicate, &event.what) {
        (EventPredicate::User, What::User(text, _))
        | (EventPredicate::Agent, What::Agent { text, .. }) => Some(text),
        (EventPredicate::UserSays(pattern), What::User(text, _))
        | (EventPredicate::AgentSays(pattern), What::Agent { text, .. }) => {
            words::finds(&pattern.0, text).then_some(text)
        }
        _ => None,
    }
}

pub fn ended(event: ToolEvent, ok: bool) -> bool {
    match event {
        ToolEvent::Call => false,
        ToolEvent::Return => true,
        ToolEvent::Ok => ok,
        ToolEvent::Error => !ok,
    }
}
