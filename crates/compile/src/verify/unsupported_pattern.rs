//! `unsupported-pattern`: a rule that is more than one automaton can hold.

use super::automaton::obligations;
use super::strip_or_reject;
use crate::finding::Finding;
use crate::meaning::meaning;
use crate::part::Part;
use lictor_contract::catalog::Catalog;
use lictor_contract::diagnostic::Code;

pub(super) fn check(part: &Part, _: &Catalog) -> Vec<Finding> {
    obligations(part)
        .into_iter()
        .filter_map(|(tool, obligation)| {
            let error = meaning(&obligation).err()?;
            Some(strip_or_reject(
                Code::UnsupportedPattern,
                tool,
                format!("the rule is too large to enforce: {error}"),
                "split it into several smaller rules",
            ))
        })
        .collect()
}
