//! Every atom at every event, from the whole list of events.

use super::letters::{compares, names, number};
use super::logic::{Letter, T3};
use lictor_contract::predicate::{
    ArithmeticOp, Atom, CompareOp, Count, EventPredicate, Gauge, Key, Lookup, Name, Path, Segment,
    Term, ToolEvent,
};
use lictor_contract::value::Value;
use std::collections::BTreeMap;

/// An event that took place, or a call that a gate stopped while its recorded result came.
#[derive(Clone, Debug)]
pub enum Event {
    User(T3),
    Agent,
    Call(Called),
    Return { call: u32, ok: bool, value: Value },
}

#[derive(Clone, Debug)]
pub struct Called {
    pub id: u32,
    pub turn: u32,
    pub tool: String,
    /// None where they cannot be read.
    pub arguments: Option<BTreeMap<String, Value>>,
    pub withheld: bool,
}

/// The value of a term.
#[derive(Clone, Debug)]
enum Ground {
    None,
    Value(Value),
    /// What is settled, and that with whatever calls in flight may make of it.
    Range {
        settled: (f64, f64),
        all: (f64, f64),
    },
}

impl Ground {
    fn of(value: Option<Value>) -> Ground {
        value.map_or(Ground::None, Ground::Value)
    }

    fn ranges(&self) -> Option<((f64, f64), (f64, f64))> {
        match self {
            Ground::None => None,
            Ground::Value(value) => number(value).map(|it| ((it, it), (it, it))),
            Ground::Range { settled, all } => Some((*settled, *all)),
        }
    }

    fn exact(&self) -> Option<Value> {
        match self {
            Ground::Value(value) => Some(value.clone()),
            Ground::Range { all, .. } if all.0 == all.1 => Some(Value::integer(all.0 as i64)),
            _ => None,
        }
    }
}

/// Whether a record carries a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Yes,
    No,
    Perhaps,
}

/// The events before `at`, seen from the event `now`.
pub struct View<'e> {
    pub before: &'e [Event],
    pub now: &'e Event,
}

impl<'e> View<'e> {
    fn calls(&self) -> impl DoubleEndedIterator<Item = (usize, &'e Called)> {
        self.before
            .iter()
            .enumerate()
            .filter_map(|(at, event)| match event {
                Event::Call(call) => Some((at, call)),
                _ => None,
            })
    }

    /// The answer to a call as it is seen now: a call sees none of its own turn.
    fn answer(&self, call: &Called) -> Option<(bool, &'e Value)> {
        if matches!(self.now, Event::Call(now) if now.turn == call.turn) {
            return None;
        }
        self.before.iter().find_map(|event| match event {
            Event::Return {
                call: id,
                ok,
                value,
            } if *id == call.id => Some((*ok, value)),
            _ => None,
        })
    }

    fn call(&self) -> Option<&'e Called> {
        match self.now {
            Event::Call(call) => Some(call),
            Event::Return { call, .. } => self
                .calls()
                .map(|(_, other)| other)
                .find(|other| other.id == *call),
            _ => None,
        }
    }

    pub fn letter(&self, atoms: &[Atom]) -> Letter {
        atoms.iter().map(|atom| self.atom(atom)).collect()
    }

    fn atom(&self, atom: &Atom) -> T3 {
        match atom {
            Atom::Event(predicate) => self.event(predicate),
            Atom::Known(term) => T3::of(Some(!matches!(self.term(term), Ground::None))),
            Atom::Compare(op, left, right) => self.compare(*op, left, right),
            other => panic!("the oracle does not know `{other}`"),
        }
    }

    fn event(&self, predicate: &EventPredicate) -> T3 {
        T3::of(Some(match (predicate, self.now) {
            (EventPredicate::User, Event::User(_)) | (EventPredicate::Agent, Event::Agent) => true,
            (EventPredicate::Confirms, Event::User(answer)) => return *answer,
            (EventPredicate::Tool(ToolEvent::Call, tools), Event::Call(call)) => {
                names(tools, &call.tool)
            }
            (EventPredicate::Tool(event, tools), Event::Return { ok, .. }) => {
                names(tools, &self.call().unwrap().tool) && ended(*event, *ok)
            }
            _ => false,
        }))
    }

    fn compare(&self, op: CompareOp, left: &Term, right: &Term) -> T3 {
        let (left, right) = (self.term(left), self.term(right));
        if let (Some(left), Some(right)) = (left.ranges(), right.ranges()) {
            return match (agreed(op, left.1, right.1), agreed(op, left.0, right.0)) {
                (Some(value), _) => T3::of(Some(value)),
                (None, Some(_)) => T3::Reserved,
                (None, None) => T3::Unknown,
            };
        }
        let (Some(left), Some(right)) = (left.exact(), right.exact()) else {
            return T3::Unknown;
        };
        T3::of(match op {
            CompareOp::Equal => equal(&left, &right),
            CompareOp::NotEqual => equal(&left, &right).map(|it| !it),
            _ => None,
        })
    }

    fn term(&self, term: &Term) -> Ground {
        match term {
            Term::Constant(value) => Ground::Value(value.clone()),
            Term::Arg(path) => Ground::of(self.call().and_then(|call| {
                let arguments = Value::Object(call.arguments.clone()?);
                walk(&arguments, path)
            })),
            Term::Lookup(lookup) => Ground::of(self.last(lookup)),
            Term::Count(count) => self.count(count),
            Term::Gauge(Gauge::TurnCalls) => match self.now {
                Event::Call(now) => {
                    let same = |call: &Called| call.turn == now.turn && !call.withheld;
                    let calls = self.calls().filter(|(_, call)| same(call)).count();
                    Ground::Value(Value::integer(calls as i64 + 1))
                }
                _ => Ground::None,
            },
            Term::Arithmetic(op, left, right) => {
                let (left, right) = (self.term(left).ranges(), self.term(right).ranges());
                let (Some(left), Some(right)) = (left, right) else {
                    return Ground::None;
                };
                Ground::Range {
                    settled: combined(*op, left.0, right.0),
                    all: combined(*op, left.1, right.1),
                }
            }
            other => panic!("the oracle does not know {other:?}"),
        }
    }

    fn keys(&self, keys: &[Key]) -> Option<Vec<(String, Value)>> {
        keys.iter()
            .map(|key| match &key.name {
                Name::Known(name) => Some((name.clone(), self.term(&key.value).exact()?)),
                Name::Placeholder(_) => None,
            })
            .collect()
    }

    fn fit(&self, call: &Called, keys: &[(String, Value)]) -> Fit {
        let answer = self.answer(call);
        let mut fit = Fit::Yes;
        for (name, value) in keys {
            let readable = call.arguments.as_ref();
            let argument = readable.and_then(|arguments| arguments.get(name));
            let field = match answer {
                Some((true, Value::Object(fields))) => fields.get(name),
                _ => None,
            };
            let one = match argument.or(field) {
                Some(found) => match equal(found, value) {
                    Some(true) => Fit::Yes,
                    Some(false) => Fit::No,
                    None => Fit::Perhaps,
                },
                // The arguments, or an answer not seen, may say so.
                None if readable.is_none() || answer.is_none() => Fit::Perhaps,
                None => Fit::No,
            };
            fit = match (fit, one) {
                (Fit::No, _) | (_, Fit::No) => Fit::No,
                (Fit::Yes, Fit::Yes) => Fit::Yes,
                _ => Fit::Perhaps,
            };
        }
        fit
    }

    fn last(&self, lookup: &Lookup) -> Option<Value> {
        let keys = self.keys(&lookup.keys)?;
        for (_, call) in self.calls().rev() {
            let Some((true, value)) = self.answer(call) else {
                continue;
            };
            if names(&lookup.tools, &call.tool) {
                match self.fit(call, &keys) {
                    Fit::Yes => return walk(value, &lookup.path),
                    Fit::Perhaps => return None,
                    Fit::No => {}
                }
            }
        }
        None
    }

    /// After which event counting may have to start: none for the beginning.
    fn starts(&self, since: &Option<EventPredicate>) -> Vec<Option<usize>> {
        if since.is_none() {
            return vec![Some(0)];
        }
        assert_eq!(*since, Some(EventPredicate::Confirms));
        let mut starts = Vec::new();
        for (at, event) in self.before.iter().enumerate().rev() {
            match event {
                Event::User(T3::True) => {
                    starts.push(Some(at));
                    return starts;
                }
                Event::User(T3::Unknown) => starts.push(Some(at)),
                _ => {}
            }
        }
        starts.push(None);
        starts
    }

    fn count(&self, count: &Count) -> Ground {
        let EventPredicate::Tool(event, tools) = &count.event else {
            panic!("the oracle counts no words");
        };
        let Some(keys) = self.keys(&count.keys) else {
            return Ground::None;
        };
        let mut settled: Option<(f64, f64)> = None;
        let mut most: f64 = 0.0;
        for start in self.starts(&count.since) {
            let (mut low, mut high, mut all) = (0.0, 0.0, 0.0);
            let counted = self.calls().filter(|(at, call)| {
                start.is_some_and(|start| *at >= start)
                    && names(tools, &call.tool)
                    && !call.withheld
            });
            for (_, call) in counted {
                let fit = self.fit(call, &keys);
                if fit == Fit::No {
                    continue;
                }
                match self.answer(call) {
                    _ if *event == ToolEvent::Call => {}
                    None => {
                        all += 1.0;
                        continue;
                    }
                    Some((ok, _)) if !ended(*event, ok) => continue,
                    Some(_) => {}
                }
                low += if fit == Fit::Yes { 1.0 } else { 0.0 };
                high += 1.0;
                all += 1.0;
            }
            let so_far = settled.unwrap_or((low, high));
            settled = Some((so_far.0.min(low), so_far.1.max(high)));
            most = most.max(all);
        }
        let settled = settled.unwrap_or((0.0, 0.0));
        Ground::Range {
            settled,
            all: (settled.0, most),
        }
    }
}

fn ended(event: ToolEvent, ok: bool) -> bool {
    match event {
        ToolEvent::Call => false,
        ToolEvent::Return => true,
        ToolEvent::Ok => ok,
        ToolEvent::Error => !ok,
    }
}

fn equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Number(_), Value::Number(_)) => Some(number(left) == number(right)),
        (Value::Text(left), Value::Text(right)) => Some(left == right),
        _ => None,
    }
}

/// The truth of a comparison if all whole numbers between the ends agree.
fn agreed(op: CompareOp, left: (f64, f64), right: (f64, f64)) -> Option<bool> {
    let each = |range: (f64, f64)| {
        let steps = (range.1 - range.0) as u32;
        (0..=steps).map(move |step| range.0 + f64::from(step))
    };
    let mut answers = Vec::new();
    for one in each(left) {
        for other in each(right) {
            answers.push(compares(op, &one, &other));
        }
    }
    let first = answers[0];
    answers
        .iter()
        .all(|answer| *answer == first)
        .then_some(first)
}

fn combined(op: ArithmeticOp, left: (f64, f64), right: (f64, f64)) -> (f64, f64) {
    match op {
        ArithmeticOp::Add => (left.0 + right.0, left.1 + right.1),
        ArithmeticOp::Subtract => (left.0 - right.1, left.1 - right.0),
        ArithmeticOp::Multiply => panic!("the oracle multiplies nothing"),
    }
}

fn walk(value: &Value, path: &Path) -> Option<Value> {
    let mut value = value;
    for segment in &path.0 {
        let (Segment::Field(Name::Known(name)), Value::Object(fields)) = (segment, value) else {
            return None;
        };
        value = fields.get(name)?;
    }
    Some(value.clone())
}
