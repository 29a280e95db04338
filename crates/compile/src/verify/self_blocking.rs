//! `self-blocking`: a rule guards every tool that could satisfy it (NOMOS,
//! Figure 3).
//!
//! The tools that can ever be called are a least fixpoint: first those that the
//! rule does not guard, then those whose demand can be met with facts of tools
//! already found. A guarded tool outside the fixpoint can never be called. The
//! repair frees the tools that the demand waits for and keeps it on the others.
//!
//! A deadlock of the second order is one tool further away: the verification is
//! free, but the number it needs comes only from a look-up that waits for the
//! verification. That is read off descriptions, so a tool is freed for it only
//! if it is not declared to change anything, and otherwise just reported.

use crate::finding::Finding;
use crate::names::quoted;
use crate::occurrence::{Signed, signed};
use crate::part::{Part, demand};
use crate::supply::{awaited, possible, sources};
use lictor_contract::catalog::{Catalog, Effect, Tool};
use lictor_contract::diagnostic::{Code, Severity};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(part: &Part, catalog: &Catalog) -> Vec<Finding> {
    let mut guards: BTreeMap<String, Signed> = BTreeMap::new();
    for (tool, rule) in part.rules() {
        let (Some(tool), Some(demand)) = (tool, demand(&rule)) else {
            continue;
        };
        if let Ok(demand) = signed(&demand) {
            // A ban blocks on purpose.
            if demand != Signed::False {
                guards.insert(tool.to_owned(), demand);
            }
        }
    }
    let mut findings = Vec::new();
    let mut freed = BTreeSet::new();
    loop {
        let callable = callable(&guards, catalog);
        let stuck: Vec<&String> = guards
            .keys()
            .filter(|tool| !callable.contains(*tool))
            .collect();
        if stuck.is_empty() {
            break;
        }
        let awaited: BTreeSet<String> = stuck
            .iter()
            .filter_map(|tool| guards.get(*tool))
            .flat_map(|demand| awaited(demand, &callable))
            .filter(|tool| guards.contains_key(tool))
            .collect();
        if awaited.is_empty() {
            break;
        }
        for tool in awaited {
            guards.remove(&tool);
            findings.push(Finding::strip(
                Code::SelfBlocking,
                &tool,
                format!("the rule blocks `{tool}`, which it waits for itself"),
            ));
            freed.insert(tool);
        }
    }
    if !freed.is_empty() {
        second_order(&mut guards, &freed, catalog, &mut findings);
    }
    if guards.is_empty() && !freed.is_empty() {
        return vec![Finding::reject(
            Code::SelfBlocking,
            format!(
                "the rule waits for {}, and guards nothing else",
                quoted(&freed)
            ),
            "name the tools that must wait",
        )];
    }
    findings
}

/// The tools that can ever be called while only these guards stand.
fn callable(guards: &BTreeMap<String, Signed>, catalog: &Catalog) -> BTreeSet<String> {
    let mut callable: BTreeSet<String> = catalog
        .tool_ids()
        .filter(|name| !guards.contains_key(*name))
        .map(str::to_owned)
        .collect();
    loop {
        let more: Vec<String> = guards
            .iter()
            .filter(|(tool, demand)| !callable.contains(*tool) && possible(demand, &callable))
            .map(|(tool, _)| tool.clone())
            .collect();
        if more.is_empty() {
            return callable;
        }
        callable.extend(more);
    }
}

/// Frees the look-ups without which a freed tool lacks a required argument.
fn second_order(
    guards: &mut BTreeMap<String, Signed>,
    freed: &BTreeSet<String>,
    catalog: &Catalog,
    findings: &mut Vec<Finding>,
) {
    let mut open: Vec<String> = freed.iter().cloned().collect();
    while let Some(tool) = open.pop().and_then(|name| catalog.get(&name)) {
        let required = tool
            .parameters
            .iter()
            .filter(|(_, parameter)| parameter.required);
        for (argument, _) in required {
            let sources = sources(catalog, argument);
            if sources
                .iter()
                .any(|source| !guards.contains_key(&source.id))
            {
                continue;
            }
            let Some(source) = sources.first() else {
                continue;
            };
            findings.push(second_order_finding(tool, argument, source));
            if source.effect != Some(Effect::Write) {
                guards.remove(&source.id);
                open.push(source.id.clone());
            }
        }
    }
}

fn second_order_finding(tool: &Tool, argument: &str, source: &Tool) -> Finding {
    let message = format!(
        "`{}` needs `{argument}`, which `{}` returns, and the rule blocks that too",
        tool.id, source.id
    );
    if source.effect == Some(Effect::Write) {
        let mut finding = Finding::note(
            Code::SelfBlocking,
            message,
            "it changes something, so the rule still guards it; see whether the user can give the value",
        );
        finding.severity = Severity::Warning;
        finding
    } else {
        Finding::strip(Code::SelfBlocking, &source.id, message)
    }
}
