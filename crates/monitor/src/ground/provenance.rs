//! Where a value comes from: the user's words, or a tool's results.

use super::Moment;
use super::atom::collect_leaves;
use crate::consent;
use crate::history::CallRecord;
use lictor_contract::predicate::{Term, ToolPattern};
use lictor_contract::value::Value;

impl Moment<'_> {
    /// Whether the user wrote the value, or of a list or object every value in
    /// it, as whole words. Empty values, nulls and truth values come from nobody.
    pub(super) fn is_from_user(&self, term: &Term) -> Option<bool> {
        let ground = self.term(term);
        let value = ground.exact()?;
        Some(self.named_by_user(&value))
    }

    /// Whether results of these tools hold the value, or every value in it. An
    /// error vouches for nothing: it often repeats what the agent made up.
    pub(super) fn is_from_tool(&self, term: &Term, tools: &ToolPattern) -> Option<bool> {
        let ground = self.term(term);
        let value = ground.exact()?;
        let holds = |leaf: &str| {
            let mut records = self.history.calls_of(tools).flatten();
            records.any(|record| record.value().is_some() && self.shows(record, leaf))
        };
        Some(leaves(&value).is_some_and(|leaves| leaves.iter().all(|leaf| holds(leaf))))
    }

    /// Whether some value in it was first introduced by a tool that is not
    /// trusted, and was never named by the user.
    pub(super) fn is_untrusted(&self, term: &Term) -> Option<bool> {
        let ground = self.term(term);
        let value = ground.exact()?;
        let Some(leaves) = leaves(&value) else {
            return Some(false);
        };
        Some(leaves.iter().any(|leaf| {
            let first = || self.history.calls().find(|record| self.shows(record, leaf));
            !self.user_named(leaf) && first().is_some_and(|record| !self.world.trusts(&record.tool))
        }))
    }

    fn named_by_user(&self, value: &Value) -> bool {
        leaves(value).is_some_and(|leaves| leaves.iter().all(|leaf| self.user_named(leaf)))
    }

    fn user_named(&self, leaf: &str) -> bool {
        let mut words = self.history.words(true);
        words.any(|(_, text)| consent::occurs(leaf, text))
    }

    /// Whether an answer that may be seen holds the text as a value, or in one.
    fn shows(&self, record: &CallRecord, leaf: &str) -> bool {
        record.is_settled_for(self.viewer())
            && record
                .answer
                .as_ref()
                .is_some_and(|(_, value)| holds(value, leaf))
    }
}

/// The values inside a value, as people would write them; none for an empty one.
fn leaves(value: &Value) -> Option<Vec<String>> {
    let mut leaves = Vec::new();
    if let Value::Bool(_) = value {
        return None;
    }
    collect_leaves(value, &mut leaves);
    let empty = leaves.is_empty() || leaves.iter().any(|leaf| leaf.trim().is_empty());
    (!empty).then_some(leaves)
}

fn holds(value: &Value, leaf: &str) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Text(text) => text == leaf || consent::occurs(leaf, text),
        Value::Number(_) => consent::occurs(leaf, &value.to_string()),
        Value::List(items) => items.iter().any(|item| holds(item, leaf)),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, item)| name == leaf || holds(item, leaf)),
    }
}
