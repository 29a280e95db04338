//! Which result answers which call.
//!
//! Recorded ids may be empty, start again with every message, or occur twice
//! in one. A result belongs to the nearest earlier call that is still open
//! under its id; where ids do not tell, the order does, but only if there are
//! as many results as calls. Otherwise nobody knows which call was answered,
//! and the result is no fact.

use crate::format::message::RecordedResult;
use lictor_contract::event::{CallId, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// A call without a result so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Open {
    /// Its name among the events.
    pub(super) id: CallId,
    /// Its turn.
    pub(super) turn: Turn,
    /// Its recorded id.
    pub(super) recorded: String,
    /// The tool.
    pub(super) tool: String,
    /// Index of its message.
    pub(super) message: usize,
    /// Whether it took place.
    pub(super) executed: bool,
}

/// All calls without a result.
#[derive(Debug, Default)]
pub(super) struct OpenCalls {
    calls: BTreeMap<CallId, Open>,
    /// Open calls by recorded id, oldest first; no list is empty.
    by_recorded: BTreeMap<String, Vec<CallId>>,
    /// Recorded ids of calls that the user's side made.
    by_user: BTreeSet<String>,
}

/// What became of a block of results.
pub(super) struct Pairing {
    /// For each result of the block its call, if there is one.
    pub(super) pairs: Vec<Option<Open>>,
    /// What is to be told, with the index of the message.
    pub(super) complaints: Vec<(usize, String)>,
}

impl OpenCalls {
    /// Adds a call.
    pub(super) fn add(&mut self, open: Open) {
        self.by_user.remove(&open.recorded);
        self.by_recorded
            .entry(open.recorded.clone())
            .or_default()
            .push(open.id);
        self.calls.insert(open.id, open);
    }

    /// Notes a call of the user's side, whose result is no fact.
    pub(super) fn note_user_call(&mut self, recorded: String) {
        self.by_user.insert(recorded);
    }

    /// The open calls in order, as message index and tool; calls that an earlier
    /// gate stopped need no result.
    pub(super) fn unanswered(&self) -> Vec<(usize, String)> {
        self.calls
            .values()
            .filter(|open| open.executed)
            .map(|open| (open.message, open.tool.clone()))
            .collect()
    }

    fn take(&mut self, id: CallId) -> Option<Open> {
        let open = self.calls.remove(&id)?;
        if let Some(ids) = self.by_recorded.get_mut(&open.recorded) {
            // Nearly always the last one, so this looks at one element.
            if let Some(place) = ids.iter().rposition(|other| *other == id) {
                ids.remove(place);
            }
            if ids.is_empty() {
                self.by_recorded.remove(&open.recorded);
            }
        }
        Some(open)
    }

    /// The open calls with this recorded id in the newest turn that has any.
    fn nearest(&self, recorded: &str) -> Vec<CallId> {
        let ids = self
            .by_recorded
            .get(recorded)
            .map(Vec::as_slice)
            .unwrap_or_default();
        self.of_newest_turn(ids.iter().rev().copied())
    }

    /// The open calls of the newest turn that has any.
    fn newest(&self) -> Vec<CallId> {
        self.of_newest_turn(self.calls.keys().rev().copied())
    }

    fn of_newest_turn(&self, newest_first: impl Iterator<Item = CallId>) -> Vec<CallId> {
        let mut turn = None;
        let mut ids: Vec<CallId> = newest_first
            .take_while(|id| {
                let this = self.calls.get(id).map(|open| open.turn);
                *turn.get_or_insert(this) == this
            })
            .collect();
        ids.reverse();
        ids
    }

    /// Whether a result answers a call of the user's side.
    fn is_by_user(&self, result: &RecordedResult) -> bool {
        result.by_user.unwrap_or_else(|| {
            self.by_user.contains(&result.id) && !self.by_recorded.contains_key(&result.id)
        })
    }

    /// Pairs the results that came in one block.
    pub(super) fn pair(&mut self, block: &[(usize, RecordedResult)]) -> Pairing {
        let mut pairing = Pairing {
            pairs: block.iter().map(|_| None).collect(),
            complaints: Vec::new(),
        };
        // The places in the block of the agent's results, by recorded id. Ids
        // that name an open call go first, so that the empty id gets the rest.
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut unnamed = Vec::new();
        for (place, (_, result)) in block.iter().enumerate() {
            if self.is_by_user(result) {
                continue;
            }
            if !result.id.is_empty() && self.by_recorded.contains_key(&result.id) {
                named.entry(&result.id).or_default().push(place);
            } else {
                unnamed.push(place);
            }
        }
        let any_named = !named.is_empty();
        for (recorded, places) in named {
            let calls = self.nearest(recorded);
            match (calls.as_slice(), places.split_first()) {
                ([call], Some((first, more))) => {
                    self.assign(&mut pairing, *first, *call);
                    for place in more {
                        pairing.complain(
                            block,
                            *place,
                            format!("a second result for the call `{recorded}` was passed over"),
                        );
                    }
                }
                _ => self.by_order(
                    &mut pairing,
                    block,
                    &places,
                    calls,
                    &format!("the call id `{recorded}` is repeated within one message"),
                ),
            }
        }
        if unnamed.is_empty() {
            return pairing;
        }
        let (strangers, empty): (Vec<usize>, Vec<usize>) = unnamed.into_iter().partition(|place| {
            block
                .get(*place)
                .is_some_and(|(_, result)| !result.id.is_empty())
        });
        let calls = self.newest();
        if !strangers.is_empty() && !any_named && empty.is_empty() && strangers.len() == calls.len()
        {
            // None of the ids fits, but the numbers do: the recorder renamed them.
            self.by_order(
                &mut pairing,
                block,
                &strangers,
                calls,
                "no result has the id of a call",
            );
            return pairing;
        }
        for place in strangers {
            let id = block
                .get(place)
                .map(|(_, result)| result.id.as_str())
                .unwrap_or_default();
            pairing.complain(
                block,
                place,
                format!("the result `{id}` answers no open call and was passed over"),
            );
        }
        if !empty.is_empty() {
            self.by_order(&mut pairing, block, &empty, calls, "");
        }
        pairing
    }

    fn assign(&mut self, pairing: &mut Pairing, place: usize, call: CallId) {
        if let Some(slot) = pairing.pairs.get_mut(place) {
            *slot = self.take(call);
        }
    }

    /// Pairs results and calls whose ids do not tell: in order if there are as
    /// many, else by the tool where that leaves one choice.
    fn by_order(
        &mut self,
        pairing: &mut Pairing,
        block: &[(usize, RecordedResult)],
        places: &[usize],
        calls: Vec<CallId>,
        why: &str,
    ) {
        if places.len() == calls.len() {
            for (place, call) in places.iter().zip(calls) {
                if !why.is_empty() {
                    pairing.complain(
                        block,
                        *place,
                        format!("{why}; the result was given to its call by order"),
                    );
                }
                self.assign(pairing, *place, call);
            }
            return;
        }
        for place in places {
            let tool = block
                .get(*place)
                .and_then(|(_, result)| result.tool.as_deref());
            let fitting: Vec<CallId> = calls
                .iter()
                .copied()
                .filter(|call| {
                    tool.is_some() && self.calls.get(call).map(|open| open.tool.as_str()) == tool
                })
                .collect();
            let rivals = places
                .iter()
                .filter(|other| {
                    block
                        .get(**other)
                        .and_then(|(_, result)| result.tool.as_deref())
                        == tool
                })
                .count();
            match fitting.as_slice() {
                [call] if rivals == 1 => self.assign(pairing, *place, *call),
                _ if calls.is_empty() => {
                    pairing.complain(
                        block,
                        *place,
                        "the result answers no open call and was passed over".into(),
                    );
                }
                _ => pairing.complain(
                    block,
                    *place,
                    "it cannot be told which open call the result answers, so it is no fact".into(),
                ),
            }
        }
    }
}

impl Pairing {
    fn complain(&mut self, block: &[(usize, RecordedResult)], place: usize, text: String) {
        if let Some((message, _)) = block.get(place) {
            self.complaints.push((*message, text));
        }
    }
}
