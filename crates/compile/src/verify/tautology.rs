//! `tautology`: every behaviour satisfies the rule. The decision is exact, over
//! the letters that can occur.

use super::automaton::obligations;
use super::strip_or_reject;
use crate::finding::Finding;
use crate::meaning::counterexample;
use crate::part::Part;
use lictor_contract::catalog::Catalog;
use lictor_contract::diagnostic::Code;

pub(super) fn check(part: &Part, _: &Catalog) -> Vec<Finding> {
    obligations(part)
        .into_iter()
        .filter(|(_, obligation)| matches!(counterexample(&obligation.guarantee), Ok(None)))
        .map(|(tool, _)| {
            let at = tool.map_or_else(String::new, |tool| format!(" at `{tool}`"));
            strip_or_reject(
                Code::Tautology,
                tool,
                format!("every behaviour satisfies the rule{at}, so it protects nothing"),
                "leave it out, or say what must not happen",
            )
        })
        .collect()
}
