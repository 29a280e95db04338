//! Kinds of records: which tools return the same record, and by which key.

use super::effect::words;
use super::survey::{Survey, ToolSurvey};
use lictor_contract::catalog::Effect;
use std::collections::{BTreeMap, BTreeSet};

/// Words that a key has beside the name of what it is the key of.
const KEY_WORDS: [&str; 6] = ["id", "key", "no", "number", "ref", "uuid"];

/// A kind of record that tools return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    /// What it is called in the overlay.
    pub(super) name: String,
    /// The field, and the argument it is looked up by.
    pub(super) key: String,
    /// The tools that return it, and what speaks for each.
    pub(super) returned_by: BTreeMap<&'a str, String>,
}

/// The kinds of records that the survey shows.
pub(super) fn records<'a>(survey: &Survey<'a>) -> Vec<Record<'a>> {
    // Tools by the arguments whose value their answer repeats.
    let mut echoing: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
    for (id, tool) in &survey.tools {
        for (name, echo) in &tool.echoes {
            let same = echo.asked >= 2 && echo.same * 20 >= echo.asked * 19;
            if same && tool.shape.usual_fields().contains(&name.as_str()) {
                echoing.entry(name).or_default().push(id);
            }
        }
    }
    let mut groups: Vec<(String, BTreeSet<&'a str>)> = Vec::new();
    for (key, ids) in echoing {
        let mut clusters: Vec<BTreeSet<&'a str>> = Vec::new();
        for id in ids {
            let alike = clusters
                .iter_mut()
                .find(|cluster| cluster.iter().any(|other| are_alike(survey, other, id)));
            match alike {
                Some(cluster) => {
                    cluster.insert(id);
                }
                None => clusters.push(BTreeSet::from([id])),
            }
        }
        for mut cluster in clusters {
            // A tool that was not asked by the key may return the record all the same.
            let others = survey.tools.iter().filter(|(id, tool)| {
                let has_key = tool.shape.usual_fields().contains(&key);
                has_key && cluster.iter().any(|other| are_alike(survey, other, id))
            });
            let others: Vec<&'a str> = others.map(|(id, _)| *id).collect();
            cluster.extend(others);
            // Whatever a write was given may come back in its answer; that it is
            // a record with a key is known from a look-up, or where several tools
            // answer with it and the key's name says so.
            let looked_up = cluster.iter().any(|id| {
                let tool = survey.tools.get(id);
                tool.is_some_and(|tool| tool.effect() == Some(Effect::Read))
            });
            if !looked_up && (cluster.len() < 2 || !is_key(key)) {
                continue;
            }
            groups.push((key.to_owned(), cluster));
        }
    }
    // A tool that repeats several arguments returns the record that most tools
    // return; among equals, the one whose key says what it is.
    groups.sort_by_key(|(key, tools)| (std::cmp::Reverse(tools.len()), !is_key(key), key.clone()));
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut records = Vec::new();
    for (key, mut tools) in groups {
        tools.retain(|tool| !taken.contains(tool));
        if tools.is_empty() {
            continue;
        }
        taken.extend(tools.iter().copied());
        let name = free_name(named_after(&key), &mut names);
        let returned_by = tools.iter().filter_map(|id| {
            let evidence = evidence(survey.tools.get(id)?, &key);
            Some((*id, evidence))
        });
        records.push(Record {
            name,
            returned_by: returned_by.collect(),
            key,
        });
    }
    records.sort_by(|left, right| left.name.cmp(&right.name));
    records
}

fn evidence(tool: &ToolSurvey<'_>, key: &str) -> String {
    match tool.echoes.get(key) {
        Some(echo) => format!(
            "{} of {} answers have the `{key}` asked for",
            echo.same, echo.asked
        ),
        None => {
            let objects = tool.shape.objects;
            format!("{objects} answers have `{key}` and the record's other fields")
        }
    }
}

/// Whether the values of two tools have mostly the same fields.
fn are_alike(survey: &Survey<'_>, left: &str, right: &str) -> bool {
    let fields = |id: &str| -> BTreeSet<&str> {
        let tool = survey.tools.get(id);
        tool.map(|tool| tool.shape.usual_fields().into_iter().collect())
            .unwrap_or_default()
    };
    let (left, right) = (fields(left), fields(right));
    let both = left.intersection(&right).count();
    let either = left.union(&right).count();
    both > 1 && both * 5 >= either * 3
}

fn is_key(name: &str) -> bool {
    words(name).any(|word| KEY_WORDS.contains(&word.as_str()))
}

/// What a record with this key is called: `order` for `order_id`.
pub(super) fn named_after(key: &str) -> String {
    let name: Vec<String> = words(key)
        .filter(|word| !KEY_WORDS.contains(&word.as_str()))
        .collect();
    match name.is_empty() {
        true => "record".to_owned(),
        false => name.join("_"),
    }
}

/// The name, with a number behind it if it is taken.
pub(super) fn free_name(name: String, taken: &mut BTreeSet<String>) -> String {
    let mut free = name.clone();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}
