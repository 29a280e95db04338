//! `count(E, key = t, …, since = E)`: how often something happened before now.

use super::{Moment, Quantity, carries};
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
        let mut settled = 0_u64;
        let mut in_flight = 0_u64;
        let records = tools.names().flat_map(|tool| self.history.calls_of(tool));
        for record in records.filter(|record| !record.withheld && start.includes(record.at)) {
            let seen = event == ToolEvent::Call || record.is_settled_for(self.viewer());
            // A key that only the answer will carry may still fit a call in flight.
            let fits = keys.iter().all(|(name, value)| {
                carries(record, name, value)
                    .unwrap_or(!seen && record.arguments.get(name).is_none())
            });
            if !fits {
                continue;
            }
            if !seen {
                in_flight += 1;
            } else if record.counts_as(event) {
                settled += 1;
            }
        }
        let (settled, in_flight) = (Decimal::from(settled), Decimal::from(in_flight));
        Quantity {
            settled: (settled, settled),
            reserved: (settled + in_flight, settled + in_flight),
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
                let records = tools.names().flat_map(|tool| self.history.calls_of(tool));
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
