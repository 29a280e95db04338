//! `type-mismatch`: a condition that compares values of different kinds. Such a
//! condition is unknown at every event, so a demand of it refuses every call.

use super::strip_or_reject;
use crate::finding::Finding;
use crate::occurrence::{Occurrence, occurrences, signed};
use crate::part::Part;
use crate::schema;
use lictor_contract::catalog::Catalog;
use lictor_contract::check::check_formula;
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::{Formula, Term};
use lictor_contract::rule::ConfirmationReading;
use std::collections::BTreeSet;

pub(super) fn check(part: &Part, catalog: &Catalog) -> Vec<Finding> {
    let mut findings = BTreeSet::new();
    for (bound, rule) in part.rules() {
        let obligation = rule.obligation(ConfirmationReading::PerAction);
        for formula in [&obligation.guarantee, &obligation.assumption] {
            let Ok(signed) = signed(formula) else {
                continue;
            };
            for occurrence in occurrences(&signed) {
                if reads_missing(&occurrence, catalog) {
                    continue;
                }
                let atom = Formula::Atom(occurrence.sign.atom.clone());
                let tools: Vec<&str> = occurrence.context.argument_tools().collect();
                for found in check_formula(&atom, catalog, &tools) {
                    findings.insert(strip_or_reject(
                        Code::TypeMismatch,
                        bound,
                        found.message,
                        &found.help,
                    ));
                }
            }
        }
    }
    findings.into_iter().collect()
}

/// Whether the atom reads an argument that a tool lacks: a finding of its own.
fn reads_missing(occurrence: &Occurrence, catalog: &Catalog) -> bool {
    let terms = occurrence.sign.atom.all_terms();
    let mut paths = terms.iter().filter_map(|term| match term {
        Term::Arg(path) => Some(path),
        _ => None,
    });
    paths.any(|path| {
        occurrence
            .context
            .argument_tools()
            .filter_map(|name| catalog.get(name))
            .any(|tool| schema::reach(tool, path).missing.is_some())
    })
}
