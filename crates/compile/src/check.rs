//! Rule files: the same resolve and verify as for a policy, and no vote.
//!
//! People wrote these rules, so each stays whole and keeps its id, and every
//! finding points at the words that it is about.

use crate::finding::{Finding, Origin};
use crate::part::Scope;
use crate::resolve::resolve;
use crate::seal::{self, Unnamed, clause_ref};
use crate::verify::{Verified, Verifier};
use lictor_contract::catalog::{Catalog, sha256};
use lictor_contract::contract::ClauseRef;
use lictor_contract::diagnostic::{Code, Diagnostic, Label};
use lictor_contract::library::{Library, Provenance, Settings};
use lictor_contract::predicate::ToolPattern;
use lictor_contract::rule::{Body, Rule};
use lictor_contract::rule_file::{Expectation, RuleEntry, read_rule_file};
use lictor_contract::rule_text::Place;
use lictor_contract::source::{Lines, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What a check of a rule file gives.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What survived, sealed; none if nothing did.
    pub library: Option<Library>,
    /// Findings in order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// Rules that the file lists, faulty ones included.
    pub rules: usize,
    /// What the file expects of its rules, without the faulty ones.
    pub expectations: Vec<Expectation>,
}

/// Verifies the rules of a file and seals what survives. Each setting in the file
/// wins over the given one. The file's overlay is for the caller to lay over the
/// catalog before, and its expectations are for the caller to try.
///
/// # Errors
/// One sentence if the text is no rule file at all.
pub fn check(rules: &Source, catalog: &Catalog, settings: &Settings) -> Result<Checked, String> {
    let (file, mut diagnostics) = read_rule_file(rules)?;
    diagnostics.extend(catalog.findings());
    let settings = &file.settings.over(settings);
    let none = BTreeSet::new();
    let mut verifier = Verifier::new(catalog, &none);
    let mut contracts = Vec::new();
    for entry in &file.entries {
        let origin = origin(entry, rules);
        let (verified, findings) = judge(&origin, entry, catalog, &mut verifier);
        diagnostics.extend(
            findings
                .iter()
                .map(|finding| diagnostic(finding, entry, rules)),
        );
        for (index, unnamed) in verified
            .iter()
            .flat_map(|part| unnamed(part, entry, rules))
            .enumerate()
        {
            let id = match index {
                0 => entry.id.clone(),
                more => format!("{}.{}", entry.id, more + 1),
            };
            contracts.push(seal::contract(id, &unnamed, settings));
        }
    }
    diagnostics.sort_by_key(|found| found.labels.first().map(|label| label.range.start));
    let library = if contracts.is_empty() {
        diagnostics.push(
            Diagnostic::new(
                Code::EmptyLibrary,
                "no rule is usable, so nothing would be enforced",
            )
            .help("a rule file needs at least one sound rule under `contracts`")
            .at(Label::new(rules.name(), 0..0)),
        );
        None
    } else {
        let provenance = Provenance {
            source: seal::file_name(rules),
            sha256: sha256(rules.text()),
            ..Provenance::default()
        };
        Some(seal::library(
            provenance,
            catalog,
            settings,
            contracts,
            Vec::new(),
        ))
    };
    Ok(Checked {
        library,
        diagnostics,
        rules: file.given,
        expectations: file.expectations,
    })
}

fn origin(entry: &RuleEntry, rules: &Source) -> Origin {
    let line = rules.position(entry.id_range.start).line;
    Origin {
        id: entry.id.clone(),
        file: rules.name().to_owned(),
        range: entry.id_range.clone(),
        lines: Lines {
            first: line,
            last: line,
        },
        says: entry.says.clone(),
        section: 0,
        sample: 0,
    }
}

/// The verified parts of an entry, and everything that was found.
fn judge(
    origin: &Origin,
    entry: &RuleEntry,
    catalog: &Catalog,
    verifier: &mut Verifier<'_>,
) -> (Vec<Verified>, BTreeSet<Finding>) {
    let whole = |body: &Body| vec![body.clone()];
    let resolved = match resolve(origin.clone(), &entry.rule, catalog, whole) {
        Ok(resolved) => resolved,
        Err(unresolved) => return (Vec::new(), unresolved.findings.into_iter().collect()),
    };
    let mut findings: BTreeSet<Finding> = resolved.findings.into_iter().collect();
    let mut verified = Vec::new();
    for part in &resolved.parts {
        match verifier.verify(origin, part) {
            Ok(part) => {
                findings.extend(part.findings().iter().cloned());
                verified.push(part);
            }
            Err(rejected) => findings.extend(rejected.findings),
        }
    }
    (verified, findings)
}

/// The contracts of a verified part: one, or one for each form that a repair of
/// single tools left it in.
fn unnamed(verified: &Verified, entry: &RuleEntry, rules: &Source) -> Vec<Unnamed> {
    let mut forms: Vec<(Body, BTreeSet<String>)> = Vec::new();
    let mut whole = Vec::new();
    let for_each = &verified.part().for_each;
    match &verified.part().scope {
        Scope::Whole(rule) => whole.push(Rule {
            for_each: for_each.clone(),
            ..(**rule).clone()
        }),
        Scope::Each(bodies) => {
            for (tool, body) in bodies {
                match forms.iter_mut().find(|(form, _)| form == body) {
                    Some((_, tools)) => {
                        tools.insert(tool.clone());
                    }
                    None => forms.push((body.clone(), BTreeSet::from([tool.clone()]))),
                }
            }
        }
    }
    whole.extend(forms.into_iter().filter_map(|(body, tools)| {
        Some(Rule {
            tools: ToolPattern::tools(tools)?,
            body,
            for_each: for_each.clone(),
        })
    }));
    whole
        .into_iter()
        .map(|rule| Unnamed {
            rule,
            strategy: entry.strategy.clone(),
            clauses: vec![clause(verified.origin(), entry, rules)],
            says: entry.says.clone(),
            samples: 0,
            votes: Vec::new(),
            candidates: Vec::new(),
            repairs: seal::repairs(verified.findings()),
        })
        .collect()
}

/// The clause that the entry names, or else the entry itself.
fn clause(origin: &Origin, entry: &RuleEntry, rules: &Source) -> ClauseRef {
    match &entry.clause {
        Some(clause) => clause_ref(clause.lines, clause.text.as_deref().unwrap_or(&entry.says)),
        None if entry.says.is_empty() => clause_ref(
            origin.lines,
            rules
                .line_text(origin.lines.first, origin.lines.last)
                .trim(),
        ),
        None => clause_ref(origin.lines, &entry.says),
    }
}

/// The finding at the words that it is about, or else at the rule's id.
fn diagnostic(finding: &Finding, entry: &RuleEntry, rules: &Source) -> Diagnostic {
    let range = words(finding, entry, rules).unwrap_or_else(|| entry.id_range.clone());
    Diagnostic::new(finding.code, finding.message.clone())
        .weighing(finding.severity)
        .help(finding.help())
        .about(entry.id.clone())
        .at(Label::new(rules.name(), range))
}

/// Most places of a rule that are searched for the words of a finding. Finding
/// each of them walks over the rule's text.
const MOST_PLACES: usize = 200;

/// Where the rule says what the finding quotes. Messages name the culprit last
/// ('`cancel` has no argument `total`'), and what they quote is written in the
/// rule as it is, but for loosely spelled names and for terms that have a name:
/// then the condition is pointed at in which it stands once written out.
fn words(finding: &Finding, entry: &RuleEntry, rules: &Source) -> Option<Range<usize>> {
    let quoted: Vec<&str> = finding.message.split('`').skip(1).step_by(2).collect();
    if quoted.is_empty() {
        return None;
    }
    let mut places: BTreeMap<usize, Range<usize>> = BTreeMap::new();
    let located = entry.spans.places().take(MOST_PLACES);
    for range in located.map(|place| entry.locate(rules, place)) {
        places.entry(range.start).or_insert(range);
    }
    let written_out: Vec<(String, &Place)> = entry
        .spans
        .atoms
        .iter()
        .take(MOST_PLACES)
        .map(|(atom, place)| (atom.to_string(), place))
        .collect();
    quoted.into_iter().rev().find_map(|word| {
        let as_written = places.values().find_map(|range| {
            let at = whole_word(rules.text().get(range.clone())?, word)?;
            let start = range.start + at;
            Some(start..start + word.len())
        });
        as_written.or_else(|| {
            let holds = |(text, _): &&(String, &Place)| whole_word(text, word).is_some();
            let (_, place) = written_out.iter().find(holds)?;
            Some(entry.locate(rules, place))
        })
    })
}

/// Where `word` stands in `text`, not as a part of a longer name.
fn whole_word(text: &str, word: &str) -> Option<usize> {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let free = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + word.len()..)
            .and_then(|after| after.chars().next());
        !part(before) && !part(after)
    };
    text.match_indices(word)
        .map(|(at, _)| at)
        .find(|at| !word.is_empty() && free(*at))
}

#[cfg(test)]
mod tests;
