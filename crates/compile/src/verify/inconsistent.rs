//! `inconsistent`: no behaviour at all satisfies the rule. The decision is
//! exact, over the letters that can occur.

use super::automaton::obligations;
use super::strip_or_reject;
use crate::finding::Finding;
use crate::meaning::witness;
use crate::part::Part;
use lictor_contract::catalog::Catalog;
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::Formula;

pub(super) fn check(part: &Part, _: &Catalog) -> Vec<Finding> {
    obligations(part)
        .into_iter()
        .filter(|(_, obligation)| {
            let guarantee = obligation.guarantee.clone();
            // What is too large to decide is another check's finding.
            matches!(witness(&guarantee), Ok(None)) || guarantee == Formula::False
        })
        .map(|(tool, _)| {
            strip_or_reject(
                Code::Inconsistent,
                tool,
                "no behaviour satisfies the rule, not even doing nothing".to_owned(),
                "check whether two of its demands exclude each other",
            )
        })
        .collect()
}
