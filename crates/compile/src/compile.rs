//! From a draft to a library: the passes in a row, and the account of what each
//! of them did with every candidate.

mod account;

use crate::coverage::{self, ClauseFate, cited, fallen_text};
use crate::finding::{Finding, Origin};
use crate::meaning::meaning;
use crate::part::split;
use crate::report::{
    self, CompileReport, CoverageTotals, ExtractCounts, MinorityRow, VoteCounts, count,
};
use crate::resolve::{Unresolved, resolve};
use crate::seal::{self, Unnamed, clause_ref};
use crate::verify::{Rejected, Verified, Verifier};
use crate::vote::{Group, Majority, Outcome, vote};
use account::{Account, Stage, Track};
use lictor_contract::catalog::{Catalog, sha256};
use lictor_contract::contract::{ClauseRef, Contract, Strategy};
use lictor_contract::diagnostic::{Code, Diagnostic, Label};
use lictor_contract::draft::{Candidate, Draft, SampleOutcome};
use lictor_contract::language::{Mode, print_formula};
use lictor_contract::library::{Library, Provenance, Settings};
use lictor_contract::rule::ConfirmationReading;
use lictor_contract::rule_text::{SlotError, read_rule};
use lictor_contract::source::{Lines, Source};
use lictor_ltlf::TooLarge;
use std::collections::{BTreeMap, BTreeSet};

/// How to compile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Checks that are switched off, for an ablation (NOMOS, Table VIII).
    pub disabled: BTreeSet<Code>,
    /// How many samples must agree.
    pub majority: Majority,
}

/// What a compile gives.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The sealed library; none if no rule survived.
    pub library: Option<Library>,
    /// What each pass did.
    pub report: CompileReport,
    /// Findings in order of the policy.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles a draft against a catalog.
pub fn compile(
    policy: &Source,
    draft: &Draft,
    catalog: &Catalog,
    settings: &Settings,
    options: &Options,
) -> Compiled {
    let samples = coverage::samples(draft);
    let (account, verified) = take_in(policy, draft, catalog, options);
    let outcome = vote(
        &verified,
        &samples,
        catalog,
        settings.confirmation,
        options.majority,
    );
    // Every part was measured before the vote, so this fails only where the
    // check of their size is switched off; then nothing is kept, and it says so.
    let (outcome, failure) = match outcome {
        Ok(outcome) => (outcome, None),
        Err(error) => (Outcome::default(), Some(uncountable(policy, &error))),
    };
    let (unnamed, speakers) = sort_contracts(&outcome, &verified, draft);
    let prefix = seal::prefix(policy);
    let contracts: Vec<Contract> = unnamed
        .iter()
        .enumerate()
        .map(|(index, unnamed)| {
            seal::contract(format!("{prefix}-{:03}", index + 1), unnamed, settings)
        })
        .collect();

    let fates = account.fates(&outcome, &speakers);
    let minority = minority_rows(&outcome, &verified, settings);
    let clause_fates = clause_fates(draft, &account, &outcome, &verified, &contracts);
    let rows = coverage::rows(draft, &clause_fates);
    let mut diagnostics = catalog.findings();
    diagnostics.extend(account.diagnostics(policy, &verified));
    diagnostics.extend(failure);
    diagnostics.extend(minority_diagnostics(&outcome, &minority, &verified));

    let report = CompileReport {
        extract: extract_counts(draft),
        resolve: account.resolve_counts(),
        verify: account.verify_counts(&verified),
        vote: VoteCounts {
            ballots: count(ballots(&outcome.kept) + ballots(&outcome.minority)),
            kept: count(ballots(&outcome.kept)),
            minority: count(ballots(&outcome.minority)),
            contracts: count(contracts.len()),
        },
        outcomes: report::outcomes(&fates, &account.repaired_codes(&verified)),
        actions: account.actions(&verified),
        minority,
        totals: CoverageTotals::of(&rows),
        coverage: rows.clone(),
    };
    let library = if contracts.is_empty() {
        diagnostics.push(empty_library(policy));
        None
    } else {
        let provenance = provenance(policy, draft);
        Some(seal::library(
            provenance, catalog, settings, contracts, rows,
        ))
    };
    Compiled {
        library,
        report,
        diagnostics,
    }
}

/// Resolves and verifies every candidate.
fn take_in(
    policy: &Source,
    draft: &Draft,
    catalog: &Catalog,
    options: &Options,
) -> (Account, Vec<Verified>) {
    let mut verifier = Verifier::new(catalog, &options.disabled);
    let mut account = Account::default();
    let mut verified = Vec::new();
    for candidate in &draft.candidates {
        let origin = origin(candidate, policy);
        let stage = match read_rule(&candidate.rule, Mode::Draft) {
            Err(errors) => Stage::Unreadable(errors.iter().map(unreadable).collect()),
            Ok((rule, _)) => match resolve(origin.clone(), &rule, catalog, split) {
                Err(unresolved) => {
                    let Unresolved { findings, .. } = *unresolved;
                    Stage::Unresolved(findings)
                }
                Ok(resolved) => {
                    let mut parts = Vec::new();
                    for part in &resolved.parts {
                        let result = verifier
                            .verify(&resolved.origin, part)
                            .and_then(|verified| measured(verified, options));
                        parts.push(result.map(|part| {
                            verified.push(part);
                            verified.len() - 1
                        }));
                    }
                    Stage::Verified {
                        findings: resolved.findings,
                        bindings: resolved.parts.iter().map(|part| part.rules().len()).sum(),
                        parts,
                    }
                }
            },
        };
        account.tracks.push(Track { origin, stage });
    }
    (account, verified)
}

fn unreadable(error: &SlotError) -> Finding {
    Finding::reject(
        Code::Syntax,
        format!("in `{}`: {}", error.slot, error.message),
        error.help.clone(),
    )
}

/// A part whose automata cannot be built cannot be voted on or enforced, even
/// if the check that says so is switched off.
fn measured(verified: Verified, options: &Options) -> Result<Verified, Rejected> {
    if options.disabled.contains(&Code::UnsupportedPattern) {
        for (_, rule) in verified.part().rules() {
            if let Err(error) = meaning(&rule.obligation(ConfirmationReading::PerAction)) {
                return Err(Rejected::too_large(&verified, &error));
            }
        }
    }
    Ok(verified)
}

fn origin(candidate: &Candidate, policy: &Source) -> Origin {
    Origin {
        id: candidate.id.clone(),
        file: policy.name().to_owned(),
        range: candidate.citation.range.clone(),
        lines: candidate.citation.lines,
        says: candidate.says.clone(),
        section: candidate.section,
        sample: candidate.sample,
    }
}

/// The kept groups as contracts in order, and the parts in whose words they stand.
fn sort_contracts(
    outcome: &Outcome,
    verified: &[Verified],
    draft: &Draft,
) -> (Vec<Unnamed>, BTreeSet<usize>) {
    let mut speakers = BTreeSet::new();
    let mut unnamed = Vec::new();
    for group in &outcome.kept {
        let Some(speaker) = verified.get(group.representative) else {
            continue;
        };
        speakers.insert(group.representative);
        let parts: Vec<&Verified> = group
            .supporters()
            .into_iter()
            .filter_map(|part| verified.get(part))
            .collect();
        let mut candidates: Vec<String> = Vec::new();
        for part in &parts {
            if !candidates.contains(&part.origin().id) {
                candidates.push(part.origin().id.clone());
            }
        }
        unnamed.push(Unnamed {
            rule: group.rule.clone(),
            strategy: Strategy::default(),
            clauses: clause_refs(&parts, draft),
            says: speaker.origin().says.clone(),
            samples: group
                .ballots
                .iter()
                .map(|ballot| ballot.samples)
                .max()
                .unwrap_or(0),
            votes: seal::binding_votes(group),
            candidates,
            repairs: seal::repairs(parts.iter().flat_map(|part| part.findings())),
        });
    }
    unnamed.sort_by_cached_key(seal::order);
    (unnamed, speakers)
}

/// The clauses that a rule rests on: those that most of its voters cite, or
/// else the one that most do.
fn clause_refs(parts: &[&Verified], draft: &Draft) -> Vec<ClauseRef> {
    let mut voters: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut sections: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for origin in parts.iter().map(|part| part.origin()) {
        sections
            .entry(origin.section)
            .or_default()
            .insert(origin.sample);
        for clause in cited(draft, &origin.range) {
            voters.entry(clause).or_default().insert(origin.sample);
        }
    }
    let of = |clause: usize| {
        draft
            .clauses
            .get(clause)
            .and_then(|clause| sections.get(&clause.section))
            .map_or(0, BTreeSet::len)
    };
    let mut chosen: Vec<usize> = voters
        .iter()
        .filter(|(clause, voters)| voters.len() * 2 > of(**clause))
        .map(|(clause, _)| *clause)
        .collect();
    if chosen.is_empty() {
        let most = voters.values().map(BTreeSet::len).max();
        chosen.extend(
            voters
                .iter()
                .find(|(_, voters)| Some(voters.len()) == most)
                .map(|(clause, _)| *clause),
        );
    }
    let refs: Vec<ClauseRef> = chosen
        .into_iter()
        .filter_map(|clause| draft.clauses.get(clause))
        .map(|clause| clause_ref(clause.lines, &clause.text))
        .collect();
    if !refs.is_empty() {
        return refs;
    }
    // Words between clauses, such as a heading.
    parts
        .first()
        .and_then(|part| {
            draft
                .candidates
                .iter()
                .find(|candidate| candidate.id == part.origin().id)
        })
        .map(|candidate| clause_ref(candidate.citation.lines, &candidate.citation.quote))
        .into_iter()
        .collect()
}

fn ballots(groups: &[Group]) -> usize {
    groups.iter().map(|group| group.ballots.len()).sum()
}

fn minority_rows(
    outcome: &Outcome,
    verified: &[Verified],
    settings: &Settings,
) -> Vec<MinorityRow> {
    let mut rows: Vec<MinorityRow> = outcome
        .minority
        .iter()
        .map(|group| {
            let origins: Vec<&Origin> = group
                .supporters()
                .into_iter()
                .filter_map(|part| verified.get(part).map(Verified::origin))
                .collect();
            MinorityRow {
                lines: origins
                    .first()
                    .map_or(Lines { first: 1, last: 1 }, |origin| origin.lines),
                tools: group.rule.tools.names().map(str::to_owned).collect(),
                guarantee: print_formula(&group.rule.obligation(settings.confirmation).guarantee),
                votes: group
                    .ballots
                    .iter()
                    .map(|ballot| ballot.votes)
                    .max()
                    .unwrap_or(0),
                samples: group
                    .ballots
                    .iter()
                    .map(|ballot| ballot.samples)
                    .max()
                    .unwrap_or(0),
                candidates: origins.iter().map(|origin| origin.id.clone()).collect(),
            }
        })
        .collect();
    rows.sort_by_cached_key(|row| (row.lines, row.tools.clone(), row.guarantee.clone()));
    rows
}

fn minority_diagnostics(
    outcome: &Outcome,
    rows: &[MinorityRow],
    verified: &[Verified],
) -> Vec<Diagnostic> {
    let origins: BTreeMap<&str, &Origin> = outcome
        .minority
        .iter()
        .flat_map(Group::supporters)
        .filter_map(|part| verified.get(part))
        .map(|part| (part.origin().id.as_str(), part.origin()))
        .collect();
    rows.iter()
        .map(|row| {
            let mut diagnostic = Diagnostic::new(
                Code::MinorityRule,
                format!(
                    "{} of {} samples gave the rule `{}`",
                    row.votes, row.samples, row.guarantee
                ),
            )
            .help("it is left out; write it by hand if the clause does mean it");
            for candidate in &row.candidates {
                diagnostic = diagnostic.about(candidate.clone());
            }
            if let Some(origin) = row
                .candidates
                .first()
                .and_then(|id| origins.get(id.as_str()))
            {
                diagnostic = diagnostic.at(Label::new(origin.file.clone(), origin.range.clone()));
            }
            diagnostic
        })
        .collect()
}

/// What is known about each clause after all passes.
fn clause_fates(
    draft: &Draft,
    account: &Account,
    outcome: &Outcome,
    verified: &[Verified],
    contracts: &[Contract],
) -> Vec<ClauseFate> {
    let mut clauses = vec![ClauseFate::default(); draft.clauses.len()];
    for (clause, fate) in draft.clauses.iter().zip(&mut clauses) {
        let reference = clause_ref(clause.lines, &clause.text);
        fate.contracts = contracts
            .iter()
            .filter(|contract| contract.clauses.contains(&reference))
            .map(|contract| contract.id.clone())
            .collect();
    }
    let mut fall = |origin: &Origin, what: String| {
        for clause in cited(draft, &origin.range) {
            if let Some(fate) = clauses.get_mut(clause) {
                fate.fallen
                    .entry(what.clone())
                    .or_default()
                    .insert(origin.sample);
            }
        }
    };
    for track in &account.tracks {
        for what in track.losses() {
            fall(&track.origin, what);
        }
    }
    for group in &outcome.minority {
        for origin in group
            .supporters()
            .into_iter()
            .filter_map(|part| verified.get(part))
            .map(Verified::origin)
        {
            let tools = group.rule.tools.names().map(str::to_owned).collect();
            fall(origin, fallen_text(Code::MinorityRule.name(), &tools));
        }
    }
    // A candidate may agree with a contract that rests on other lines.
    for contract in contracts {
        let voices = account.tracks.iter().map(|track| &track.origin);
        for origin in voices.filter(|origin| contract.evidence.candidates.contains(&origin.id)) {
            for clause in cited(draft, &origin.range) {
                if let Some(fate) = clauses.get_mut(clause)
                    && !fate.contracts.contains(&contract.id)
                {
                    fate.elsewhere.insert(contract.id.clone());
                }
            }
        }
    }
    clauses
}

fn extract_counts(draft: &Draft) -> ExtractCounts {
    let read = draft
        .reports
        .iter()
        .filter(|report| report.outcome == SampleOutcome::Read)
        .count();
    ExtractCounts {
        sections: count(draft.sections.len()),
        clauses: count(draft.clauses.len()),
        samples: count(draft.samples),
        answers: count(read),
        failed: count(draft.reports.len() - read),
        candidates: count(draft.candidates.len()),
        unencoded: count(draft.unencoded.len()),
    }
}

fn provenance(policy: &Source, draft: &Draft) -> Provenance {
    let counts = extract_counts(draft);
    Provenance {
        source: seal::file_name(policy),
        sha256: sha256(policy.text()),
        model: draft.model.clone(),
        samples: counts.samples,
        answers: counts.answers,
        failed: counts.failed,
    }
}

fn uncountable(policy: &Source, error: &TooLarge) -> Diagnostic {
    Diagnostic::new(
        Code::UnsupportedPattern,
        format!("the votes cannot be counted: {error}"),
    )
    .help("switch the check `unsupported-pattern` on again, which rejects what is too large")
    .at(Label::new(policy.name(), 0..0))
}

fn empty_library(policy: &Source) -> Diagnostic {
    Diagnostic::new(
        Code::EmptyLibrary,
        "no rule survived, so nothing would be enforced",
    )
    .help("see in the coverage table what became of each clause")
    .at(Label::new(policy.name(), 0..0))
}

#[cfg(test)]
mod tests;
