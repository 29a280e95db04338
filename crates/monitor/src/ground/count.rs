//! `count(E, key = t, …, since = E)`: how often something happened before now.

use super::{Moment, Quantity};
use crate::history::{CallRecord, Position};
use lictor_contract::predicate::{Count, EventPredicate, ToolEvent, ToolPattern};
use lictor_contract::value::Value;
use rust_decimal::Decimal;

/// Where counting starts. An outcome belongs to its call: it counts when the
/// call came after the start, whenever the answer arrived.
#[derive(Clone, Copy)]
enum Start {
    /// From the beginning.
    Beginning,
    /// After this event.
    After(Position),
    /// The event never happened, so nothing is after it.
    Never,
}

impl Start {
    fn of(position: Option<Position>) -> Start {
        position.map_or(Start::Never, Start::After)
    }

    fn includes(self, at: Position) -> bool {
        match self {
            Start::Beginning => true,
            Start::After(start) => at > start,
            Start::Never => false,
        }
    }
}

impl Moment<'_> {
    /// The count as a quantity; none if a key has no value.
    pub(super) fn count(&self, count: &Count) -> Option<Quantity> {
        let keys = self.keys(&count.keys)?;
        let (certain, possible) = match &count.since {
            None => (Start::Beginning, Start::Beginning),
            Some(EventPredicate::Confirms) => {
                let newest = self.history.last_confirmation();
                (Start::of(newest.known), Start::of(newest.possible))
            }
            Some(event) => {
                let start = Start::of(self.last_position(event));
                (start, start)
            }
        };
        let one = self.count_from(&count.event, &keys, certain);
        let other = self.count_from(&count.event, &keys, possible);
        let between = |a: (Decimal, Decimal), b: (Decimal, Decimal)| (a.0.min(b.0), a.1.max(b.1));
        Some(Quantity {
            settled: between(one.settled, other.settled),
            reserved: between(one.reserved, other.reserved),
        })
    }

    fn count_from(&self, event: &EventPredicate, keys: &[(&str, Value)], start: Start) -> Quantity {
        match event {
            EventPredicate::Tool(event, tools) => self.count_calls(*event, tools, keys, start),
            EventPredicate::Confirms => {
                let (known, possible) = self.history.confirmations();
                let range = (Decimal::from(known), Decimal::from(possible));
                Quantity {
                    settled: range,
                    reserved: range,
                }
            }
            words => {
                let counted = self
                    .positions(words)
                    .filter(|at| start.includes(*at))
                    .count();
                Quantity::of(Decimal::from(counted))
            }
        }
    }

    fn count_calls(
        &self,
        event: ToolEvent,
        tools: &ToolPattern,
        keys: &[(&str, Value)],
        start: Start,
    ) -> Quantity {
        // Of what is done, and of what is in flight: how many surely carry the
        // keys, and how many may.
        let mut settled = (0_u64, 0_u64);
        let mut in_flight = (0_u64, 0_u64);
        let records = self.history.calls_of(tools).flatten();
        for record in records.filter(|record| !record.withheld && start.includes(record.at)) {
            let tally = if event != ToolEvent::Call && !record.is_settled_for(self.viewer()) {
                &mut in_flight
            } else if record.counts_as(event) {
                &mut settled
            } else {
                continue;
            };
            match self.carries(record, keys) {
                Some(true) => *tally = (tally.0 + 1, tally.1 + 1),
                Some(false) => {}
                None => tally.1 += 1,
            }
        }
        let (low, high) = settled;
        Quantity {
            settled: (low.into(), high.into()),
            reserved: ((low + in_flight.0).into(), (high + in_flight.1).into()),
        }
    }

    fn last_position(&self, event: &EventPredicate) -> Option<Position> {
        match event {
            EventPredicate::Tool(event, tools) => {
                let seen = |record: &&CallRecord| {
                    !record.withheld
                        && record.counts_as(*event)
                        && (*event == ToolEvent::Call || record.is_settled_for(self.viewer()))
                };
                let records = self.history.calls_of(tools).flatten();
                records.filter(seen).map(|record| record.at).max()
            }
            words => self.positions(words).max(),
        }
    }

    /// The positions of turns at which a predicate over words held.
    fn positions(&self, event: &EventPredicate) -> impl Iterator<Item = Position> {
        let user = matches!(event, EventPredicate::User | EventPredicate::UserSays(_));
        let pattern = match event {
            EventPredicate::UserSays(pattern) | EventPredicate::AgentSays(pattern) => {
                self.patterns.get(pattern)
            }
            _ => None,
        };
        let words = self.history.words(user);
        let said = words.filter(move |(_, text)| pattern.is_none_or(|regex| regex.is_match(text)));
        said.map(|(at, _)| at)
    }
}
