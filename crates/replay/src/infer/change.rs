//! The second look at the runs: what changed between two readings of one thing,
//! and which write stood between them.

use super::id;
use super::record::Record;
use super::result::Reading;
use super::step::{Seen, Step, steps};
use super::survey::Survey;
use crate::run::Run;
use lictor_contract::catalog::Effect;
use lictor_contract::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What is read: a kind of record, by its place in the list, or the value of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source<'a> {
    Record(usize),
    Tool(&'a str),
}

/// What is known to have changed.
#[derive(Debug, Default)]
pub(super) struct Changes<'a> {
    /// By what was read and the one write in between, which names what was read.
    pub(super) named: BTreeMap<(Source<'a>, &'a str), Change>,
    /// The same for writes that do not name it.
    pub(super) unnamed: BTreeMap<(Source<'a>, &'a str), Change>,
    /// Readings with no write and one other tool in between: how many differ, and
    /// how many do not.
    pub(super) unexplained: BTreeMap<&'a str, (u64, u64)>,
}

/// Readings of one thing before and after one write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) changed: u64,
    pub(super) same: u64,
    /// Top-level fields that changed, and how often.
    pub(super) fields: BTreeMap<String, u64>,
    /// The argument that the thing is read by, and that of the write with the
    /// same value: how often each pair was found in a change.
    pub(super) keys: BTreeMap<(String, String), u64>,
}

impl Change {
    /// All that is known of both.
    fn and(&self, other: &Change) -> Change {
        let mut both = self.clone();
        both.changed += other.changed;
        both.same += other.same;
        for (field, count) in &other.fields {
            *both.fields.entry(field.clone()).or_default() += count;
        }
        both
    }

    /// The fields that changed more often than by chance.
    pub(super) fn usual_fields(&self) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter();
        let usual = fields.filter(|(_, count)| **count * 10 >= self.changed);
        usual.map(|(name, _)| name.as_str())
    }

    /// The argument of the write that nearly always held the key.
    pub(super) fn argument(&self, key: &str) -> Option<&str> {
        let always = self.keys.iter();
        let always =
            always.filter(|((own, _), count)| own == key && **count * 10 >= self.changed * 9);
        let mut names: Vec<&str> = always.map(|((_, name), _)| name.as_str()).collect();
        names.sort_by_key(|name| (*name != key, *name));
        names.first().copied()
    }
}

impl<'a> Changes<'a> {
    /// The writes after which readings of a source differ. A write that mostly
    /// changes what it names is taken to change nothing else: the few other
    /// readings that differ after it have another cause.
    pub(super) fn of(&self, source: Source<'_>) -> Vec<(&'a str, Change)> {
        let none = Change::default();
        let all = self.named.keys().chain(self.unnamed.keys());
        let writes: BTreeSet<&'a str> = all
            .filter(|(of, _)| *of == source)
            .map(|(_, write)| *write)
            .collect();
        let found = writes.into_iter().filter_map(|write| {
            let find = |of: &'_ BTreeMap<(Source<'a>, &'a str), Change>| {
                let mut found = of.iter();
                found
                    .find(|((of, by), _)| *of == source && *by == write)
                    .map_or_else(|| none.clone(), |(_, change)| change.clone())
            };
            let (named, unnamed) = (find(&self.named), find(&self.unnamed));
            let often = unnamed.changed * 5 >= unnamed.changed + unnamed.same;
            let change = match (named.changed, unnamed.changed) {
                (0, 0) => return None,
                (0, _) if often => unnamed,
                (0, _) => return None,
                (changed, others) if others * 5 > changed => {
                    let mut both = named.and(&unnamed);
                    both.keys.clear();
                    both
                }
                _ => named,
            };
            Some((write, change))
        });
        found.collect()
    }

    /// How many readings differ after a write.
    pub(super) fn after(&self, write: &str) -> u64 {
        let all = self.named.iter().chain(&self.unnamed);
        all.filter(|((_, by), _)| *by == write)
            .map(|(_, change)| change.changed)
            .sum()
    }

    /// Readings that differ although nothing but this tool ran in between, if
    /// that is the rule.
    pub(super) fn after_a_read(&self, tool: &str) -> Option<u64> {
        let (differ, same) = self.unexplained.get(tool).copied()?;
        (differ >= 2 && differ > same).then_some(differ)
    }
}

/// Follows values through runs.
#[derive(Debug)]
pub(super) struct Tracker<'s, 'a> {
    survey: &'s Survey<'a>,
    /// The record that a tool returns.
    record_of: BTreeMap<&'a str, usize>,
    keys: Vec<String>,
    readings: BTreeMap<&'a str, Reading>,
    pub(super) changes: Changes<'a>,
}

/// A value that was read, when, and by which arguments.
struct Before<'v> {
    value: &'v Value,
    at: usize,
}

/// A tool that was run in between.
struct Done<'a, 'v> {
    tool: &'a str,
    at: usize,
    writes: bool,
    failed: bool,
    arguments: Option<&'v BTreeMap<String, Value>>,
}

/// One thing that is read: its source, and what it was asked by.
type Slot<'a> = (Source<'a>, Vec<(String, String)>);

impl<'s, 'a> Tracker<'s, 'a> {
    pub(super) fn new(survey: &'s Survey<'a>, records: &[Record<'a>]) -> Self {
        let mut record_of = BTreeMap::new();
        for (index, record) in records.iter().enumerate() {
            record_of.extend(record.returned_by.keys().map(|tool| (*tool, index)));
        }
        let tools = survey.tools.iter();
        Tracker {
            survey,
            record_of,
            keys: records.iter().map(|record| record.key.clone()).collect(),
            readings: tools.map(|(id, tool)| (*id, tool.reading())).collect(),
            changes: Changes::default(),
        }
    }

    /// Follows a run. Costs, for each reading, the calls since the last one.
    pub(super) fn follow(&mut self, run: &Run) {
        let mut last: BTreeMap<Slot<'a>, Before<'_>> = BTreeMap::new();
        let mut done: Vec<Done<'a, '_>> = Vec::new();
        let steps = steps(run, &self.survey.names);
        for (at, step) in steps.iter().enumerate() {
            let Seen::Answered(step) = step else {
                continue;
            };
            let Some((id, tool)) = self.survey.tools.get_key_value(step.tool) else {
                continue;
            };
            let reading = self.readings.get(id).copied().unwrap_or_default();
            let value = step.result.and_then(|result| reading.value(result));
            // A tool that answers nothing may have done what it was asked.
            let failed = value.is_none() && step.result != Some(&Value::Null);
            done.push(Done {
                tool: id,
                at,
                writes: tool.effect() != Some(Effect::Read),
                failed,
                arguments: step.arguments,
            });
            let Some(value) = value else {
                continue;
            };
            let Some(slot) = self.slot(id, step, value) else {
                continue;
            };
            if let Some(before) = last.get(&slot) {
                self.compare(&slot, before, value, &done);
            }
            last.insert(slot, Before { value, at });
        }
    }

    /// The thing that an answer is a reading of.
    fn slot(&self, id: &'a str, step: &Step<'_>, value: &Value) -> Option<Slot<'a>> {
        if let Some(index) = self.record_of.get(id) {
            let key = self.keys.get(*index)?;
            let Value::Object(fields) = value else {
                return None;
            };
            let found = id::key(fields.get(key)?)?;
            return Some((Source::Record(*index), vec![(key.clone(), found)]));
        }
        if self.survey.tools.get(id)?.effect() != Some(Effect::Read) {
            return None;
        }
        let arguments = step.arguments?.iter();
        let arguments = arguments.map(|(name, value)| {
            let text = id::key(value).unwrap_or_else(|| value.to_string());
            (name.clone(), text)
        });
        Some((Source::Tool(id), arguments.collect()))
    }

    fn compare(
        &mut self,
        slot: &Slot<'a>,
        before: &Before<'_>,
        after: &Value,
        done: &[Done<'a, '_>],
    ) {
        let (source, asked) = slot;
        let between = done.iter().rev().take_while(|it| it.at > before.at);
        let (writes, others): (Vec<_>, Vec<_>) = between.partition(|it| it.writes);
        let names_it = |it: &&&Done<'a, '_>| !shared(asked, it.arguments).is_empty();
        // A write that failed may have gone half the way, so nothing is known.
        if writes.iter().filter(names_it).any(|it| it.failed) {
            return;
        }
        let fields = changed_fields(before.value, after);
        let changed = before.value != after;
        let named: Vec<_> = writes.iter().filter(names_it).collect();
        let unnamed: Vec<_> = writes.iter().filter(|it| !it.failed).collect();
        let (cause, change) = match (named.as_slice(), unnamed.as_slice()) {
            ([only], _) => {
                let change = self.changes.named.entry((*source, only.tool));
                (only, change.or_default())
            }
            ([], [only]) => {
                let change = self.changes.unnamed.entry((*source, only.tool));
                (only, change.or_default())
            }
            ([], []) => {
                let mut tools: BTreeSet<&'a str> = others.iter().map(|it| it.tool).collect();
                if let Some(own) = done.last() {
                    tools.remove(own.tool);
                }
                if let (1, Some(only)) = (tools.len(), tools.first()) {
                    let (differ, same) = self.changes.unexplained.entry(only).or_default();
                    *differ += u64::from(changed);
                    *same += u64::from(!changed);
                }
                return;
            }
            _ => return,
        };
        if !changed {
            change.same += 1;
            return;
        }
        change.changed += 1;
        for field in fields {
            *change.fields.entry(field).or_default() += 1;
        }
        for pair in shared(asked, cause.arguments) {
            *change.keys.entry(pair).or_default() += 1;
        }
    }
}

/// The arguments of a write whose value is one that the thing was asked by.
fn shared(
    asked: &[(String, String)],
    arguments: Option<&BTreeMap<String, Value>>,
) -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    for (name, value) in arguments.into_iter().flatten() {
        let Some(value) = id::key(value) else {
            continue;
        };
        for (key, text) in asked {
            if *text == value {
                pairs.insert((key.clone(), name.clone()));
            }
        }
    }
    pairs
}

/// The top-level fields in which two objects differ.
fn changed_fields(before: &Value, after: &Value) -> BTreeSet<String> {
    let (Value::Object(before), Value::Object(after)) = (before, after) else {
        return BTreeSet::new();
    };
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    names
        .into_iter()
        .filter(|name| before.get(*name) != after.get(*name))
        .cloned()
        .collect()
}
