//! `unsupported-pattern`: a rule that is more than one automaton can hold, or
//! whose instances not every event can find.

use super::automaton::obligations;
use super::strip_or_reject;
use crate::finding::Finding;
use crate::instances::unreachable;
use crate::meaning::meaning;
use crate::part::Part;
use lictor_contract::catalog::Catalog;
use lictor_contract::diagnostic::Code;

/// Most atoms of one rule. How they exclude each other is told to the decision
/// procedures pair by pair, so that the work grows much faster than the rule.
const MAX_ATOMS: usize = 100;

/// Whether a part is so large that no check should even look at it.
pub(super) fn oversized(part: &Part) -> Option<Finding> {
    let atoms = obligations(part)
        .iter()
        .map(|(_, it)| it.assumption.atoms().len() + it.guarantee.atoms().len())
        .max()?;
    (atoms > MAX_ATOMS).then(|| {
        Finding::reject(
            Code::UnsupportedPattern,
            format!("the rule is too large to enforce: it has {atoms} conditions, and {MAX_ATOMS} is the most"),
            "split it into several smaller rules, or give alternatives as a list after `in`",
        )
    })
}

pub(super) fn check(part: &Part, catalog: &Catalog) -> Vec<Finding> {
    let mut findings = too_large(part);
    for (tool, rule) in part.rules() {
        let faults = unreachable(&rule, catalog).into_iter();
        findings.extend(faults.map(|(message, advice)| {
            strip_or_reject(Code::UnsupportedPattern, tool, message, advice)
        }));
    }
    findings
}

fn too_large(part: &Part) -> Vec<Finding> {
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
