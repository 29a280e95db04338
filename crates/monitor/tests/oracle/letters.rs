//! The letters there can be: one event, and for each term a value of each kind or none.

use super::catalog::TOOLS;
use super::logic::{Letter, T3};
use lictor_contract::predicate::{
    Atom, CompareOp, EventPredicate, Term, ToolEvent, ToolPattern, ToolRef,
};
use lictor_contract::value::Value;
use std::collections::BTreeSet;

/// More letters than this are not gone through.
const MOST: usize = 3000;

pub fn number(value: &Value) -> Option<f64> {
    matches!(value, Value::Number(_)).then(|| value.to_string().parse().unwrap())
}

pub fn names(tools: &ToolPattern, tool: &str) -> bool {
    tools.alternatives().any(|one| *one == ToolRef::Any) || tools.names().any(|name| name == tool)
}

fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
        same => same,
    }
}

/// What a term is compared with.
fn constant(op: CompareOp, term: &Term) -> Option<Value> {
    let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
    match term {
        Term::Duration(length) => Some(Value::integer(length.0 as i64)),
        Term::Constant(value @ Value::Number(_)) => Some(value.clone()),
        Term::Constant(value @ (Value::Text(_) | Value::Bool(_))) if equality => {
            Some(value.clone())
        }
        _ => None,
    }
}

/// `term op constant`, the constant on the right.
fn bound(atom: &Atom) -> Option<(&Term, CompareOp, Value)> {
    let Atom::Compare(op, left, right) = atom else {
        return None;
    };
    let sum = |term: &Term| matches!(term, Term::Arithmetic(..));
    match (constant(*op, left), constant(*op, right)) {
        (None, Some(value)) if !sum(left) => Some((left, *op, value)),
        (Some(value), None) if !sum(right) => Some((right, mirrored(*op), value)),
        _ => None,
    }
}

/// A comparison of two terms as a statement, and whether the atom says the contrary.
fn statement(atom: &Atom) -> Option<(CompareOp, &Term, &Term, bool)> {
    let Atom::Compare(op, left, right) = atom else {
        return None;
    };
    let (op, left, right) = if left <= right {
        (*op, left, right)
    } else {
        (mirrored(*op), right, left)
    };
    Some(match op {
        CompareOp::NotEqual => (CompareOp::Equal, left, right, true),
        CompareOp::Greater => (CompareOp::LessOrEqual, left, right, true),
        CompareOp::GreaterOrEqual => (CompareOp::Less, left, right, true),
        op => (op, left, right, false),
    })
}

/// The same for what is not compared with a constant.
fn free(atom: &Atom) -> Option<(CompareOp, &Term, &Term, bool)> {
    statement(atom).filter(|_| bound(atom).is_none())
}

pub fn compares<T: PartialOrd>(op: CompareOp, left: &T, right: &T) -> bool {
    match op {
        CompareOp::Equal => left == right,
        CompareOp::NotEqual => left != right,
        CompareOp::Less => left < right,
        CompareOp::LessOrEqual => left <= right,
        CompareOp::Greater => left > right,
        CompareOp::GreaterOrEqual => left >= right,
    }
}

/// What a term may be: something of each kind, any of which may be missing.
#[derive(Clone, Debug, Default)]
struct Point {
    number: Option<f64>,
    text: Option<String>,
    truth: Option<bool>,
}

impl Point {
    fn meets(&self, op: CompareOp, value: &Value) -> T3 {
        T3::of(match value {
            Value::Text(right) => self.text.as_ref().map(|left| compares(op, left, right)),
            Value::Bool(right) => self.truth.map(|left| compares(op, &left, right)),
            right => self
                .number
                .map(|left| compares(op, &left, &number(right).unwrap())),
        })
    }
}

/// Every point that tells the bounds on a term apart.
fn points(term: &Term, bounds: &[(CompareOp, Value)]) -> Vec<Point> {
    let natural = term.is_natural();
    let mut all = vec![Point::default()];
    for (_, value) in bounds {
        match value {
            Value::Text(text) => {
                for text in [text.clone(), "something else".to_owned()] {
                    all.extend(all.clone().into_iter().map(|point| Point {
                        text: Some(text.clone()),
                        ..point
                    }));
                }
            }
            Value::Bool(_) => {
                for truth in [true, false] {
                    all.extend(all.clone().into_iter().map(|point| Point {
                        truth: Some(truth),
                        ..point
                    }));
                }
            }
            value => {
                let middle = number(value).unwrap();
                let one = all.clone();
                for step in [-1.0, -0.5, 0.0, 0.5, 1.0] {
                    let number = middle + step;
                    if !natural || number >= 0.0 && number.fract() == 0.0 {
                        all.extend(one.iter().cloned().map(|point| Point {
                            number: Some(number),
                            ..point
                        }));
                    }
                }
            }
        }
    }
    // Constants of two kinds are not both what one term is.
    let equals = |point: &Point| {
        let equal = bounds
            .iter()
            .filter(|(op, value)| *op == CompareOp::Equal && point.meets(*op, value) == T3::True);
        let kinds: BTreeSet<_> = equal.map(|(_, value)| value.kind()).collect();
        kinds.len() > 1
    };
    all.retain(|point| !equals(point));
    all
}

/// Atoms that tell of one another, and the truths that they can have together.
#[derive(Clone, Debug)]
struct Group {
    atoms: Vec<usize>,
    rows: BTreeSet<Letter>,
}

fn bounds_on(term: &Term, atoms: &[Atom]) -> Group {
    let mut group = Vec::new();
    let mut bounds = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        if let Some((other, op, value)) = bound(atom)
            && other == term
        {
            group.push(index);
            bounds.push((op, value));
        }
    }
    let points = points(term, &bounds);
    let row = |point: &Point| {
        let each = bounds.iter().map(|(op, value)| point.meets(*op, value));
        each.collect()
    };
    Group {
        atoms: group,
        rows: points.iter().map(row).collect(),
    }
}

fn same_statement(of: &Atom, atoms: &[Atom]) -> Group {
    let mut group = Vec::new();
    let mut contrary = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        let same = match (free(of), free(atom)) {
            (Some(a), Some(b)) => (a.0, a.1, a.2) == (b.0, b.1, b.2),
            _ => atom == of,
        };
        if same {
            group.push(index);
            contrary.push(free(atom).is_some_and(|it| it.3));
        }
    }
    let row = |truth: T3| {
        let each = contrary.iter();
        each.map(|contrary| if *contrary { truth.not() } else { truth })
            .collect()
    };
    Group {
        atoms: group,
        rows: [T3::True, T3::False, T3::Unknown].map(row).into(),
    }
}

/// The atoms over values, sorted into groups.
fn groups(atoms: &[Atom]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        let taken = groups.iter().any(|group| group.atoms.contains(&index));
        if taken || matches!(atom, Atom::Event(_) | Atom::Known(_)) {
            continue;
        }
        groups.push(match bound(atom) {
            Some((term, ..)) => bounds_on(term, atoms),
            None => same_statement(atom, atoms),
        });
    }
    groups
}

/// What can happen, as far as event predicates can tell.
#[derive(Clone, Debug)]
enum Happening {
    Call(String),
    Return(String, bool),
    User(T3),
    Agent,
}

fn happens(predicate: &EventPredicate, event: &Happening) -> T3 {
    T3::of(Some(match (predicate, event) {
        (EventPredicate::Tool(ToolEvent::Call, tools), Happening::Call(tool)) => names(tools, tool),
        (EventPredicate::Tool(event, tools), Happening::Return(tool, ok)) => {
            names(tools, tool) && super::facts::ended(*event, *ok)
        }
        (EventPredicate::User, Happening::User(_)) => true,
        (EventPredicate::Agent, Happening::Agent) => true,
        (EventPredicate::Confirms, Happening::User(answer)) => return *answer,
        // Such a turn may say it; see below.
        (EventPredicate::UserSays(_), Happening::User(_))
        | (EventPredicate::AgentSays(_), Happening::Agent) => return T3::Unknown,
        _ => false,
    }))
}

fn happenings() -> Vec<Happening> {
    let mut all = vec![Happening::Agent];
    for answer in [T3::True, T3::False, T3::Unknown] {
        all.push(Happening::User(answer));
    }
    for tool in TOOLS.into_iter().chain(["another"]) {
        all.push(Happening::Call(tool.to_owned()));
        for ok in [false, true] {
            all.push(Happening::Return(tool.to_owned(), ok));
        }
    }
    all
}

/// Every letter over some atoms.
#[derive(Debug)]
pub struct Letters {
    groups: Vec<Group>,
    pub all: Vec<Letter>,
}

impl Letters {
    /// None where there are too many.
    pub fn of(atoms: &[Atom]) -> Option<Letters> {
        let groups = groups(atoms);
        let mut all = BTreeSet::new();
        for happening in happenings() {
            let letter: Letter = atoms
                .iter()
                .map(|atom| match atom {
                    Atom::Event(predicate) => happens(predicate, &happening),
                    _ => T3::False,
                })
                .collect();
            all.insert(letter);
        }
        // Words that may be said, and terms that may have a value: two-valued.
        for (index, atom) in atoms.iter().enumerate() {
            for mut letter in all.clone() {
                let spoken = matches!(
                    atom,
                    Atom::Event(EventPredicate::UserSays(_) | EventPredicate::AgentSays(_))
                );
                if spoken && letter[index] == T3::Unknown || matches!(atom, Atom::Known(_)) {
                    all.remove(&letter);
                    for truth in [T3::True, T3::False] {
                        letter[index] = truth;
                        all.insert(letter.clone());
                    }
                }
            }
        }
        for group in &groups {
            if all.len() * group.rows.len() > MOST {
                return None;
            }
            let mut next = BTreeSet::new();
            for letter in &all {
                for row in &group.rows {
                    let mut letter = letter.clone();
                    for (index, truth) in group.atoms.iter().zip(row) {
                        letter[*index] = *truth;
                    }
                    next.insert(letter);
                }
            }
            all = next;
        }
        Some(Letters {
            groups,
            all: all.into_iter().collect(),
        })
    }

    /// Whether what is known at one event can be so together. What is not known restricts nothing.
    fn allows(&self, letter: &Letter) -> bool {
        let told = |truth: T3| matches!(truth, T3::True | T3::False);
        self.groups.iter().all(|group| {
            group.rows.iter().any(|row| {
                let mut each = group.atoms.iter().zip(row);
                each.all(|(index, truth)| !told(letter[*index]) || letter[*index] == *truth)
            })
        })
    }

    /// The letter with each unknown atom true, false or left unknown, where that is allowed.
    pub fn assignments(&self, letter: &Letter) -> Vec<Letter> {
        let mut all = vec![letter.clone()];
        for (index, truth) in letter.iter().enumerate() {
            if *truth != T3::Unknown {
                continue;
            }
            let mut next = Vec::new();
            for letter in all {
                for value in [T3::True, T3::False, T3::Unknown] {
                    let mut letter = letter.clone();
                    letter[index] = value;
                    if self.allows(&letter) {
                        next.push(letter);
                    }
                }
            }
            all = next;
        }
        all.retain(|letter| self.allows(letter));
        all
    }
}
