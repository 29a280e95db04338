//! Coverage: what became of each clause of the policy.
//!
//! A clause is enforced only by contracts that rest on its own words. Where
//! none does, the samples' reasons are counted like votes, and what is left is
//! *missed*, with a note on how its candidates fell: a policy owner must see
//! that a clause got lost, and where.

use crate::names::quoted;
use lictor_contract::draft::{Clause, Draft, NoRule, SampleOutcome};
use lictor_contract::library::{Coverage, CoverageRow};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is said about one clause by what became of the candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseFate {
    /// The contracts that rest on it, in order.
    pub contracts: Vec<String>,
    /// Samples that had a part rejected, by what became of it.
    pub fallen: BTreeMap<String, BTreeSet<usize>>,
    /// Contracts that rest on other clauses, though some samples read them in
    /// this one.
    pub elsewhere: BTreeSet<String>,
}

/// One row per clause. `fates` is in the order of the draft's clauses.
pub fn rows(draft: &Draft, fates: &[ClauseFate]) -> Vec<CoverageRow> {
    let empty = ClauseFate::default();
    draft
        .clauses
        .iter()
        .enumerate()
        .map(|(index, clause)| CoverageRow {
            lines: clause.lines,
            text: clause.text.clone(),
            coverage: coverage(draft, clause, fates.get(index).unwrap_or(&empty)),
        })
        .collect()
}

/// Samples of each section that could be read.
pub fn samples(draft: &Draft) -> Vec<u32> {
    let mut counts = vec![0; draft.sections.len()];
    for report in &draft.reports {
        if report.outcome == SampleOutcome::Read
            && let Some(count) = counts.get_mut(report.section)
        {
            *count += 1;
        }
    }
    counts
}

/// The clauses that quoted words rest on: those of which they cover at least
/// half, or that hold at least half of them.
pub fn cited(draft: &Draft, quote: &Range<usize>) -> Vec<usize> {
    draft
        .clauses
        .iter()
        .enumerate()
        .filter(|(_, clause)| overlaps(&clause.range, quote))
        .map(|(index, _)| index)
        .collect()
}

fn overlaps(clause: &Range<usize>, quote: &Range<usize>) -> bool {
    let common = clause
        .end
        .min(quote.end)
        .saturating_sub(clause.start.max(quote.start));
    common > 0 && common * 2 >= clause.len().min(quote.len())
}

fn coverage(draft: &Draft, clause: &Clause, fate: &ClauseFate) -> Coverage {
    let of = samples(draft).get(clause.section).copied().unwrap_or(0);
    let majority = |count: usize| u32::try_from(count).is_ok_and(|count| count * 2 > of);
    if !fate.contracts.is_empty() {
        let missing: Vec<&str> = fate
            .fallen
            .iter()
            .filter(|(_, samples)| majority(samples.len()))
            .map(|(what, _)| what.as_str())
            .collect();
        let contracts = fate.contracts.clone();
        return if missing.is_empty() {
            Coverage::Enforced { contracts }
        } else {
            Coverage::PartlyEnforced {
                contracts,
                missing: missing.join("; "),
            }
        };
    }
    if of == 0 {
        return Coverage::NotAsked;
    }
    let mut reasons: BTreeMap<NoRule, BTreeSet<usize>> = BTreeMap::new();
    let mut notes: BTreeMap<NoRule, String> = BTreeMap::new();
    for unencoded in &draft.unencoded {
        if overlaps(&clause.range, &unencoded.citation.range) {
            reasons
                .entry(unencoded.reason)
                .or_default()
                .insert(unencoded.sample);
            let note = notes.entry(unencoded.reason).or_default();
            if note.is_empty() {
                note.clone_from(&unencoded.note);
            }
        }
    }
    let voters: BTreeSet<usize> = reasons.values().flatten().copied().collect();
    if majority(voters.len()) {
        // The most frequent reason; of equals the first in the order of reasons.
        let mut best: Option<(NoRule, usize)> = None;
        for (reason, samples) in &reasons {
            if best.is_none_or(|(_, most)| samples.len() > most) {
                best = Some((*reason, samples.len()));
            }
        }
        match best {
            Some((NoRule::NotNormative, _)) => return Coverage::NotNormative,
            Some((reason, _)) => {
                return Coverage::NotDecidable {
                    reason,
                    note: notes.remove(&reason).unwrap_or_default(),
                };
            }
            None => {}
        }
    }
    Coverage::Missed {
        note: missed(fate, voters.len(), of),
    }
}

fn missed(fate: &ClauseFate, reasons: usize, of: u32) -> String {
    let mut parts: Vec<String> = fate
        .fallen
        .iter()
        .map(|(what, samples)| format!("{what} ({} of {of} samples)", samples.len()))
        .collect();
    if !fate.elsewhere.is_empty() {
        parts.push(format!(
            "what was read in it stands in {}",
            quoted(&fate.elsewhere)
        ));
    }
    if reasons > 0 {
        parts.push(format!("{reasons} of {of} samples found no rule for it"));
    }
    if parts.is_empty() {
        return "no sample says anything about it".to_owned();
    }
    parts.join("; ")
}

/// `unknown-tool at `a` and `b``, for the notes.
pub fn fallen_text(what: &str, tools: &BTreeSet<String>) -> String {
    if tools.is_empty() {
        what.to_owned()
    } else {
        format!("{what} at {}", quoted(tools))
    }
}
