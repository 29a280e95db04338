//! The truth of an atom at an event.

use super::{Ground, Moment, Now};
use crate::consent::{self, Answer};
use crate::truth::Truth;
use lictor_contract::event::Outcome;
use lictor_contract::predicate::{
    Atom, CompareOp, EventPredicate, Term, ToolEvent, ToolPattern, ToolRef,
};
use lictor_contract::value::Value;
use std::cmp::Ordering;

impl Moment<'_> {
    /// The truth of the atom with this number.
    pub fn numbered(&self, atoms: &[Atom], atom: usize) -> Truth {
        atoms
            .get(atom)
            .map_or(Truth::Unknown, |atom| self.atom(atom))
    }

    /// The truth of an atom.
    pub fn atom(&self, atom: &Atom) -> Truth {
        match atom {
            Atom::Event(predicate) => self.event(predicate),
            Atom::Compare(op, left, right) => self.compare(*op, left, right),
            Atom::In(item, list) => self.over(item, list, member),
            Atom::Contains(whole, part) => {
                self.over(whole, part, |whole, part| match (whole, part) {
                    (Value::Text(whole), Value::Text(part)) => Some(whole.contains(part)),
                    _ => member(part, whole),
                })
            }
            Atom::Subset(part, whole) => self.over(part, whole, subset),
            Atom::Matches(term, pattern) => Truth::of(match self.term(term).exact().as_deref() {
                Some(Value::Text(text)) => {
                    self.patterns.get(pattern).map(|regex| regex.is_match(text))
                }
                _ => None,
            }),
            Atom::Known(term) => Truth::of(Some(self.term(term) != Ground::Unknown)),
            Atom::Listed(term) => Truth::of(self.listed(term)),
        }
    }

    fn over(&self, left: &Term, right: &Term, test: fn(&Value, &Value) -> Option<bool>) -> Truth {
        let (left, right) = (self.term(left), self.term(right));
        let known = left.exact().zip(right.exact());
        Truth::of(known.and_then(|(left, right)| test(&left, &right)))
    }

    fn compare(&self, op: CompareOp, left: &Term, right: &Term) -> Truth {
        let (left, right) = (self.term(left), self.term(right));
        if let (Some(left), Some(right)) = (left.quantity(), right.quantity()) {
            return left.compare(op, right);
        }
        let (Some(left), Some(right)) = (left.exact(), right.exact()) else {
            return Truth::Unknown;
        };
        Truth::of(match op {
            CompareOp::Equal => left.equals(&right),
            CompareOp::NotEqual => left.equals(&right).map(|equal| !equal),
            CompareOp::Less => order(&left, &right).map(Ordering::is_lt),
            CompareOp::LessOrEqual => order(&left, &right).map(Ordering::is_le),
            CompareOp::Greater => order(&left, &right).map(Ordering::is_gt),
            CompareOp::GreaterOrEqual => order(&left, &right).map(Ordering::is_ge),
        })
    }

    fn event(&self, predicate: &EventPredicate) -> Truth {
        let says = |pattern, text: &str| {
            let regex = self.patterns.get(pattern);
            regex.is_some_and(|regex| regex.is_match(text))
        };
        Truth::of(match (predicate, self.now) {
            (EventPredicate::Tool(ToolEvent::Call, tools), Now::Call(call)) => {
                Some(names(tools, &call.tool))
            }
            (
                EventPredicate::Tool(event, tools),
                Now::Return {
                    record, outcome, ..
                },
            ) => Some(
                names(tools, &record.tool)
                    && match event {
                        ToolEvent::Call => false,
                        ToolEvent::Return => true,
                        ToolEvent::Ok => outcome == Outcome::Ok,
                        ToolEvent::Error => outcome == Outcome::Error,
                    },
            ),
            (EventPredicate::User, Now::User { .. })
            | (EventPredicate::Agent, Now::Agent { .. }) => Some(true),
            (EventPredicate::UserSays(pattern), Now::User { text, .. })
            | (EventPredicate::AgentSays(pattern), Now::Agent { text }) => {
                Some(says(pattern, text))
            }
            (EventPredicate::Confirms, Now::User { answer, .. }) => match answer {
                Answer::Yes => Some(true),
                Answer::No => Some(false),
                Answer::Unclear => None,
            },
            _ => Some(false),
        })
    }

    /// Whether the agent named the value, or of a list or object every value in
    /// it, before the present yes.
    fn listed(&self, term: &Term) -> Option<bool> {
        let value = self.term(term);
        let value = value.exact()?;
        let Some(texts) = self.history.listing() else {
            return Some(false);
        };
        let mut leaves = Vec::new();
        collect_leaves(&value, &mut leaves);
        Some(
            leaves
                .iter()
                .all(|leaf| texts.iter().any(|text| consent::occurs(leaf, text))),
        )
    }
}

fn names(tools: &ToolPattern, tool: &str) -> bool {
    tools
        .alternatives()
        .any(|alternative| *alternative == ToolRef::Any)
        || tools.names_tool(tool)
}

/// Whether an element of a list, or a key of an object, equals the value.
fn member(item: &Value, collection: &Value) -> Option<bool> {
    let mut known = true;
    match (collection, item) {
        (Value::List(items), _) => {
            for candidate in items {
                match candidate.equals(item) {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => known = false,
                }
            }
            known.then_some(false)
        }
        (Value::Object(fields), Value::Text(name)) => Some(fields.contains_key(name)),
        _ => None,
    }
}

/// Bag inclusion: every element of `part` has one of its own in `whole`.
fn subset(part: &Value, whole: &Value) -> Option<bool> {
    let (Value::List(part), Value::List(whole)) = (part, whole) else {
        return None;
    };
    let mut left: Vec<&Value> = whole.iter().collect();
    for item in part {
        match left
            .iter()
            .position(|candidate| candidate.equals(item) == Some(true))
        {
            Some(index) => {
                left.swap_remove(index);
            }
            None if left
                .iter()
                .any(|candidate| candidate.equals(item).is_none()) =>
            {
                return None;
            }
            None => return Some(false),
        }
    }
    Some(true)
}

/// Numbers by value; texts only where both are dates or times of one form, for
/// which the order of the characters is the order in time.
fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) if is_date(a) && is_date(b) && a.len() == b.len() => {
            Some(a.cmp(b))
        }
        (Value::Text(_), Value::Text(_)) => None,
        _ => left.order(right),
    }
}

fn is_date(text: &str) -> bool {
    let shape = |(index, byte): (usize, u8)| match index {
        4 | 7 => byte == b'-',
        10 => byte == b'T' || byte == b' ',
        13 | 16 => byte == b':',
        _ => byte.is_ascii_digit(),
    };
    matches!(text.len(), 10 | 19) && text.bytes().enumerate().all(shape)
}

/// The scalar values inside a value, as people would write them.
fn collect_leaves(value: &Value, leaves: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::Text(text) => leaves.push(text.clone()),
        Value::Bool(_) | Value::Number(_) => leaves.push(value.to_string()),
        Value::List(items) => items.iter().for_each(|item| collect_leaves(item, leaves)),
        Value::Object(fields) => fields
            .values()
            .for_each(|item| collect_leaves(item, leaves)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        test: fn(&Value, &Value) -> Option<bool>,
        left: &str,
        right: &str,
        expected: Option<bool>,
    ) {
        let value = |text: &str| Value::from_json(text).unwrap();
        assert_eq!(test(&value(left), &value(right)), expected);
    }

    #[test]
    fn membership() {
        check(member, "1", "[2, 1.0]", Some(true));
        check(member, "1", "[]", Some(false));
        check(member, "1", "[\"1\"]", None);
        check(member, "\"k\"", r#"{"k": 1}"#, Some(true));
        check(member, "\"k\"", "\"kk\"", None);
    }

    #[test]
    fn bags() {
        check(subset, "[1, 1]", "[1, 2, 1]", Some(true));
        check(subset, "[1, 1]", "[1, 2]", Some(false));
        check(subset, "[]", "[1]", Some(true));
        check(subset, "[\"1\"]", "[1]", None);
    }

    #[test]
    fn only_dates_of_one_form_have_an_order() {
        let text = Value::text;
        assert_eq!(
            order(&text("2024-05-01"), &text("2024-05-20")),
            Some(Ordering::Less)
        );
        assert_eq!(
            order(&text("2024-05-01"), &text("2024-05-20T10:00:00")),
            None
        );
        assert_eq!(order(&text("apple"), &text("pear")), None);
    }
}
