//! Verify: repairs or rejects each part of a rule (NOMOS, Pass 3).
//!
//! A round asks every check about the part as it is and collects all findings
//! before any is applied; then the next round judges what the repairs left. So
//! neither the order of the checks nor an early repair hides a finding, and a
//! repaired rule is held to the same standard as one that came sound. Rounds
//! end because each of them removes a binding or adds a guard that no later
//! round asks for again.
//!
//! Only this module makes a [`Verified`].

mod argument_not_in_signature;
mod automaton;
mod inconsistent;
mod self_blocking;
mod tautology;
mod type_mismatch;
mod unguarded_argument;
mod unguarded_optional;
mod unsatisfiable_domain;
mod unscoped_wildcard;
mod unsupported_pattern;
mod write_overreach;

use crate::finding::{Finding, Origin, Remedy};
use crate::part::{Part, Scope, guarded};
use lictor_contract::catalog::Catalog;
use lictor_contract::diagnostic::Code;
use lictor_ltlf::TooLarge;
use std::collections::{BTreeMap, BTreeSet};

/// One check: what it finds in a part, judged against the catalog.
type Check = fn(&Part, &Catalog) -> Vec<Finding>;

/// Every check by the code of what it finds. When several reject a rule, the
/// first of them in this order is the one it is counted under.
const CHECKS: &[(Code, Check)] = &[
    (Code::UnscopedWildcard, unscoped_wildcard::check),
    (
        Code::ArgumentNotInSignature,
        argument_not_in_signature::check,
    ),
    (Code::UnguardedArgument, unguarded_argument::check),
    (Code::UnguardedOptional, unguarded_optional::check),
    (Code::UnsatisfiableDomain, unsatisfiable_domain::check),
    (Code::TypeMismatch, type_mismatch::check),
    (Code::UnitMismatch, type_mismatch::check_units),
    (Code::WriteOverreach, write_overreach::check),
    (Code::SelfBlocking, self_blocking::check),
    (Code::UnsupportedPattern, unsupported_pattern::check),
    (Code::Inconsistent, inconsistent::check),
    (Code::Tautology, tautology::check),
];

/// Rounds after which a part that still changes is given up; far more than any
/// chain of repairs is long.
const MAX_ROUNDS: usize = 50;

/// The codes of all checks that can be switched off, in the order in which a
/// rejected rule is counted under them.
pub fn checks() -> Vec<Code> {
    CHECKS.iter().map(|(code, _)| *code).collect()
}

/// A part of a rule that passed every check that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    origin: Origin,
    part: Part,
    findings: Vec<Finding>,
}

impl Verified {
    /// Where it comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What it demands, of which tools.
    pub fn part(&self) -> &Part {
        &self.part
    }

    /// What was found and repaired on the way.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// A part that did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The check that it is counted under.
    pub code: Code,
    /// Everything that was found.
    pub findings: Vec<Finding>,
}

impl Rejected {
    /// A part that verify let pass, but whose automaton cannot be built.
    pub fn too_large(verified: &Verified, error: &TooLarge) -> Self {
        let mut findings = verified.findings.clone();
        findings.push(Finding::reject(
            Code::UnsupportedPattern,
            format!("the rule is too large to enforce: {error}"),
            "split it into several smaller rules",
        ));
        Rejected {
            code: Code::UnsupportedPattern,
            findings,
        }
    }
}

/// The verify pass over one catalog.
///
/// Samples repeat each other, and a verdict depends on nothing but the part, so
/// each different part is judged once.
pub struct Verifier<'a> {
    checks: &'a [(Code, Check)],
    catalog: &'a Catalog,
    disabled: &'a BTreeSet<Code>,
    judged: BTreeMap<Part, Judgement>,
}

/// What is left of a part and what was found, or why nothing is.
type Judgement = Result<(Part, Vec<Finding>), Rejected>;

impl<'a> Verifier<'a> {
    /// Every check but the disabled ones.
    pub fn new(catalog: &'a Catalog, disabled: &'a BTreeSet<Code>) -> Self {
        Verifier {
            checks: CHECKS,
            catalog,
            disabled,
            judged: BTreeMap::new(),
        }
    }

    /// Verifies one part of a rule.
    ///
    /// # Errors
    /// [`Rejected`] if nothing of it can be used.
    pub fn verify(&mut self, origin: &Origin, part: &Part) -> Result<Verified, Rejected> {
        let judgement = match self.judged.get(part) {
            Some(judgement) => judgement.clone(),
            None => {
                let judgement = self.judge(part);
                self.judged.insert(part.clone(), judgement.clone());
                judgement
            }
        };
        judgement.map(|(part, findings)| Verified {
            origin: origin.clone(),
            part,
            findings,
        })
    }

    fn judge(&self, part: &Part) -> Judgement {
        if let Some(oversized) = unsupported_pattern::oversized(part) {
            let found = BTreeSet::from([oversized]);
            return Err(counted_under(found.iter(), &found));
        }
        let mut part = part.clone();
        let mut seen: BTreeSet<Finding> = BTreeSet::new();
        for _ in 0..MAX_ROUNDS {
            let round: BTreeSet<Finding> = self
                .checks
                .iter()
                .filter(|(code, _)| !self.disabled.contains(code))
                .flat_map(|(_, check)| check(&part, self.catalog))
                .collect();
            let before = part.clone();
            for finding in &round {
                apply(&mut part, &finding.remedy);
            }
            let rejects = |finding: &&Finding| finding.remedy == Remedy::Reject;
            let rejected = round.iter().any(|finding| rejects(&finding));
            seen.extend(round.iter().cloned());
            if rejected {
                return Err(counted_under(round.iter().filter(rejects), &seen));
            }
            if part.is_empty() {
                let strips = |finding: &&Finding| matches!(finding.remedy, Remedy::Strip(_));
                let mut rejected = counted_under(seen.iter().filter(strips), &seen);
                rejected.findings = rejected.findings.into_iter().map(Finding::fatal).collect();
                return Err(rejected);
            }
            if part == before {
                return Ok((part, seen.into_iter().collect()));
            }
        }
        let endless = Finding::reject(
            Code::UnsupportedPattern,
            "the repairs of this rule do not come to an end",
            "write the rule in a simpler form",
        );
        seen.insert(endless.clone());
        Err(counted_under([&endless].into_iter(), &seen))
    }
}

/// A rejection under the first of the checks that had a part in it.
fn counted_under<'a>(
    fatal: impl Iterator<Item = &'a Finding>,
    seen: &BTreeSet<Finding>,
) -> Rejected {
    let codes: BTreeSet<Code> = fatal.map(|finding| finding.code).collect();
    let first = CHECKS
        .iter()
        .map(|(code, _)| *code)
        .find(|code| codes.contains(code));
    Rejected {
        code: first.unwrap_or(Code::UnsupportedPattern),
        findings: seen.iter().cloned().collect(),
    }
}

fn apply(part: &mut Part, remedy: &Remedy) {
    let Scope::Each(bodies) = &mut part.scope else {
        return;
    };
    match remedy {
        Remedy::Strip(tools) => bodies.retain(|tool, _| !tools.contains(tool)),
        Remedy::Guard(tool, terms) => {
            if let Some(body) = bodies.get_mut(tool) {
                *body = guarded(tool, body, terms);
            }
        }
        Remedy::Reject | Remedy::Note => {}
    }
}

/// A finding that removes one binding, or the whole rule where it cannot be
/// narrowed.
fn strip_or_reject(code: Code, tool: Option<&str>, message: String, advice: &str) -> Finding {
    match tool {
        Some(tool) => Finding::strip(code, tool, message).with_advice(advice),
        None => Finding::reject(code, message, advice),
    }
}

#[cfg(test)]
mod tests;
