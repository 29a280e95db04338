//! `last`, `first` and `every`: successful values, found by their keys.
//!
//! A fact comes from the answer of a tool that the look-up names, or of another
//! tool that returns the same record. A write that the catalog declares to change
//! a record makes what it changes stale, from its admission until it is read
//! again; an error answer takes that back (DESIGN section 3).

use super::{Ground, Moment, Now};
use crate::history::CallRecord;
use lictor_contract::event::{Arguments, Outcome};
use lictor_contract::predicate::{Key, Lookup, Name, Occurrence, Path};
use lictor_contract::value::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What a look-up finds.
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// The answer that carries the fact.
    Fact(&'a CallRecord),
    /// An answer that a write has made stale.
    Stale,
    /// None, or perhaps another one.
    Nothing,
}

impl<'m> Moment<'m> {
    pub(super) fn lookup<'s>(&'s self, lookup: &'s Lookup) -> Ground<'s> {
        if lookup.which == Occurrence::Every {
            return self.every(lookup);
        }
        match self.find(lookup) {
            Found::Fact(record) => Ground::of(
                record
                    .value()
                    .and_then(|value| self.select(value, &lookup.path.0)),
            ),
            Found::Stale => Ground::Stale,
            Found::Nothing => Ground::Unknown,
        }
    }

    /// The newest (or oldest) successful answer that carries all the keys;
    /// nothing if another one perhaps does.
    pub fn find(&self, lookup: &Lookup) -> Found<'_> {
        let Some(keys) = self.keys(&lookup.keys) else {
            return Found::Nothing;
        };
        let sources = self.world.sources(&lookup.tools);
        let newest = lookup.which == Occurrence::Last;
        let lanes = self.history.calls_of(&sources).filter_map(|lane| {
            let lane: Box<dyn Iterator<Item = &CallRecord>> = match newest {
                true => Box::new(lane.rev()),
                false => Box::new(lane),
            };
            let mut answers = lane
                .filter(|record| record.is_settled_for(self.viewer()) && record.value().is_some());
            answers.find_map(|record| match self.carries(record, &keys) {
                Some(false) => None,
                carries => Some((record, carries)),
            })
        });
        let found = match newest {
            true => lanes.max_by_key(|(record, _)| record.at),
            false => lanes.min_by_key(|(record, _)| record.at),
        };
        match found {
            Some((record, Some(true))) if newest && self.is_stale(&lookup.path, record) => {
                Found::Stale
            }
            Some((record, Some(true))) => Found::Fact(record),
            _ => Found::Nothing,
        }
    }

    /// All successful answers that carry the keys, oldest first, as a list. One
    /// that was read again stands as it was; the newest of a record may be stale.
    fn every<'s>(&'s self, lookup: &'s Lookup) -> Ground<'s> {
        let Some(keys) = self.keys(&lookup.keys) else {
            return Ground::Unknown;
        };
        let sources = self.world.sources(&lookup.tools);
        let mut records: Vec<&CallRecord> = Vec::new();
        for record in self.history.calls_of(&sources).flatten() {
            if !record.is_settled_for(self.viewer()) || record.value().is_none() {
                continue;
            }
            match self.carries(record, &keys) {
                Some(true) => records.push(record),
                Some(false) => {}
                None => return Ground::Unknown,
            }
        }
        records.sort_by_key(|record| record.at);
        // What was read again stands as it was when it was read.
        let mut newest: BTreeSet<(&str, Value)> = BTreeSet::new();
        for record in records.iter().rev() {
            let read = self.record_key(record);
            let again = read.is_some_and(|(entity, key)| !newest.insert((entity, key)));
            if !again && self.is_stale(&lookup.path, record) {
                return Ground::Stale;
            }
        }
        let mut values = Vec::new();
        for record in records {
            let selected = record
                .value()
                .and_then(|value| self.select(value, &lookup.path.0));
            match selected.map(Cow::into_owned) {
                Some(Value::List(inner)) if lookup.path.is_plural() => values.extend(inner),
                Some(value) => values.push(value),
                None => return Ground::Unknown,
            }
        }
        Ground::Value(Cow::Owned(Value::List(values)))
    }

    /// Whether a write has changed what the path reads since the record was read.
    fn is_stale(&self, path: &Path, record: &CallRecord) -> bool {
        let Some((_, entity)) = self.world.entity(&record.tool) else {
            return false;
        };
        if self.as_read {
            return false;
        }
        let key = self.record_key(record).map(|(_, key)| key);
        entity.invalidated_by.iter().any(|(write, what)| {
            let touches = what.fields.is_empty()
                || reads(path).is_none_or(|field| what.fields.contains(field));
            touches
                && self
                    .history
                    .calls_named(write)
                    .rev()
                    .take_while(|call| call.at > record.at)
                    .filter(|call| self.took_place(call))
                    .any(|call| {
                        let written = what.key.as_ref().and_then(|name| call.arguments.get(name));
                        match (written, &key) {
                            (Some(written), Some(key)) => {
                                let is_id = self.world.is_id(&entity.key);
                                self.same(written, key, is_id) != Some(false)
                            }
                            // Which record it is cannot be told.
                            _ => true,
                        }
                    })
        })
    }

    /// The kind of record that an answer holds, and its key in its one form.
    fn record_key(&self, record: &CallRecord) -> Option<(&str, Value)> {
        let (name, entity) = self.world.entity(&record.tool)?;
        let own = match record.value() {
            Some(Value::Object(fields)) => fields.get(&entity.key),
            _ => None,
        };
        let key = own.or_else(|| record.arguments.get(&entity.key))?;
        Some((name, self.world.canonical(&entity.key, key)))
    }

    /// Whether a call's arguments or its answer carry the keys. `None` if that
    /// cannot be told: what carries a key has another kind, the arguments cannot
    /// be read, or the answer that may carry it is not seen.
    pub(super) fn carries(&self, record: &CallRecord, keys: &[(&str, Value)]) -> Option<bool> {
        let seen = record.is_settled_for(self.viewer());
        let answer = record.value().filter(|_| seen);
        let readable = matches!(record.arguments, Arguments::Read(_));
        let mut carries = Some(true);
        for (name, value) in keys {
            let field = match answer {
                Some(Value::Object(fields)) => fields.get(*name),
                _ => None,
            };
            let sources = [record.arguments.get(name), field];
            let mut known = Some(false);
            for found in sources.into_iter().flatten() {
                match self.same(found, value, self.world.is_id(name)) {
                    Some(true) => {
                        known = Some(true);
                        break;
                    }
                    Some(false) => {}
                    None => known = None,
                }
            }
            if known == Some(false) && !(seen && readable) && sources.iter().all(Option::is_none) {
                known = None;
            }
            match known {
                Some(true) => {}
                Some(false) => return Some(false),
                None => carries = None,
            }
        }
        carries
    }

    /// The keys with their values; none if one has no value.
    pub(super) fn keys<'s>(&self, keys: &'s [Key]) -> Option<Vec<(&'s str, Value)>> {
        keys.iter()
            .map(|key| match &key.name {
                Name::Known(name) => {
                    let value = self.term(&key.value).exact()?.into_owned();
                    Some((name.as_str(), value))
                }
                Name::Placeholder(_) => None,
            })
            .collect()
    }

    /// Whether a write has happened or may have, as far as its answer is seen. One
    /// that a gate refused in a replay happened if its recorded answer is no error.
    fn took_place(&self, call: &CallRecord) -> bool {
        match &call.answer {
            Some((outcome, _)) if call.is_settled_for(self.viewer()) => *outcome == Outcome::Ok,
            _ => !call.withheld,
        }
    }

    /// The turn whose answers are not seen: that of a proposed call.
    pub(super) fn viewer(&self) -> Option<lictor_contract::event::Turn> {
        match self.now {
            Now::Call(call) => Some(call.turn),
            _ => self.before_answers_of,
        }
    }
}

/// The field of a record that a path reads; none for the whole record.
fn reads(path: &Path) -> Option<&str> {
    path.head()
}
