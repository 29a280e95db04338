//! Seal: turns verified, voted rules into contracts and a library.

use crate::finding::{Finding, Remedy};
use crate::meaning::{canonical, counterexample, letter_text, witness};
use crate::vote::Group;
use lictor_contract::catalog::{Catalog, sha256};
use lictor_contract::contract::{BindingVotes, ClauseRef, Contract, Evidence, Strategy};
use lictor_contract::language::print_formula;
use lictor_contract::library::{CoverageRow, FORMAT, Library, Provenance, Settings, ToolRecord};
use lictor_contract::predicate::{Atom, EventPredicate, Formula, ToolEvent, ToolPattern};
use lictor_contract::rule::{Obligation, Rule, steps_on};
use lictor_contract::source::{Lines, Source};
use std::collections::{BTreeMap, BTreeSet};

/// A contract in the making: everything but its id.
#[derive(Clone, Debug)]
pub struct Unnamed {
    /// The rule over all its tools.
    pub rule: Rule,
    /// What to do on a refusal.
    pub strategy: Strategy,
    /// The clauses it rests on, in order; the first is quoted in refusals.
    pub clauses: Vec<ClauseRef>,
    /// What it says, in words.
    pub says: String,
    /// Readable samples of its section; 0 for a rule written by hand.
    pub samples: u32,
    /// Votes of each binding.
    pub votes: Vec<BindingVotes>,
    /// The candidates behind it.
    pub candidates: Vec<String>,
    /// What was repaired.
    pub repairs: Vec<String>,
}

/// A clause reference to a text.
pub fn clause_ref(lines: Lines, text: &str) -> ClauseRef {
    ClauseRef {
        lines,
        sha256: sha256(text),
        text: text.to_owned(),
    }
}

/// The repairs among findings, one sentence each.
pub fn repairs<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<String> {
    let sentences: BTreeSet<String> = findings
        .into_iter()
        .filter(|finding| matches!(finding.remedy, Remedy::Strip(_) | Remedy::Guard(..)))
        .map(|finding| {
            format!(
                "{}: {}; {}",
                finding.code.name(),
                finding.message,
                finding.done
            )
        })
        .collect();
    sentences.into_iter().collect()
}

/// The votes of a group's bindings; a rule that stands as a whole lends its
/// votes to each of its tools.
pub fn binding_votes(group: &Group) -> Vec<BindingVotes> {
    group
        .ballots
        .iter()
        .flat_map(|ballot| {
            let tools: Vec<String> = match &ballot.tool {
                Some(tool) => vec![tool.clone()],
                None => group.rule.tools.names().map(str::to_owned).collect(),
            };
            tools.into_iter().map(|tool| BindingVotes {
                tool,
                votes: ballot.votes,
            })
        })
        .collect()
}

/// Finishes a contract.
pub fn contract(id: String, unnamed: &Unnamed, settings: &Settings) -> Contract {
    let obligation = unnamed.rule.obligation(settings.confirmation);
    let bindings: Vec<String> = unnamed.rule.tools.names().map(str::to_owned).collect();
    let (meaning, states) = meaning_hash(&obligation, &bindings, &unnamed.strategy);
    let lines = |trace: Option<Vec<_>>| -> Vec<String> {
        trace.unwrap_or_default().iter().map(letter_text).collect()
    };
    let kept = Formula::and([
        obligation.guarantee.clone(),
        Formula::eventually(call(&unnamed.rule.tools)),
    ]);
    Contract {
        id,
        kind: unnamed.rule.body.kind(),
        clauses: unnamed.clauses.clone(),
        bindings,
        for_each: obligation.for_each.clone(),
        assumption: print_formula(&obligation.assumption),
        guarantee: print_formula(&obligation.guarantee),
        steps_on: steps_on(&obligation),
        strategy: unnamed.strategy.clone(),
        says: unnamed.says.clone(),
        meaning,
        evidence: Evidence {
            samples: unnamed.samples,
            votes: unnamed.votes.clone(),
            candidates: unnamed.candidates.clone(),
            repairs: unnamed.repairs.clone(),
            states,
            witness: lines(witness(&kept).unwrap_or(None)),
            counterexample: lines(counterexample(&obligation.guarantee).unwrap_or(None)),
        },
    }
}

/// The hash over what a contract means, and the states of its guarantee's automaton.
pub fn meaning_hash(
    obligation: &Obligation,
    bindings: &[String],
    strategy: &Strategy,
) -> (String, u32) {
    // Verify has built these automata; were one too large after all, its text
    // stands in for it, which still tells different contracts apart.
    let automaton =
        |formula: &Formula| canonical(formula).unwrap_or_else(|_| (print_formula(formula), 0));
    let (assumption, _) = automaton(&obligation.assumption);
    let (guarantee, states) = automaton(&obligation.guarantee);
    // A name is printed in quotes, so that no two lists give one text.
    let instances = match obligation.for_each.as_slice() {
        [] => String::new(),
        names => format!("\nfor each {names:?}"),
    };
    let hash = sha256(&format!(
        "{assumption}\n{guarantee}\n{}\n{:?}\n{strategy:?}{instances}",
        bindings.join("|"),
        steps_on(obligation),
    ));
    (hash, u32::try_from(states).unwrap_or(u32::MAX))
}

fn call(tools: &ToolPattern) -> Formula {
    Formula::Atom(Atom::Event(EventPredicate::Tool(
        ToolEvent::Call,
        tools.clone(),
    )))
}

/// The letters that contract ids begin with: the first three of the file's name.
pub fn prefix(source: &Source) -> String {
    let name = source.name();
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.split('.').next().unwrap_or(file);
    let letters: String = stem
        .chars()
        .filter(char::is_ascii_alphabetic)
        .take(3)
        .collect();
    if letters.is_empty() {
        "RUL".to_owned()
    } else {
        letters.to_ascii_uppercase()
    }
}

/// The name of a source without its folder.
pub fn file_name(source: &Source) -> String {
    let name = source.name();
    name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned()
}

/// Puts a library together and seals it.
pub fn library(
    provenance: Provenance,
    catalog: &Catalog,
    settings: &Settings,
    contracts: Vec<Contract>,
    coverage: Vec<CoverageRow>,
) -> Library {
    let tools: BTreeMap<String, ToolRecord> = catalog
        .tools()
        .map(|tool| {
            let parameters = tool.parameters.iter();
            let record = ToolRecord {
                fingerprint: tool.fingerprint.clone(),
                effect: tool.effect,
                server: tool.server.clone(),
                name: (tool.name != tool.id).then(|| tool.name.clone()),
                aliases: tool.aliases.clone(),
                trusted: tool.trusted,
                results: tool.results.clone(),
                shape: tool.shape.clone(),
                parameters: parameters
                    .map(|(name, parameter)| (name.clone(), parameter.record()))
                    .collect(),
            };
            (tool.id.clone(), record)
        })
        .collect();
    Library {
        lictor: FORMAT,
        provenance,
        tools,
        entities: catalog.entities.clone(),
        ids: catalog.ids.clone(),
        settings: settings.clone(),
        contracts,
        coverage,
        digest: String::new(),
    }
    .with_digest()
}

/// The key by which contracts are put in order: clause, kind, tools, meaning.
pub fn order(unnamed: &Unnamed) -> impl Ord + use<> {
    let first = unnamed.clauses.first();
    (
        first.map(|clause| (clause.lines, clause.text.clone())),
        unnamed.rule.body.kind(),
        unnamed.rule.clone(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_begin_with_the_name_of_the_file() {
        let check =
            |name: &str, expected: &str| assert_eq!(prefix(&Source::new(name, "")), expected);
        check("policies/order-desk.md", "ORD");
        check("a-b.md", "AB");
        check("7.md", "RUL");
    }
}
