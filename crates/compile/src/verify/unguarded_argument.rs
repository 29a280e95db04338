//! `unguarded-argument`: an argument or a result is read at events that carry
//! neither.

use crate::finding::Finding;
use crate::occurrence::{Occurrence, occurrences, signed};
use crate::part::Part;
use lictor_contract::catalog::Catalog;
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::Term;
use lictor_contract::rule::ConfirmationReading;
use std::collections::BTreeSet;

pub(super) fn check(part: &Part, _: &Catalog) -> Vec<Finding> {
    let mut findings = BTreeSet::new();
    // The slots are the same for every tool, so no binding can be saved.
    for (_, rule) in part.rules() {
        let obligation = rule.obligation(ConfirmationReading::PerAction);
        for formula in [&obligation.guarantee, &obligation.assumption] {
            let Ok(signed) = signed(formula) else {
                continue;
            };
            for occurrence in occurrences(&signed) {
                if let Some((what, guard)) = unguarded(&occurrence) {
                    findings.insert(Finding::reject(
                        Code::UnguardedArgument,
                        format!(
                            "`{}` reads `{what}` at events that carry none",
                            occurrence.sign.atom
                        ),
                        guard,
                    ));
                }
            }
        }
    }
    findings.into_iter().collect()
}

/// What the atom reads although its event does not carry it, and what to do.
fn unguarded(occurrence: &Occurrence) -> Option<(&'static str, &'static str)> {
    let context = &occurrence.context;
    for term in occurrence.sign.atom.all_terms() {
        match term {
            Term::Arg(_) if context.calls.is_empty() && context.returns.is_empty() => {
                return Some(("arg", "put `call(…) ->` or `call(…) &` in front of it"));
            }
            Term::Result(_) if context.returns.is_empty() => {
                return Some((
                    "result",
                    "put `ok(…) ->` in front of it, or read `last(…)` at the call",
                ));
            }
            _ => {}
        }
    }
    None
}
