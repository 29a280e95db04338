//! Resolve: grounds every name of a rule in the tool catalog and splits the
//! rule into independent parts.
//!
//! After this pass no placeholder and no class is left, so the automata see
//! plain tool names. A class stands for the tools that the catalog has now: a
//! tool that is added later is refused as unlisted until the policy is
//! compiled again, so nothing slips past a rule about 'any tool'.

mod ground;

use crate::finding::{Finding, Origin, Remedy};
use crate::instances;
use crate::names::{Match, find_tool, near, quoted};
use crate::part::{Part, Scope, as_gate, is_divisible};
use ground::Grounder;
use lictor_contract::catalog::{Catalog, Tool};
use lictor_contract::diagnostic::Code;
use lictor_contract::predicate::{Atom, EventPredicate, Name, ToolPattern, ToolRef};
use lictor_contract::rule::{Body, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// Fewer tools than this are guarded by listing them; that is no wildcard.
const SMALL_CATALOG: usize = 4;

/// A rule whose names are the catalog's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Where it comes from.
    pub origin: Origin,
    /// Its independent demands.
    pub parts: Vec<Part>,
    /// What was found on the way, none of it fatal.
    pub findings: Vec<Finding>,
}

/// A rule that could not be grounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// Where it comes from.
    pub origin: Origin,
    /// Why; at least one of the findings rejects it.
    pub findings: Vec<Finding>,
}

/// How the slots of one binding become independent demands.
pub type Split = fn(&Body) -> Vec<Body>;

/// Grounds a rule and splits it.
///
/// # Errors
/// [`Unresolved`] if a name fits nothing or several things.
pub fn resolve(
    origin: Origin,
    rule: &Rule,
    catalog: &Catalog,
    split: Split,
) -> Result<Resolved, Box<Unresolved>> {
    let mut findings = Vec::new();
    let mut scopes = scopes(rule, catalog, split, &mut findings);
    for part in scopes.iter_mut().flatten() {
        part.for_each = instances::ground(&rule.for_each, part, catalog, &mut findings);
    }
    let fatal = findings
        .iter()
        .any(|finding| finding.remedy == Remedy::Reject);
    findings.sort();
    findings.dedup();
    match scopes {
        Some(parts) if !fatal && !parts.is_empty() => Ok(Resolved {
            origin,
            parts,
            findings,
        }),
        _ => {
            let mut findings: Vec<Finding> = findings.into_iter().map(Finding::fatal).collect();
            if !findings
                .iter()
                .any(|finding| finding.remedy == Remedy::Reject)
            {
                findings.push(Finding::reject(
                    Code::UnknownTool,
                    "the rule guards a class of tools that is empty in this catalog",
                    "name tools of the catalog, or give them their effect class",
                ));
            }
            Err(Box::new(Unresolved { origin, findings }))
        }
    }
}

fn scopes(
    rule: &Rule,
    catalog: &Catalog,
    split: Split,
    findings: &mut Vec<Finding>,
) -> Option<Vec<Part>> {
    if let Body::Formula { .. } = rule.body {
        let tools = spoken_of(&rule.body);
        let body = Grounder::new(catalog, known(catalog, &expand(&tools, catalog)), findings)
            .body(&rule.body)?;
        let grounded = Rule {
            tools: rule.tools.clone(),
            body,
            for_each: Vec::new(),
        };
        if let Some(gate) = as_gate(&grounded) {
            let wildcard = is_wildcard(&tools, catalog);
            return each(&gate, wildcard, catalog, split, findings);
        }
        let guarded = guarded_tools(&rule.tools, catalog, findings);
        return Some(vec![Part {
            scope: Scope::Whole(Box::new(Rule {
                tools: ToolPattern::tools(guarded)?,
                body: grounded.body,
                for_each: Vec::new(),
            })),
            wildcard: false,
            for_each: Vec::new(),
        }]);
    }
    let wildcard = is_wildcard(rule.tools.alternatives(), catalog);
    if is_divisible(&rule.body) {
        return each(rule, wildcard, catalog, split, findings);
    }
    let guarded = guarded_tools(&rule.tools, catalog, findings);
    let tools = spoken_of(&rule.body);
    let body = Grounder::new(catalog, known(catalog, &expand(&tools, catalog)), findings)
        .body(&rule.body)?;
    Some(vec![Part {
        scope: Scope::Whole(Box::new(Rule {
            tools: ToolPattern::tools(guarded)?,
            body,
            for_each: Vec::new(),
        })),
        wildcard,
        for_each: Vec::new(),
    }])
}

/// Grounds the slots once for each guarded tool, and splits them.
fn each(
    rule: &Rule,
    wildcard: bool,
    catalog: &Catalog,
    split: Split,
    findings: &mut Vec<Finding>,
) -> Option<Vec<Part>> {
    let mut parts: Vec<BTreeMap<String, Body>> = Vec::new();
    for name in guarded_tools(&rule.tools, catalog, findings) {
        let Some(tool) = catalog.get(&name) else {
            continue;
        };
        // A trigger reads the arguments of its own event, a demand those of the call.
        let read = match rule.body {
            Body::AbsenceAfter { .. } => known(catalog, &expand(&spoken_of(&rule.body), catalog)),
            _ => vec![tool],
        };
        let Some(body) = Grounder::new(catalog, read, findings).body(&rule.body) else {
            continue;
        };
        // All bodies come from the same slots, so they split alike.
        for (index, part) in split(&body).into_iter().enumerate() {
            if parts.len() <= index {
                parts.push(BTreeMap::new());
            }
            if let Some(bodies) = parts.get_mut(index) {
                bodies.insert(name.clone(), part);
            }
        }
    }
    let parts: Vec<Part> = parts
        .into_iter()
        .map(|bodies| Part {
            scope: Scope::Each(bodies),
            wildcard,
            for_each: Vec::new(),
        })
        .collect();
    (!parts.is_empty()).then_some(parts)
}

/// The guarded tools by name. A name that the catalog does not have is
/// reported and left out; an ambiguous one rejects the rule.
fn guarded_tools(
    pattern: &ToolPattern,
    catalog: &Catalog,
    findings: &mut Vec<Finding>,
) -> BTreeSet<String> {
    let mut tools = BTreeSet::new();
    for alternative in pattern.alternatives() {
        match alternative {
            ToolRef::Tool(name) => match find_tool(name, catalog) {
                Match::Found(found) => {
                    tools.insert(found);
                }
                Match::Ambiguous(several) => findings.push(ambiguous(name, &several)),
                Match::Unknown(nearest) => {
                    let text = shown(name);
                    findings.push(
                        Finding::new(
                            Code::UnknownTool,
                            Remedy::Strip(BTreeSet::from([text.clone()])),
                            format!("the catalog has no tool `{text}`{}", near(&nearest)),
                            "",
                        )
                        .with_done("the rule does not guard it"),
                    );
                }
            },
            class => {
                unclassed_notes(class, catalog, findings);
                tools.extend(members(class, catalog).map(|tool| tool.id.clone()));
            }
        }
    }
    tools
}

/// The tools of a class.
fn members<'a>(class: &'a ToolRef, catalog: &'a Catalog) -> impl Iterator<Item = &'a Tool> {
    catalog.tools().filter(move |tool| match class {
        ToolRef::Read => !tool.is_write(),
        ToolRef::Write => tool.is_write(),
        ToolRef::Any => true,
        ToolRef::Tool(name) => matches!(name, Name::Known(name) if *name == tool.id),
    })
}

fn unclassed_notes(class: &ToolRef, catalog: &Catalog, findings: &mut Vec<Finding>) {
    if !matches!(class, ToolRef::Read | ToolRef::Write) {
        return;
    }
    let unclassed: Vec<&str> = catalog
        .tools()
        .filter(|tool| tool.effect.is_none())
        .map(|tool| tool.id.as_str())
        .collect();
    if !unclassed.is_empty() {
        findings.push(Finding::note(
            Code::UnclassedTool,
            format!(
                "{} has no effect class and counts as a write",
                quoted(unclassed)
            ),
            "add `\"x-write\": false` to the catalog entry of a tool that changes nothing",
        ));
    }
    hinted_notes(catalog, findings);
}

/// A class that only a tool's own server vouches for is worth a second look: it
/// takes the tool out of every rule about writes.
fn hinted_notes(catalog: &Catalog, findings: &mut Vec<Finding>) {
    let hinted: Vec<&str> = catalog
        .tools()
        .filter(|tool| tool.hinted && !tool.is_write())
        .map(|tool| tool.id.as_str())
        .collect();
    if !hinted.is_empty() {
        findings.push(Finding::note(
            Code::UnclassedTool,
            format!(
                "{} counts as a read because its own server says so",
                quoted(hinted)
            ),
            "give it its `effect` in an overlay file once you know that the server is right",
        ));
    }
}

fn ambiguous(name: &Name, several: &[String]) -> Finding {
    Finding::reject(
        Code::AmbiguousTool,
        format!("`{}` fits {}", shown(name), quoted(several)),
        "name the one that is meant",
    )
}

/// A name as the author wrote it.
fn shown(name: &Name) -> String {
    match name {
        Name::Known(text) => text.clone(),
        Name::Placeholder(text) => format!("?{text}"),
    }
}

fn is_wildcard<'a>(tools: impl IntoIterator<Item = &'a ToolRef>, catalog: &Catalog) -> bool {
    let tools: Vec<&ToolRef> = tools.into_iter().collect();
    let all = catalog.tools().count();
    tools.contains(&&ToolRef::Any) || (all >= SMALL_CATALOG && expand(tools, catalog).len() == all)
}

fn expand<'a>(tools: impl IntoIterator<Item = &'a ToolRef>, catalog: &Catalog) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for tool in tools {
        match tool {
            ToolRef::Tool(name) => {
                if let Match::Found(found) = find_tool(name, catalog) {
                    names.insert(found);
                }
            }
            class => names.extend(members(class, catalog).map(|tool| tool.id.clone())),
        }
    }
    names
}

fn known<'a>(catalog: &'a Catalog, names: &BTreeSet<String>) -> Vec<&'a Tool> {
    names.iter().filter_map(|name| catalog.get(name)).collect()
}

/// The tools whose events the slots speak of: those that `arg` may read.
fn spoken_of(body: &Body) -> BTreeSet<ToolRef> {
    let formulas = match body {
        Body::Formula {
            assumption,
            guarantee,
        } => vec![assumption, guarantee],
        Body::Response { trigger }
        | Body::ImmediateResponse { trigger }
        | Body::AbsenceAfter { trigger } => vec![trigger],
        _ => Vec::new(),
    };
    let mut tools = BTreeSet::new();
    for formula in formulas {
        for atom in formula.atoms() {
            if let Atom::Event(EventPredicate::Tool(_, pattern)) = atom {
                tools.extend(pattern.alternatives().cloned());
            }
        }
    }
    tools
}
