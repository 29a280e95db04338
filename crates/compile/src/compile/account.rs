//! The account of a compile: each candidate with how far it came and what was
//! found on the way. Counts, actions and diagnostics are read off it, so they
//! cannot disagree.

use crate::finding::{Finding, Origin, Remedy};
use crate::report::{Action, Done, Fate, ResolveCounts, VerifyCounts, count};
use crate::verify::{Rejected, Verified, checks};
use crate::vote::Outcome;
use lictor_contract::diagnostic::{Code, Diagnostic, Label, Severity};
use lictor_contract::source::Source;
use std::collections::BTreeSet;

/// Each candidate in the order of the draft.
#[derive(Debug, Default)]
pub(super) struct Account {
    pub(super) tracks: Vec<Track>,
}

/// One candidate.
#[derive(Debug)]
pub(super) struct Track {
    pub(super) origin: Origin,
    pub(super) stage: Stage,
}

/// How far it came.
#[derive(Debug)]
pub(super) enum Stage {
    /// Its slots could not be read.
    Unreadable(Vec<Finding>),
    /// A name fits nothing or several things.
    Unresolved(Vec<Finding>),
    /// It was resolved, and each demand verified or rejected.
    Verified {
        /// What resolve found.
        findings: Vec<Finding>,
        /// (demand, tool) pairs that came in.
        bindings: usize,
        /// For each demand the index of the verified part, or why there is none.
        parts: Vec<Result<usize, Rejected>>,
    },
}

impl Track {
    /// The codes under which it, or demands of it, were rejected.
    pub(super) fn fallen(&self) -> BTreeSet<Code> {
        match &self.stage {
            Stage::Unreadable(_) => BTreeSet::from([Code::Syntax]),
            Stage::Unresolved(findings) => findings
                .iter()
                .filter(|finding| finding.remedy == Remedy::Reject)
                .map(|finding| finding.code)
                .collect(),
            Stage::Verified { parts, .. } => parts
                .iter()
                .filter_map(|part| part.as_ref().err())
                .map(|rejected| rejected.code)
                .collect(),
        }
    }

    /// Each loss in words: the check, and what it found.
    pub(super) fn losses(&self) -> BTreeSet<String> {
        let told = |code: Code, findings: &[Finding]| {
            let reason = findings
                .iter()
                .find(|finding| finding.code == code && rejected(finding) == Done::Rejected);
            match reason {
                Some(finding) => format!("{}: {}", code.name(), finding.message),
                None => code.name().to_owned(),
            }
        };
        match &self.stage {
            Stage::Unreadable(findings) | Stage::Unresolved(findings) => self
                .fallen()
                .into_iter()
                .map(|code| told(code, findings))
                .collect(),
            Stage::Verified { parts, .. } => parts
                .iter()
                .filter_map(|part| part.as_ref().err())
                .map(|rejected| told(rejected.code, &rejected.findings))
                .collect(),
        }
    }

    /// Its verified parts.
    fn survivors(&self) -> impl Iterator<Item = usize> {
        let parts = match &self.stage {
            Stage::Verified { parts, .. } => parts.as_slice(),
            _ => &[],
        };
        parts.iter().filter_map(|part| part.as_ref().ok().copied())
    }

    fn is_rejected(&self) -> bool {
        self.survivors().next().is_none()
    }

    /// The one check that a rejected candidate is counted under.
    fn rejected_under(&self) -> Code {
        let fallen = self.fallen();
        let by_rank = checks().into_iter().find(|code| fallen.contains(code));
        by_rank
            .or_else(|| fallen.first().copied())
            .unwrap_or(Code::UnsupportedPattern)
    }
}

impl Account {
    /// What became of each candidate.
    pub(super) fn fates(&self, outcome: &Outcome, speakers: &BTreeSet<usize>) -> Vec<Fate> {
        let kept: BTreeSet<usize> = outcome
            .kept
            .iter()
            .flat_map(|group| group.supporters())
            .collect();
        self.tracks
            .iter()
            .map(|track| {
                if track.is_rejected() {
                    Fate::Rejected(track.rejected_under())
                } else if track.survivors().any(|part| speakers.contains(&part)) {
                    Fate::Enforced
                } else if track.survivors().any(|part| kept.contains(&part)) {
                    Fate::Merged
                } else {
                    Fate::Minority
                }
            })
            .collect()
    }

    pub(super) fn resolve_counts(&self) -> ResolveCounts {
        let mut counts = ResolveCounts {
            candidates: count(self.tracks.len()),
            ..ResolveCounts::default()
        };
        for track in &self.tracks {
            match &track.stage {
                Stage::Unreadable(_) => counts.unreadable += 1,
                Stage::Unresolved(_) => counts.unresolved += 1,
                Stage::Verified {
                    bindings, parts, ..
                } => {
                    counts.resolved += 1;
                    counts.demands += count(parts.len());
                    counts.bindings += count(*bindings);
                }
            }
        }
        counts
    }

    pub(super) fn verify_counts(&self, verified: &[Verified]) -> VerifyCounts {
        let resolved = || {
            self.tracks
                .iter()
                .filter(|track| matches!(track.stage, Stage::Verified { .. }))
        };
        VerifyCounts {
            candidates: count(resolved().count()),
            repaired: count(
                resolved()
                    .filter(|track| !repairs(track, verified).is_empty())
                    .count(),
            ),
            rejected: count(resolved().filter(|track| track.is_rejected()).count()),
            demands: count(verified.len()),
            bindings: count(
                verified
                    .iter()
                    .map(|verified| verified.part().rules().len())
                    .sum(),
            ),
        }
    }

    /// For each usable candidate the checks that repaired it.
    pub(super) fn repaired_codes(&self, verified: &[Verified]) -> Vec<Code> {
        self.tracks
            .iter()
            .flat_map(|track| repairs(track, verified))
            .collect()
    }

    /// Every repair and rejection in order of lines and candidates.
    pub(super) fn actions(&self, verified: &[Verified]) -> Vec<Action> {
        let mut actions: Vec<Action> = self
            .told(verified)
            .into_iter()
            .map(|(track, finding, done)| Action {
                lines: track.origin.lines,
                candidate: track.origin.id.clone(),
                check: finding.code.name().to_owned(),
                done,
                help: finding.help(),
                message: finding.message,
            })
            .collect();
        actions.sort();
        actions.dedup();
        actions
    }

    /// The same as diagnostics at the policy's words. A candidate is one voice
    /// of several, so a repair is a note here and a rejection a warning.
    pub(super) fn diagnostics(&self, policy: &Source, verified: &[Verified]) -> Vec<Diagnostic> {
        let mut found: Vec<(usize, usize, Diagnostic)> = Vec::new();
        for (order, (track, finding, done)) in self.told(verified).into_iter().enumerate() {
            let severity = match done {
                Done::Rejected => Severity::Warning,
                Done::Repaired | Done::Noted => finding.severity.min(Severity::Note),
            };
            let help = finding.help();
            let diagnostic = Diagnostic::new(finding.code, finding.message)
                .weighing(severity)
                .help(help)
                .about(track.origin.id.clone())
                .at(Label::new(policy.name(), track.origin.range.clone()));
            found.push((track.origin.range.start, order, diagnostic));
        }
        found.sort_by_key(|(start, order, _)| (*start, *order));
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        for (_, _, diagnostic) in found {
            // Candidates that slip alike are told once, with all their names.
            let twin = diagnostics.iter_mut().find(|other| {
                other.code == diagnostic.code
                    && other.severity == diagnostic.severity
                    && other.message == diagnostic.message
                    && other.labels == diagnostic.labels
            });
            match twin {
                Some(other) => {
                    for id in diagnostic.contracts {
                        if !other.contracts.contains(&id) {
                            other.contracts.push(id);
                        }
                    }
                }
                None => diagnostics.push(diagnostic),
            }
        }
        diagnostics
    }

    /// Everything there is to tell, in order of the candidates.
    fn told(&self, verified: &[Verified]) -> Vec<(&Track, Finding, Done)> {
        let mut told = Vec::new();
        for track in &self.tracks {
            match &track.stage {
                Stage::Unreadable(findings) | Stage::Unresolved(findings) => {
                    told.extend(
                        findings
                            .iter()
                            .map(|finding| (track, finding.clone(), rejected(finding))),
                    );
                }
                Stage::Verified {
                    findings, parts, ..
                } => {
                    told.extend(
                        findings
                            .iter()
                            .map(|finding| (track, finding.clone(), repaired(finding))),
                    );
                    for part in parts {
                        match part {
                            Ok(index) => {
                                let findings = verified
                                    .get(*index)
                                    .map(Verified::findings)
                                    .unwrap_or_default();
                                told.extend(
                                    findings
                                        .iter()
                                        .map(|finding| (track, finding.clone(), repaired(finding))),
                                );
                            }
                            Err(part) => {
                                told.extend(
                                    part.findings
                                        .iter()
                                        .map(|finding| (track, finding.clone(), rejected(finding))),
                                );
                            }
                        }
                    }
                }
            }
        }
        told
    }
}

/// What a finding did to a usable rule.
fn repaired(finding: &Finding) -> Done {
    match finding.remedy {
        Remedy::Note => Done::Noted,
        _ => Done::Repaired,
    }
}

/// What a finding did to a rejected rule: each one that took something away had
/// its part in it.
fn rejected(finding: &Finding) -> Done {
    match finding.remedy {
        Remedy::Note | Remedy::Guard(..) => Done::Noted,
        Remedy::Reject | Remedy::Strip(_) => Done::Rejected,
    }
}

/// The checks that changed a usable candidate, a demand that fell included.
fn repairs(track: &Track, verified: &[Verified]) -> BTreeSet<Code> {
    if track.is_rejected() {
        return BTreeSet::new();
    }
    let mut codes = track.fallen();
    let changes = |findings: &[Finding]| -> Vec<Code> {
        findings
            .iter()
            .filter(|finding| repaired(finding) == Done::Repaired)
            .map(|finding| finding.code)
            .collect()
    };
    if let Stage::Verified { findings, .. } = &track.stage {
        codes.extend(changes(findings));
    }
    for part in track.survivors() {
        codes.extend(
            verified
                .get(part)
                .map(|part| changes(part.findings()))
                .unwrap_or_default(),
        );
    }
    codes
}
