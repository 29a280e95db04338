//! What a compile did, in numbers and lists: the four passes with their counts,
//! every repair and rejection, and what became of each candidate (NOMOS,
//! Table III and Figure 2).
//!
//! Each candidate ends in exactly one of: rejected under one check, minority,
//! merged into a contract in another candidate's words, or enforced in its own.
//! The four add up to the candidates, and [`Outcomes::is_partition`] says so.

use lictor_contract::diagnostic::Code;
use lictor_contract::library::{Coverage, CoverageRow};
use lictor_contract::source::Lines;
use serde::Serialize;
use std::collections::BTreeMap;

/// What extraction handed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExtractCounts {
    /// Sections of the policy.
    pub sections: u32,
    /// Clauses of the policy.
    pub clauses: u32,
    /// Samples asked for per section.
    pub samples: u32,
    /// Answers that could be read.
    pub answers: u32,
    /// Answers that could not.
    pub failed: u32,
    /// Candidates in them.
    pub candidates: u32,
    /// Clauses declared not encodable, counted per sample.
    pub unencoded: u32,
}

/// What resolve did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ResolveCounts {
    /// Candidates that came in.
    pub candidates: u32,
    /// Candidates whose names are all the catalog's now.
    pub resolved: u32,
    /// Candidates whose slots could not be read.
    pub unreadable: u32,
    /// Candidates with a name that fits nothing or several things.
    pub unresolved: u32,
    /// Independent demands that the resolved ones were split into.
    pub demands: u32,
    /// (demand, tool) pairs of these.
    pub bindings: u32,
}

/// What verify did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerifyCounts {
    /// Candidates that came in.
    pub candidates: u32,
    /// Candidates that were changed and are usable.
    pub repaired: u32,
    /// Candidates of which nothing is usable.
    pub rejected: u32,
    /// Demands that are usable.
    pub demands: u32,
    /// (demand, tool) pairs of these.
    pub bindings: u32,
}

/// What the vote did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VoteCounts {
    /// Different (tool, meaning) pairs.
    pub ballots: u32,
    /// Those that a majority gave.
    pub kept: u32,
    /// Those that none did.
    pub minority: u32,
    /// Contracts that the kept ones make.
    pub contracts: u32,
}

/// What became of the candidates; each counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcomes {
    /// All of them.
    pub candidates: u32,
    /// Repaired ones by check; a candidate repaired under two checks counts
    /// under both, and goes on to one of the rows below.
    pub repaired: BTreeMap<String, u32>,
    /// Rejected ones by the check that they are counted under.
    pub rejected: BTreeMap<String, u32>,
    /// Those whose meaning no majority shares.
    pub minority: u32,
    /// Those that mean what a contract says in the words of another.
    pub merged: u32,
    /// Those in whose words at least one contract stands.
    pub enforced: u32,
}

impl Outcomes {
    /// Rejected candidates under all checks.
    pub fn rejected_total(&self) -> u32 {
        self.rejected.values().sum()
    }

    /// Whether rejected, minority, merged and enforced add up to all.
    pub fn is_partition(&self) -> bool {
        self.rejected_total() + self.minority + self.merged + self.enforced == self.candidates
    }
}

/// What was done about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// The candidate is usable, changed.
    Repaired,
    /// The candidate, or a demand of it, is not usable.
    Rejected,
    /// Nothing changed.
    Noted,
}

/// One repair or rejection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Action {
    /// Lines of the clause it rests on.
    pub lines: Lines,
    /// The candidate, or the rule of a rule file.
    pub candidate: String,
    /// Name of the check.
    pub check: String,
    /// What was done.
    pub done: Done,
    /// What was wrong.
    pub message: String,
    /// What was done about it.
    pub help: String,
}

/// A rule that too few samples gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MinorityRow {
    /// Lines of the clause that the first of its candidates cites.
    pub lines: Lines,
    /// The tools it would guard.
    pub tools: Vec<String>,
    /// The rule as a formula.
    pub guarantee: String,
    /// Samples that gave it.
    pub votes: u32,
    /// Samples of its section that could be read.
    pub samples: u32,
    /// The candidates behind it.
    pub candidates: Vec<String>,
}

/// Coverage rows counted by what became of the clause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CoverageTotals {
    /// Enforced.
    pub enforced: u32,
    /// Partly enforced.
    pub partly_enforced: u32,
    /// Not decidable from tool calls.
    pub not_decidable: u32,
    /// Not normative.
    pub not_normative: u32,
    /// Missed.
    pub missed: u32,
    /// Not asked.
    pub not_asked: u32,
}

impl CoverageTotals {
    /// Counts rows.
    pub fn of(rows: &[CoverageRow]) -> Self {
        let mut totals = CoverageTotals::default();
        for row in rows {
            let count = match row.coverage {
                Coverage::Enforced { .. } => &mut totals.enforced,
                Coverage::PartlyEnforced { .. } => &mut totals.partly_enforced,
                Coverage::NotDecidable { .. } => &mut totals.not_decidable,
                Coverage::NotNormative => &mut totals.not_normative,
                Coverage::Missed { .. } => &mut totals.missed,
                Coverage::NotAsked => &mut totals.not_asked,
            };
            *count += 1;
        }
        totals
    }
}

/// Everything a compile did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CompileReport {
    /// What extraction handed over.
    pub extract: ExtractCounts,
    /// What resolve did.
    pub resolve: ResolveCounts,
    /// What verify did.
    pub verify: VerifyCounts,
    /// What the vote did.
    pub vote: VoteCounts,
    /// What became of the candidates.
    pub outcomes: Outcomes,
    /// Repairs and rejections in order of lines and candidates.
    pub actions: Vec<Action>,
    /// Rules without a majority, in order of lines.
    pub minority: Vec<MinorityRow>,
    /// What became of each clause.
    pub coverage: Vec<CoverageRow>,
    /// The same in numbers.
    pub totals: CoverageTotals,
}

/// What became of one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Rejected under this check.
    Rejected(Code),
    /// No majority shares any of its demands.
    Minority,
    /// Its demands stand in another candidate's words.
    Merged,
    /// A contract stands in its words.
    Enforced,
}

/// Counts fates. `repaired` holds, for each candidate, the checks that repaired it.
pub fn outcomes<'a>(fates: &[Fate], repaired: impl IntoIterator<Item = &'a Code>) -> Outcomes {
    let mut outcomes = Outcomes {
        candidates: count(fates.len()),
        ..Outcomes::default()
    };
    for fate in fates {
        match fate {
            Fate::Rejected(code) => {
                *outcomes.rejected.entry(code.name().to_owned()).or_default() += 1
            }
            Fate::Minority => outcomes.minority += 1,
            Fate::Merged => outcomes.merged += 1,
            Fate::Enforced => outcomes.enforced += 1,
        }
    }
    for code in repaired {
        *outcomes.repaired.entry(code.name().to_owned()).or_default() += 1;
    }
    outcomes
}

/// A length as a count of a report.
pub fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_candidate_counts_once() {
        let fates = [
            Fate::Rejected(Code::UnknownTool),
            Fate::Rejected(Code::UnknownTool),
            Fate::Minority,
            Fate::Merged,
            Fate::Enforced,
        ];
        let outcomes = outcomes(&fates, &[Code::SelfBlocking]);
        assert!(outcomes.is_partition());
        assert_eq!(outcomes.rejected_total(), 2);
        assert_eq!(outcomes.repaired["self-blocking"], 1);
    }
}
