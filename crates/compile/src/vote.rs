//! Vote: keeps what a majority of samples means, binding by binding.
//!
//! A ballot is a tool and a meaning. The candidates of one sample count once
//! for it, in whatever words and under whatever kind they gave it, and the
//! majority is taken over the samples of the section that could be read. A
//! ballot that wins in one section takes along equal ones of other sections,
//! so a rule that two clauses state becomes one contract with both clauses.

mod group;

use crate::meaning::{Meaning, meaning, same, with_required};
use crate::part::Scope;
use crate::verify::Verified;
use group::regroup;
use lictor_contract::catalog::Catalog;
use lictor_contract::predicate::ToolPattern;
use lictor_contract::rule::{Body, ConfirmationReading, Rule};
use lictor_ltlf::TooLarge;
use std::collections::{BTreeMap, BTreeSet};

/// How many samples must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Majority {
    /// More than half of those that could be read.
    #[default]
    MoreThanHalf,
    /// At least this many.
    AtLeast(u32),
}

impl Majority {
    /// Whether so many votes of so many samples are enough.
    pub fn reached(self, votes: u32, samples: u32) -> bool {
        match self {
            Majority::MoreThanHalf => votes > samples / 2,
            Majority::AtLeast(least) => votes >= least,
        }
    }
}

/// One (tool, meaning) pair and who gave it.
#[derive(Clone, Debug)]
pub struct Ballot {
    /// The tool; none for a rule that only has a meaning as a whole.
    pub tool: Option<String>,
    /// What it means.
    pub meaning: Meaning,
    /// The verified parts that gave it, as indices, in order, with the rule in
    /// the words of each.
    pub supporters: BTreeMap<usize, Rule>,
    /// Votes and samples of the section where it did best.
    pub votes: u32,
    /// Samples of that section that could be read.
    pub samples: u32,
}

/// Ballots that belong together: one rule over several tools.
#[derive(Clone, Debug)]
pub struct Group {
    /// The rule in the words of its representative, over all its tools.
    pub rule: Rule,
    /// The ballots in order of their tools.
    pub ballots: Vec<Ballot>,
    /// The verified part whose words were taken.
    pub representative: usize,
}

impl Group {
    /// The verified parts behind it.
    pub fn supporters(&self) -> BTreeSet<usize> {
        self.ballots
            .iter()
            .flat_map(|ballot| ballot.supporters.keys().copied())
            .collect()
    }
}

/// The outcome of a vote.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What a majority means.
    pub kept: Vec<Group>,
    /// What it does not.
    pub minority: Vec<Group>,
}

/// Counts the votes. `samples` gives the samples of each section that could be
/// read.
///
/// # Errors
/// [`TooLarge`] if an automaton cannot be built; verified parts have been
/// through that once, unless the check was switched off.
pub fn vote(
    verified: &[Verified],
    samples: &[u32],
    catalog: &Catalog,
    reading: ConfirmationReading,
    majority: Majority,
) -> Result<Outcome, TooLarge> {
    let mut ballots = ballots(verified, catalog, reading)?;
    for ballot in &mut ballots {
        let mut voters: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for supporter in ballot.supporters.keys() {
            if let Some(verified) = verified.get(*supporter) {
                let origin = verified.origin();
                voters
                    .entry(origin.section)
                    .or_default()
                    .insert(origin.sample);
            }
        }
        // The section with the best share; the first of equals.
        let mut best: Option<(bool, u32, u32)> = None;
        for (section, voters) in voters {
            let votes = u32::try_from(voters.len()).unwrap_or(u32::MAX);
            let of = samples.get(section).copied().unwrap_or(0).max(votes);
            let standing = (majority.reached(votes, of), votes, of);
            if best.is_none_or(|(won, most, _)| (standing.0, standing.1) > (won, most)) {
                best = Some(standing);
            }
        }
        if let Some((_, votes, of)) = best {
            (ballot.votes, ballot.samples) = (votes, of);
        }
    }
    let (won, lost): (Vec<Ballot>, Vec<Ballot>) = ballots
        .into_iter()
        .partition(|ballot| majority.reached(ballot.votes, ballot.samples));
    let together =
        |left: &Ballot, right: &Ballot| together(left, right, verified, samples, majority);
    let apart = |left: &Ballot, right: &Ballot| left.supporters.keys().eq(right.supporters.keys());
    Ok(Outcome {
        kept: regroup(won, verified, reading, &together)?,
        minority: regroup(lost, verified, reading, &apart)?,
    })
}

/// Whether two winning ballots of one shape are one rule. For a rule that
/// counts over all its tools it matters, so a majority must have had both in
/// one candidate; for any other it is a matter of presentation.
fn together(
    left: &Ballot,
    right: &Ballot,
    verified: &[Verified],
    samples: &[u32],
    majority: Majority,
) -> bool {
    let shared = left
        .supporters
        .keys()
        .filter(|part| right.supporters.contains_key(part));
    let counts_jointly = left.supporters.values().any(|rule| {
        matches!(
            rule.body,
            Body::Confirmation { .. } | Body::Limit { .. } | Body::OncePer { .. }
        )
    });
    if !counts_jointly {
        return shared.count() > 0;
    }
    let mut voters: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for origin in shared
        .filter_map(|part| verified.get(*part))
        .map(Verified::origin)
    {
        voters
            .entry(origin.section)
            .or_default()
            .insert(origin.sample);
    }
    voters.into_iter().any(|(section, voters)| {
        let votes = u32::try_from(voters.len()).unwrap_or(u32::MAX);
        majority.reached(votes, samples.get(section).copied().unwrap_or(0).max(votes))
    })
}

/// Every (tool, meaning) pair with its supporters, in order of tool and meaning.
fn ballots(
    verified: &[Verified],
    catalog: &Catalog,
    reading: ConfirmationReading,
) -> Result<Vec<Ballot>, TooLarge> {
    let mut by_meaning: BTreeMap<(Option<String>, Meaning), BTreeMap<usize, Rule>> =
        BTreeMap::new();
    // Samples repeat each other word for word, and an automaton is dear.
    let mut measured: BTreeMap<(Option<String>, Rule), Meaning> = BTreeMap::new();
    for (index, verified) in verified.iter().enumerate() {
        for (tool, rule) in verified.part().rules() {
            let wording = (tool.map(str::to_owned), rule.clone());
            let meaning = match measured.get(&wording) {
                Some(meaning) => meaning.clone(),
                None => {
                    let mut obligation = rule.obligation(reading);
                    if let Some(tool) = tool.and_then(|tool| catalog.get(tool)) {
                        obligation.guarantee = with_required(&obligation.guarantee, tool)?;
                    }
                    let meaning = meaning(&obligation)?;
                    measured.insert(wording.clone(), meaning.clone());
                    meaning
                }
            };
            by_meaning
                .entry((wording.0, meaning))
                .or_default()
                .insert(index, rule);
        }
    }
    let ballots = by_meaning
        .into_iter()
        .map(|((tool, meaning), supporters)| Ballot {
            tool,
            meaning,
            supporters,
            votes: 0,
            samples: 0,
        })
        .collect();
    Ok(merge_equivalent(ballots, reading))
}

/// Equal automata are equal meanings, but atoms that do not matter can make
/// equal meanings differ in the axioms they are read under. So what the text
/// keeps apart is compared once more, exactly. Two meanings whose difference is
/// too large to search for stay two: that can split a vote, but not lose one.
fn merge_equivalent(ballots: Vec<Ballot>, reading: ConfirmationReading) -> Vec<Ballot> {
    let mut merged: Vec<Ballot> = Vec::new();
    for ballot in ballots {
        let mut home = None;
        for (index, other) in merged.iter().enumerate() {
            let comparable = other.tool == ballot.tool
                && other.meaning.steps_on == ballot.meaning.steps_on
                && other.meaning.for_each == ballot.meaning.for_each
                && other.meaning.assumption == ballot.meaning.assumption;
            if comparable && equivalent(other, &ballot, reading).unwrap_or(false) {
                home = Some(index);
                break;
            }
        }
        match home.and_then(|index| merged.get_mut(index)) {
            Some(other) => other.supporters.extend(ballot.supporters),
            None => merged.push(ballot),
        }
    }
    merged
}

fn equivalent(
    left: &Ballot,
    right: &Ballot,
    reading: ConfirmationReading,
) -> Result<bool, TooLarge> {
    let guarantee = |ballot: &Ballot| {
        ballot
            .supporters
            .values()
            .next()
            .map(|rule| rule.obligation(reading).guarantee)
    };
    match (guarantee(left), guarantee(right)) {
        (Some(left), Some(right)) => same(&left, &right),
        _ => Ok(false),
    }
}

/// The rule of a part for one tool, with a stand-in for the tool's name, so that
/// the same demand on two tools has one shape.
fn shape(
    rule: &Rule,
    tool: Option<&str>,
    reading: ConfirmationReading,
) -> Result<Meaning, TooLarge> {
    match tool {
        Some(_) => meaning(&rule.bound_to(ToolPattern::tool("")).obligation(reading)),
        None => meaning(&rule.obligation(reading)),
    }
}

/// The slots of a verified part for a tool.
fn slots(verified: &Verified, tool: Option<&str>) -> Option<Body> {
    match (&verified.part().scope, tool) {
        (Scope::Each(bodies), Some(tool)) => bodies.get(tool).cloned(),
        (Scope::Whole(rule), None) => Some(rule.body.clone()),
        _ => None,
    }
}
