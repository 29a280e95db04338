//! The letters there can be: one event, and for each term a value of each kind or none.

use super::logic::{Letter, T3};
use lictor_contract::predicate::{
    Atom, CompareOp, EventPredicate, Gauge, Term, ToolEvent, ToolPattern, ToolRef,
};
use lictor_contract::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a term may be: a number, a text, either of which may be missing.
type Point = (Option<f64>, Option<String>);

pub fn number(value: &Value) -> Option<f64> {
    matches!(value, Value::Number(_)).then(|| value.to_string().parse().unwrap())
}

pub fn names(tools: &ToolPattern, tool: &str) -> bool {
    tools.alternatives().any(|one| *one == ToolRef::Any) || tools.names().any(|name| name == tool)
}

/// `term op constant`, the constant on the right.
fn bound(atom: &Atom) -> Option<(&Term, CompareOp, &Value)> {
    let mirrored = |op| match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
        same => same,
    };
    match atom {
        Atom::Compare(op, term, Term::Constant(value)) => Some((term, *op, value)),
        Atom::Compare(op, Term::Constant(value), term) => Some((term, mirrored(*op), value)),
        _ => None,
    }
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

fn at_point(op: CompareOp, point: &Point, value: &Value) -> T3 {
    T3::of(match value {
        Value::Number(_) => point
            .0
            .map(|left| compares(op, &left, &number(value).unwrap())),
        Value::Text(right) => match op {
            CompareOp::Equal | CompareOp::NotEqual => {
                point.1.as_ref().map(|left| compares(op, left, right))
            }
            _ => None,
        },
        _ => None,
    })
}

/// Every point that tells the bounds on a term apart.
fn points(term: &Term, atoms: &[Atom]) -> Vec<Point> {
    let natural = matches!(term, Term::Count(_) | Term::Gauge(Gauge::TurnCalls));
    let mut numbers: Vec<Option<f64>> = vec![None];
    let mut texts: Vec<Option<String>> = vec![None];
    let mut constants = BTreeSet::new();
    for (other, _, value) in atoms.iter().filter_map(bound) {
        if other == term && constants.insert(value) {
            match value {
                Value::Text(text) => texts.push(Some(text.clone())),
                _ => {
                    let middle = number(value).unwrap();
                    for step in [-1.0, -0.5, 0.0, 0.5, 1.0] {
                        let point = middle + step;
                        if !natural || point >= 0.0 && point.fract() == 0.0 {
                            numbers.push(Some(point));
                        }
                    }
                }
            }
        }
    }
    if texts.len() > 1 {
        texts.push(Some("something else".to_owned()));
    }
    numbers.sort_by(|a, b| a.partial_cmp(b).unwrap());
    numbers.dedup();
    let equals = |point: &Point| {
        let meets = |text: bool| {
            atoms.iter().filter_map(bound).any(|(other, op, value)| {
                other == term
                    && op == CompareOp::Equal
                    && matches!(value, Value::Text(_)) == text
                    && at_point(op, point, value) == T3::True
            })
        };
        meets(true) && meets(false)
    };
    let mut all = Vec::new();
    for one in &numbers {
        for other in &texts {
            all.push((*one, other.clone()));
        }
    }
    // Different constants of one term exclude each other.
    all.retain(|point| !equals(point));
    all
}

fn base_terms(atoms: &[Atom]) -> BTreeSet<&Term> {
    let bounds = atoms.iter().filter_map(bound).map(|(term, _, _)| term);
    let known = atoms.iter().filter_map(|atom| match atom {
        Atom::Known(term) => Some(term),
        _ => None,
    });
    bounds.chain(known).collect()
}

/// Whether the atoms known at one event can be so together. Atoms that are not known restrict
/// nothing.
pub fn allowed(atoms: &[Atom], letter: &Letter) -> bool {
    let told = |index: usize| matches!(letter[index], T3::True | T3::False);
    base_terms(atoms).into_iter().all(|term| {
        points(term, atoms).iter().any(|point| {
            atoms
                .iter()
                .enumerate()
                .all(|(index, atom)| match bound(atom) {
                    Some((other, op, value)) if other == term && told(index) => {
                        at_point(op, point, value) == letter[index]
                    }
                    _ => true,
                })
        })
    })
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
            names(tools, tool)
                && match event {
                    ToolEvent::Call => false,
                    ToolEvent::Return => true,
                    ToolEvent::Ok => *ok,
                    ToolEvent::Error => !*ok,
                }
        }
        (EventPredicate::User, Happening::User(_)) => true,
        (EventPredicate::Agent, Happening::Agent) => true,
        (EventPredicate::Confirms, Happening::User(answer)) => return *answer,
        (EventPredicate::UserSays(_) | EventPredicate::AgentSays(_), _) => {
            panic!("the oracle knows no patterns")
        }
        _ => false,
    }))
}

/// All letters over these atoms.
pub fn possible(atoms: &[Atom]) -> Vec<Letter> {
    let mut happenings = vec![Happening::Agent];
    for answer in [T3::True, T3::False, T3::Unknown] {
        happenings.push(Happening::User(answer));
    }
    for tool in ["look", "act", "pay", "another"] {
        happenings.push(Happening::Call(tool.to_owned()));
        for ok in [false, true] {
            happenings.push(Happening::Return(tool.to_owned(), ok));
        }
    }
    let mut values: Vec<BTreeMap<&Term, Point>> = vec![BTreeMap::new()];
    for term in base_terms(atoms) {
        let points = points(term, atoms);
        let mut next = Vec::new();
        for value in &values {
            for point in &points {
                let mut value = value.clone();
                value.insert(term, point.clone());
                next.push(value);
            }
        }
        values = next;
    }
    let mut letters = BTreeSet::new();
    for happening in &happenings {
        for value in &values {
            let mut free = Vec::new();
            let mut letter: Letter = Vec::new();
            for (index, atom) in atoms.iter().enumerate() {
                letter.push(match atom {
                    Atom::Event(predicate) => happens(predicate, happening),
                    Atom::Known(_) => T3::False,
                    _ => match bound(atom) {
                        Some((term, op, constant)) => at_point(op, &value[term], constant),
                        None => {
                            free.push(index);
                            T3::Unknown
                        }
                    },
                });
            }
            letters.extend(assignments(atoms, &letter, &free));
        }
    }
    // Whether a term has a value is told apart from what is told of it.
    for index in 0..atoms.len() {
        if matches!(atoms[index], Atom::Known(_)) {
            for mut letter in letters.clone() {
                letter[index] = T3::True;
                letters.insert(letter);
            }
        }
    }
    letters.into_iter().collect()
}

/// The letter with each of the atoms true, false or left unknown, where that is allowed.
pub fn assignments(atoms: &[Atom], letter: &Letter, free: &[usize]) -> Vec<Letter> {
    let mut all = vec![letter.clone()];
    for index in free {
        let mut next = Vec::new();
        for letter in all {
            for value in [T3::True, T3::False, T3::Unknown] {
                let mut letter = letter.clone();
                letter[*index] = value;
                next.push(letter);
            }
        }
        all = next;
    }
    all.retain(|letter| allowed(atoms, letter));
    all
}
