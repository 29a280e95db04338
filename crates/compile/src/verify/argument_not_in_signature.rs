//! `argument-not-in-signature`: a rule reads an argument that its tool does not
//! have, or asks for a key that the counted calls do not carry.

use super::strip_or_reject;
use crate::described;
use crate::finding::Finding;
use crate::names::{near, quoted};
use crate::occurrence::{Occurrence, occurrences, signed};
use crate::part::Part;
use crate::schema;
use lictor_contract::catalog::{Catalog, Tool};
use lictor_contract::diagnostic::Code;
use lictor_contract::language::nearest;
use lictor_contract::predicate::{Count, EventPredicate, Name, Term, ToolEvent};
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
    for term in occurrence.sign.atom.all_terms() {
        match term {
            Term::Arg(path) => {
                for tool in occurrence
                    .context
                    .argument_tools()
                    .filter_map(|name| catalog.get(name))
                {
                    if let Some(missing) = schema::reach(tool, path).missing {
                        found.push(no_argument(
                            tool,
                            &missing,
                            path.head() == Some(missing.as_str()),
                        ));
                    }
                }
            }
            Term::Count(count) => found.extend(uncounted_keys(count, catalog)),
            _ => {}
        }
    }
    found
}

fn no_argument(tool: &Tool, missing: &str, top: bool) -> String {
    if !top {
        return format!("the argument of `{}` has no field `{missing}`", tool.name);
    }
    let nearest = nearest(missing, tool.parameters.keys().map(String::as_str)).map(str::to_owned);
    format!(
        "`{}` has no argument `{missing}`{}",
        tool.name,
        near(&nearest)
    )
}

/// Keys that none of the counted tools takes as an argument. A count of calls
/// has nothing else to look at; a count of returns may also find the key in the
/// result, which a catalog seldom declares.
fn uncounted_keys(count: &Count, catalog: &Catalog) -> Vec<String> {
    let EventPredicate::Tool(event, pattern) = &count.event else {
        return Vec::new();
    };
    let tools: Vec<&Tool> = pattern
        .names()
        .filter_map(|name| catalog.get(name))
        .collect();
    let has = |key: &str, tool: &Tool| {
        tool.open
            || tool.parameters.contains_key(key)
            || (*event != ToolEvent::Call && described::fields(catalog, tool).contains(key))
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
            let names = quoted(tools.iter().map(|tool| tool.name.as_str()));
            format!("calls of {names} carry no `{key}` to count by")
        })
        .collect()
}
