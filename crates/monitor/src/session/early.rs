//! Answers that come while their turn is still open.
//!
//! A call sees no answer of its own turn, whatever the order of arrival, so a
//! later sibling is judged from before them, and takes its place before them.

use super::instances::Instances;
use super::step::{advance, begin, note};
use crate::ground::Moment;
use crate::history::Clock;
use crate::program::Monitor;
use lictor_contract::event::{CallId, Turn};
use std::collections::BTreeMap;

/// The answers of the open turn, and how things stood without them.
#[derive(Clone, Debug)]
pub struct Early {
    pub turn: Turn,
    /// The calls that were answered, and when.
    pub answers: Vec<(CallId, Clock)>,
    /// Of the contracts that an answer may have moved, the state without them.
    pub without: BTreeMap<usize, Instances>,
}

impl Early {
    /// No answer of this turn yet.
    pub fn new(turn: Turn) -> Early {
        Early {
            turn,
            answers: Vec::new(),
            without: BTreeMap::new(),
        }
    }

    /// Keeps the states that an answer may move: one of the open turn, or one
    /// that will take its place before those.
    pub fn keep(
        &mut self,
        monitor: &Monitor,
        contracts: &[Instances],
        moment: &Moment<'_>,
        all: bool,
    ) {
        let mut keep = |index: usize| {
            if let Some(instances) = contracts.get(index) {
                self.without
                    .entry(index)
                    .or_insert_with(|| instances.clone());
            }
        };
        if all {
            (0..contracts.len()).for_each(keep);
        } else {
            let dispatch = &monitor.dispatch;
            let moved = dispatch
                .concerned(&moment.now)
                .iter()
                .chain(dispatch.owing(&moment.now));
            moved.copied().for_each(&mut keep);
        }
    }

    /// An answer to a call of another turn is seen by the open one, and takes its
    /// place before the answers of it.
    pub fn advance(&mut self, monitor: &Monitor, moment: &Moment<'_>, letters: bool) {
        let moment = &Moment {
            before_answers_of: Some(self.turn),
            ..*moment
        };
        for (index, instances) in &mut self.without {
            if let Some(program) = monitor.programs.get(*index) {
                if letters {
                    note(monitor, program, instances, moment);
                }
                if monitor.dispatch.owing(&moment.now).contains(index) {
                    begin(monitor, program, instances, moment);
                }
                if monitor.dispatch.concerned(&moment.now).contains(index) {
                    advance(monitor, program, instances, moment, letters);
                }
            }
        }
    }
}
