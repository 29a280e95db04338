//! `type-mismatch` and `unit-mismatch`: a condition that compares values of
//! different kinds, or a stretch of time with a plain number. The former is
//! unknown at every event, so a demand of it refuses every call.

use super::strip_or_reject;
use crate::finding::Finding;
use crate::occurrence::{Occurrence, occurrences, signed};
use crate::part::Part;
use crate::reads::reads;
use crate::schema;
use lictor_contract::catalog::Catalog;
use lictor_contract::check::check_formula;
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::Formula;
use lictor_contract::rule::ConfirmationReading;
use std::collections::BTreeSet;

pub(super) fn check(part: &Part, catalog: &Catalog) -> Vec<Finding> {
    findings(part, catalog, Code::TypeMismatch)
}

pub(super) fn check_units(part: &Part, catalog: &Catalog) -> Vec<Finding> {
    findings(part, catalog, Code::UnitMismatch)
}

fn findings(part: &Part, catalog: &Catalog, code: Code) -> Vec<Finding> {
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
                let found = check_formula(&atom, catalog, &tools).into_iter();
                for found in found.filter(|found| found.code == code) {
                    findings.insert(strip_or_reject(code, bound, found.message, &found.help));
                }
            }
        }
    }
    findings.into_iter().collect()
}

/// Whether the atom reads an argument that a tool lacks: a finding of its own.
fn reads_missing(occurrence: &Occurrence, catalog: &Catalog) -> bool {
    reads(&occurrence.sign.atom).iter().any(|read| {
        occurrence
            .context
            .argument_tools()
            .filter_map(|name| catalog.get(name))
            .any(|tool| schema::reach(tool, &read.path).missing.is_some())
    })
}
