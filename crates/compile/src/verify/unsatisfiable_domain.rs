//! `unsatisfiable-domain`: no argument that the tool accepts can meet the rule,
//! or none can break it (NOMOS, domain satisfiability).
//!
//! A prohibition of `c` and a precondition `!c` mean the same and are judged
//! alike: by the demand they make at the call.

use crate::domain::{Verdict, judge};
use crate::finding::Finding;
use crate::part::{Part, demand};
use lictor_contract::catalog::{Catalog, Tool};
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::{Atom, Formula};
use lictor_contract::rule::{Body, Rule};
use std::collections::BTreeSet;

pub(super) fn check(part: &Part, catalog: &Catalog) -> Vec<Finding> {
    part.rules()
        .into_iter()
        .filter_map(|(bound, rule)| {
            let tool = catalog.get(bound?)?;
            let demand = demand(&rule)?;
            Some(findings(&rule, &demand, tool, &catalog.ids))
        })
        .flatten()
        .collect()
}

fn findings(rule: &Rule, demand: &Formula, tool: &Tool, ids: &BTreeSet<String>) -> Vec<Finding> {
    // A plain ban means what it says.
    if *demand == Formula::False {
        return Vec::new();
    }
    let verdict = judge(demand, tool, ids);
    let name = &tool.id;
    let code = Code::UnsatisfiableDomain;
    if !verdict.can_hold {
        let message = format!(
            "no call of `{name}` can meet the rule{}, so the tool would be dead",
            because(&verdict)
        );
        return vec![Finding::strip(code, name, message)];
    }
    if !verdict.can_break {
        return vec![never_broken(rule, tool, &verdict)];
    }
    verdict
        .decided
        .iter()
        .map(|(atom, truth)| {
            let always = if *truth {
                "always holds"
            } else {
                "can never hold"
            };
            Finding::note(
                code,
                format!("at `{name}` the part `{atom}` {always}"),
                "the rest of the rule stays as it is",
            )
        })
        .collect()
}

fn never_broken(rule: &Rule, tool: &Tool, verdict: &Verdict) -> Finding {
    let name = &tool.id;
    if !verdict.could_break_without_domains {
        let contradiction = matches!(rule.body, Body::Prohibition { .. });
        let (code, message) = if contradiction {
            (
                Code::UnsatisfiableDomain,
                format!("the condition contradicts itself, so the rule can never fire at `{name}`"),
            )
        } else {
            (
                Code::Tautology,
                format!("the condition cannot be false, so the rule can never fire at `{name}`"),
            )
        };
        return Finding::strip(code, name, message);
    }
    if verdict.decided.is_empty() {
        // The rule repeats what the schema says. It is kept: hosts do not all validate.
        return Finding::note(
            Code::Tautology,
            format!("the schema of `{name}` already sees to this"),
            "the rule stays, in case calls are not validated",
        );
    }
    Finding::strip(
        Code::UnsatisfiableDomain,
        name,
        format!("the rule can never fire at `{name}`{}", because(verdict)),
    )
}

fn because(verdict: &Verdict) -> String {
    let decided: Vec<String> = verdict
        .decided
        .iter()
        .map(|(atom, truth)| {
            let always = if *truth {
                "always holds"
            } else {
                "can never hold"
            };
            let atom: &Atom = atom;
            format!("`{atom}` {always}")
        })
        .collect();
    if decided.is_empty() {
        String::new()
    } else {
        format!(": by the schema {}", decided.join(" and "))
    }
}
