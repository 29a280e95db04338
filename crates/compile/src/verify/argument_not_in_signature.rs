//! `argument-not-in-signature`: a rule reads an argument that its tool does not
//! have, or counts or sums by what the counted calls do not carry.

use super::strip_or_reject;
use crate::described;
use crate::finding::Finding;
use crate::names::{near, quoted};
use crate::occurrence::{Occurrence, occurrences, signed};
use crate::part::Part;
use crate::reads::reads;
use crate::schema;
use lictor_contract::catalog::{Catalog, Tool};
use lictor_contract::diagnostic::Code;
use lictor_contract::language::nearest;
use lictor_contract::predicate::{Atom, Count, EventPredicate, Name, Term, ToolEvent};
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
                for message in defects(&occurrence, catalog) {
                    findings.insert(strip_or_reject(
                        Code::ArgumentNotInSignature,
                        bound,
                        message,
                        "read an argument that the tool has",
                    ));
                }
            }
        }
    }
    findings.into_iter().collect()
}

fn defects(occurrence: &Occurrence, catalog: &Catalog) -> Vec<String> {
    let mut found = Vec::new();
    let atom = &occurrence.sign.atom;
    for read in reads(atom) {
        for tool in occurrence
            .context
            .argument_tools()
            .filter_map(|name| catalog.get(name))
        {
            if let Some(missing) = schema::reach(tool, &read.path).missing {
                let top = read.path.head() == Some(missing.as_str());
                found.push(no_argument(tool, &missing, top));
            }
        }
    }
    for term in atom.all_terms() {
        if let Some(count) = term.counted() {
            found.extend(uncounted_keys(count, catalog));
        }
        if let Term::Total(count, amount) = term {
            found.extend(unsummed(count, amount, catalog));
        }
    }
    found
}

/// What is summed although a counted tool does not have it. One call of that
/// tool would leave the sum unknown for the rest of the session.
fn unsummed(count: &Count, amount: &Term, catalog: &Catalog) -> Vec<String> {
    let EventPredicate::Tool(_, pattern) = &count.event else {
        return Vec::new();
    };
    // The amount as an atom, so that it is read in the same way.
    let reads = reads(&Atom::Known(amount.clone()));
    let tools = pattern.names().filter_map(|name| catalog.get(name));
    tools
        .flat_map(|tool| {
            let missing = reads.iter().filter_map(|read| {
                let missing = schema::reach(tool, &read.path).missing?;
                let top = read.path.head() == Some(missing.as_str());
                Some(format!(
                    "{}, and the rule sums it",
                    no_argument(tool, &missing, top)
                ))
            });
            missing.collect::<Vec<_>>()
        })
        .collect()
}

fn no_argument(tool: &Tool, missing: &str, top: bool) -> String {
    if !top {
        return format!("the argument of `{}` has no field `{missing}`", tool.id);
    }
    let nearest = nearest(missing, tool.parameters.keys().map(String::as_str)).map(str::to_owned);
    format!(
        "`{}` has no argument `{missing}`{}",
        tool.id,
        near(&nearest)
    )
}

/// Whether the tool's answer may have the field. Where nobody says anything of
/// its answers, it may.
fn may_answer(catalog: &Catalog, tool: &Tool, key: &str) -> bool {
    let fields = described::fields(catalog, tool);
    fields.is_empty() || fields.contains(key)
}

/// Keys that none of the counted tools takes as an argument. A count of calls
/// has nothing else to look at; a count of returns may also find the key in the
/// result, which a catalog seldom declares.
fn uncounted_keys(count: &Count, catalog: &Catalog) -> Vec<String> {
    let EventPredicate::Tool(event, pattern) = &count.event else {
        let keys = count.keys.iter().map(|key| match &key.name {
            Name::Known(name) | Name::Placeholder(name) => name,
        });
        return keys
            .map(|key| {
                format!(
                    "`{}` is a turn, and turns carry no `{key}` to count by",
                    count.event
                )
            })
            .collect();
    };
    let tools: Vec<&Tool> = pattern
        .names()
        .filter_map(|name| catalog.get(name))
        .collect();
    let has = |key: &str, tool: &Tool| {
        tool.open
            || tool.parameters.contains_key(key)
            || (*event != ToolEvent::Call && may_answer(catalog, tool, key))
    };
    count
        .keys
        .iter()
        .filter_map(|key| match &key.name {
            Name::Known(name) => Some(name),
            Name::Placeholder(_) => None,
        })
        .filter(|key| !tools.is_empty() && !tools.iter().any(|tool| has(key, tool)))
        .map(|key| {
            let names = quoted(tools.iter().map(|tool| tool.id.as_str()));
            format!("calls of {names} carry no `{key}` to count by")
        })
        .collect()
}
