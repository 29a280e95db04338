//! The truth of an atom at an event.

use super::{Ground, Moment, Now, address};
use crate::consent::Answer;
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
            Atom::In(item, list) => self.over(item, list, Moment::member),
            Atom::Contains(whole, part) => {
                self.over(part, whole, |moment, part, whole, are_ids| {
                    match (whole, part) {
                        (Value::Text(whole), Value::Text(part)) => Some(whole.contains(part)),
                        _ => moment.member(part, whole, are_ids),
                    }
                })
            }
            Atom::Subset(part, whole) => self.over(part, whole, Moment::subset),
            Atom::Under(part, whole) => {
                self.over(part, whole, |_, part, whole, _| match (part, whole) {
                    (Value::Text(part), Value::Text(whole)) => address::is_under(part, whole),
                    _ => None,
                })
            }
            Atom::Matches(term, pattern) => Truth::of(match self.term(term).exact().as_deref() {
                Some(Value::Text(text)) => {
                    self.patterns.get(pattern).map(|regex| regex.is_match(text))
                }
                _ => None,
            }),
            Atom::Quantified(quantifier, list, name, condition) => {
                self.quantified(*quantifier, list, name, condition)
            }
            // Whatever the term does with facts, it is known while they are stale, too.
            Atom::Known(term) => {
                let as_read = Moment {
                    as_read: true,
                    ..*self
                };
                Truth::of(Some(as_read.term(term).is_known()))
            }
            Atom::Listed(term) => Truth::of(self.listed(term)),
            Atom::Permitted(term) => Truth::of(self.permitted(term)),
            Atom::FromUser(term) => Truth::of(self.is_from_user(term)),
            Atom::FromTool(term, tools) => Truth::of(self.is_from_tool(term, tools)),
            Atom::Untrusted(term) => Truth::of(self.is_untrusted(term)),
        }
    }

    fn over(
        &self,
        left: &Term,
        right: &Term,
        test: fn(&Self, &Value, &Value, bool) -> Option<bool>,
    ) -> Truth {
        let are_ids = self.world.holds_id(left) || self.world.holds_id(right);
        let (left, right) = (self.term(left), self.term(right));
        let known = left.exact().zip(right.exact());
        Truth::of(known.and_then(|(left, right)| test(self, &left, &right, are_ids)))
    }

    fn compare(&self, op: CompareOp, left: &Term, right: &Term) -> Truth {
        let are_ids = self.world.holds_id(left) || self.world.holds_id(right);
        let asks_for_null = [left, right].contains(&&Term::Constant(Value::Null));
        let (left, right) = (self.term(left), self.term(right));
        if asks_for_null {
            return is_null(op, &left, &right);
        }
        // Two texts are compared as such; a text beside a quantity is a time.
        let (Ground::Value(a), Ground::Value(b)) = (&left, &right) else {
            return match (self.quantity(&left), self.quantity(&right)) {
                (Some(left), Some(right)) => left.compare(op, right),
                _ => Truth::Unknown,
            };
        };
        Truth::of(match op {
            CompareOp::Equal => self.same(a, b, are_ids),
            CompareOp::NotEqual => self.same(a, b, are_ids).map(|equal| !equal),
            CompareOp::Less => self.order(a, b).map(Ordering::is_lt),
            CompareOp::LessOrEqual => self.order(a, b).map(Ordering::is_le),
            CompareOp::Greater => self.order(a, b).map(Ordering::is_gt),
            CompareOp::GreaterOrEqual => self.order(a, b).map(Ordering::is_ge),
        })
    }

    /// Whether the host granted a permission of this name. Without a word from
    /// the host that is not known.
    fn permitted(&self, name: &Term) -> Option<bool> {
        let name = self.term(name);
        self.member(&*name.exact()?, self.history.context("permissions")?, false)
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
            | (EventPredicate::AgentSays(pattern), Now::Agent { text, .. }) => {
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
    /// it, before the present yes. An id is also named by its record.
    fn listed(&self, term: &Term) -> Option<bool> {
        let value = self.term(term);
        let value = value.exact()?;
        let Some(said) = self.history.listed(self.world.languages()) else {
            return Some(false);
        };
        let mut leaves = Vec::new();
        collect_leaves(&value, &mut leaves);
        let results = || {
            let answers = self.history.calls().collect::<Vec<_>>().into_iter().rev();
            answers
                .filter(|record| record.is_settled_for(self.viewer()))
                .filter_map(|record| record.value())
        };
        let named = |leaf: &String| said.names(leaf) || said.names_record(leaf, results());
        Some(leaves.iter().all(named))
    }
}

fn names(tools: &ToolPattern, tool: &str) -> bool {
    tools
        .alternatives()
        .any(|alternative| *alternative == ToolRef::Any)
        || tools.names_tool(tool)
}

/// A comparison with null that a rule writes out: it asks whether there is a value
/// beside null, so any other value is known to differ.
fn is_null(op: CompareOp, left: &Ground<'_>, right: &Ground<'_>) -> Truth {
    let null = |ground: &Ground<'_>| match ground {
        Ground::Value(value) => Some(**value == Value::Null),
        Ground::Quantity(_) => Some(false),
        Ground::Stale | Ground::Unknown => None,
    };
    let both = null(left)
        .zip(null(right))
        .map(|(left, right)| left && right);
    Truth::of(match op {
        CompareOp::Equal => both,
        CompareOp::NotEqual => both.map(|both| !both),
        _ => None,
    })
}

/// The scalar values inside a value, as people would write them.
pub(super) fn collect_leaves(value: &Value, leaves: &mut Vec<String>) {
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
