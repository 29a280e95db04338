//! Putting ballots back together: one contract over several tools.

use super::{Ballot, Group, shape, slots};
use crate::meaning::Meaning;
use crate::part::Scope;
use crate::verify::Verified;
use lictor_contract::predicate::ToolPattern;
use lictor_contract::rule::{ConfirmationReading, Rule};
use lictor_ltlf::TooLarge;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Joins ballots of one shape that `together` holds for, directly or in a
/// chain, and names a representative for each group.
pub(super) fn regroup(
    ballots: Vec<Ballot>,
    verified: &[Verified],
    reading: ConfirmationReading,
    together: &dyn Fn(&Ballot, &Ballot) -> bool,
) -> Result<Vec<Group>, TooLarge> {
    // How many of these ballots a part gave: the broadest one speaks for them.
    let mut breadth: BTreeMap<usize, usize> = BTreeMap::new();
    for ballot in &ballots {
        for part in ballot.supporters.keys() {
            *breadth.entry(*part).or_default() += 1;
        }
    }
    let mut shapes: Vec<Option<Meaning>> = Vec::new();
    for ballot in &ballots {
        let speaker = speaker(ballot.supporters.keys().copied(), &breadth);
        let rule = speaker.and_then(|part| ballot.supporters.get(&part));
        shapes.push(match rule {
            Some(rule) => Some(shape(rule, ballot.tool.as_deref(), reading)?),
            None => None,
        });
    }
    let joined = joined(ballots.len(), |left, right| {
        let (Some(a), Some(b)) = (ballots.get(left), ballots.get(right)) else {
            return false;
        };
        a.tool.is_some()
            && b.tool.is_some()
            && a.tool != b.tool
            && shapes.get(left) == shapes.get(right)
            && together(a, b)
    });
    let mut groups = Vec::new();
    for members in joined {
        let ballots: Vec<Ballot> = members
            .iter()
            .filter_map(|index| ballots.get(*index))
            .cloned()
            .collect();
        groups.extend(group(ballots, verified));
    }
    Ok(groups)
}

fn group(ballots: Vec<Ballot>, verified: &[Verified]) -> Option<Group> {
    let mut breadth: BTreeMap<usize, usize> = BTreeMap::new();
    for ballot in &ballots {
        for part in ballot.supporters.keys() {
            *breadth.entry(*part).or_default() += 1;
        }
    }
    let representative = speaker(breadth.keys().copied(), &breadth)?;
    let part = verified.get(representative)?;
    let tool = ballots
        .iter()
        .find(|ballot| ballot.supporters.contains_key(&representative))?
        .tool
        .as_deref();
    let body = slots(part, tool)?;
    let tools = match &part.part().scope {
        Scope::Whole(rule) => rule.tools.clone(),
        Scope::Each(_) => {
            let names: BTreeSet<String> = ballots
                .iter()
                .filter_map(|ballot| ballot.tool.clone())
                .collect();
            ToolPattern::tools(names)?
        }
    };
    Some(Group {
        rule: Rule {
            tools,
            body,
            for_each: part.part().for_each.clone(),
        },
        ballots,
        representative,
    })
}

/// The part that gave most ballots; the first of equals.
fn speaker(parts: impl Iterator<Item = usize>, breadth: &BTreeMap<usize, usize>) -> Option<usize> {
    parts.min_by_key(|part| (Reverse(breadth.get(part).copied().unwrap_or(0)), *part))
}

/// The classes of the smallest equivalence that contains `related`, each in
/// order, in order of their first members.
pub(super) fn joined(count: usize, related: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for item in 0..count {
        let (mut mine, others): (Vec<_>, Vec<_>) = classes
            .into_iter()
            .partition(|class| class.iter().any(|other| related(*other, item)));
        let mut class: Vec<usize> = mine.drain(..).flatten().collect();
        class.push(item);
        class.sort_unstable();
        classes = others;
        classes.push(class);
    }
    classes.sort();
    classes
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn classes_are_closed_and_ordered() {
        let related = |a: usize, b: usize| a % 3 == b % 3 && a.abs_diff(b) <= 3;
        assert_eq!(joined(7, related), [vec![0, 3, 6], vec![1, 4], vec![2, 5]]);
        assert!(joined(0, |_, _| true).is_empty());
    }
}
