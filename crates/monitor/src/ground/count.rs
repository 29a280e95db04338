//! `count(E, …)` and `sum(E, t, …)`: how often something happened before now, and
//! what it adds up to; `since(E)`: how long ago it last did.

use super::quantity::{Quantity, Range};
use super::{Moment, Now};
use crate::history::{CallRecord, Position};
use lictor_contract::predicate::{Count, EventPredicate, Seconds, Term, ToolEvent, ToolPattern};
use lictor_contract::value::Value;
use rust_decimal::Decimal;

/// Where counting starts in the order of events. An outcome belongs to its call:
/// it counts when the call came after the start, whenever the answer arrived.
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

/// The stretch of time in which things count.
#[derive(Clone, Copy)]
enum Window {
    /// All of it.
    Always,
    /// From this time on, in seconds since 1970.
    From(Decimal),
    /// Nobody knows what time it is.
    Unknown,
}

impl Window {
    /// Whether something of this time counts; none if that cannot be told.
    fn includes(self, stamp: Option<Decimal>) -> Option<bool> {
        match self {
            Window::Always => Some(true),
            Window::From(start) => Some(stamp? >= start),
            Window::Unknown => None,
        }
    }
}

/// What events add up to. Any of the calls in flight may still fail, so what one
/// takes away lowers the lowest alone, and what it adds raises the highest alone.
#[derive(Clone, Copy, Default)]
struct Tally {
    settled: Range,
    /// What those in flight add at most.
    in_flight: Range,
}

impl Tally {
    fn add(&mut self, settled: bool, amount: Decimal, surely: bool) -> Option<()> {
        let widen = |range: &mut Range, both: bool| {
            if both || amount.is_sign_negative() {
                range.0 = range.0.checked_add(amount)?;
            }
            if both || !amount.is_sign_negative() {
                range.1 = range.1.checked_add(amount)?;
            }
            Some(())
        };
        match settled {
            true => widen(&mut self.settled, surely),
            // A reservation is a fact, whatever its answer will show.
            false => widen(&mut self.in_flight, false),
        }
    }

    fn quantity(self) -> Option<Quantity> {
        Quantity::tallied(self.settled, self.in_flight)
    }
}

impl Moment<'_> {
    /// The count as a quantity; none if a key has no value.
    pub(super) fn count(&self, count: &Count) -> Option<Quantity> {
        self.tally(count, None)
    }

    /// The sum as a quantity; none if a key or an amount has no value.
    pub(super) fn total(&self, count: &Count, amount: &Term) -> Option<Quantity> {
        self.tally(count, Some(amount))
    }

    fn tally(&self, count: &Count, amount: Option<&Term>) -> Option<Quantity> {
        let keys = self.keys(&count.keys)?;
        let window = self.window(count.within);
        let reading = |start| self.reading(count, amount, &keys, start, window);
        match &count.since {
            None => reading(Start::Beginning),
            Some(EventPredicate::Confirms) => {
                let mut starts = self.history.yeses_at_most();
                if amount.is_none() && starts.len() > 3 {
                    // A count grows with what it reaches back to.
                    starts.drain(1..starts.len() - 2);
                }
                let mut readings = starts.into_iter().map(|at| reading(Start::of(at)));
                let first = readings.next()??;
                readings.try_fold(first, |all, one| Some(all.or(one?)))
            }
            Some(event) => reading(Start::of(self.last_position(event))),
        }
    }

    fn window(&self, within: Option<Seconds>) -> Window {
        match (within, self.history.seconds()) {
            (None, _) => Window::Always,
            (Some(length), Some(now)) => now
                .checked_sub(Decimal::from(length.0))
                .map_or(Window::Always, Window::From),
            (Some(_), None) => Window::Unknown,
        }
    }

    fn reading(
        &self,
        count: &Count,
        amount: Option<&Term>,
        keys: &[(&str, Value)],
        start: Start,
        window: Window,
    ) -> Option<Quantity> {
        match &count.event {
            EventPredicate::Tool(event, tools) => {
                self.tally_calls(*event, tools, amount, keys, start, window)
            }
            EventPredicate::Confirms => {
                let mut tally = Tally::default();
                for (at, stamp, surely) in self.history.confirmations() {
                    if start.includes(at) {
                        match window.includes(stamp) {
                            Some(false) => {}
                            inside => {
                                tally.add(true, Decimal::ONE, surely && inside == Some(true))?;
                            }
                        }
                    }
                }
                tally.quantity()
            }
            words => {
                let user = is_user(words);
                let mut tally = Tally::default();
                for at in self.positions(words).filter(|at| start.includes(*at)) {
                    let stamp = self.history.stamp_of_words(user, at);
                    match window.includes(stamp) {
                        Some(false) => {}
                        inside => tally.add(true, Decimal::ONE, inside == Some(true))?,
                    }
                }
                tally.quantity()
            }
        }
    }

    fn tally_calls(
        &self,
        event: ToolEvent,
        tools: &ToolPattern,
        amount: Option<&Term>,
        keys: &[(&str, Value)],
        start: Start,
        window: Window,
    ) -> Option<Quantity> {
        let mut tally = Tally::default();
        let records = self.history.calls_of(tools).flatten();
        for record in records.filter(|record| !record.withheld && start.includes(record.at)) {
            let settled = if event != ToolEvent::Call && !record.is_settled_for(self.viewer()) {
                false
            } else if record.counts_as(event) {
                true
            } else {
                continue;
            };
            let surely = match (self.carries(record, keys), window.includes(record.stamp)) {
                (Some(false), _) | (_, Some(false)) => continue,
                (carries, inside) => carries == Some(true) && inside == Some(true),
            };
            let amount = match amount {
                None => Decimal::ONE,
                Some(amount) => self.amount(record, amount)?,
            };
            tally.add(settled, amount, surely)?;
        }
        tally.quantity()
    }

    /// What a counted call adds to a sum; none if it cannot be read.
    fn amount(&self, record: &CallRecord, amount: &Term) -> Option<Decimal> {
        let seen = record.answer.as_ref();
        let seen = seen.filter(|_| record.is_settled_for(self.viewer()));
        let moment = Moment {
            now: Now::Counted {
                record,
                value: seen.map(|(_, value)| value),
            },
            ..*self
        };
        match moment.term(amount).exact().as_deref() {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// How many seconds ago the event last happened; none if it never did, or if
    /// nobody knows when.
    pub(super) fn time_since(&self, event: &EventPredicate) -> Option<Quantity> {
        let now = self.history.seconds()?;
        let at = match event {
            EventPredicate::Confirms => {
                let starts = self.history.yeses_at_most();
                let [only] = starts.as_slice() else {
                    return None;
                };
                (*only)?
            }
            other => self.last_position(other)?,
        };
        let stamp = match event {
            EventPredicate::Tool(..) => {
                let mut calls = self.history.calls();
                calls.find(|record| record.at == at)?.stamp
            }
            words => self.history.stamp_of_words(is_user(words), at),
        };
        now.checked_sub(stamp?).map(Quantity::of)
    }

    fn last_position(&self, event: &EventPredicate) -> Option<Position> {
        match event {
            EventPredicate::Tool(event, tools) => {
                let seen = |record: &&CallRecord| {
                    !record.withheld
                        && record.counts_as(*event)
                        && (*event == ToolEvent::Call || record.is_settled_for(self.viewer()))
                };
                let lanes = self.history.calls_of(tools);
                lanes
                    .filter_map(|lane| lane.rev().find(seen))
                    .map(|record| record.at)
                    .max()
            }
            words => self.positions(words).max(),
        }
    }

    /// The positions of turns at which a predicate over words held.
    fn positions(&self, event: &EventPredicate) -> impl Iterator<Item = Position> {
        let pattern = match event {
            EventPredicate::UserSays(pattern) | EventPredicate::AgentSays(pattern) => {
                self.patterns.get(pattern)
            }
            _ => None,
        };
        let words = self.history.words(is_user(event));
        let said = words.filter(move |(_, text)| pattern.is_none_or(|regex| regex.is_match(text)));
        said.map(|(at, _)| at)
    }
}

/// Whether a predicate over words speaks of the user.
fn is_user(event: &EventPredicate) -> bool {
    matches!(
        event,
        EventPredicate::User | EventPredicate::UserSays(_) | EventPredicate::Confirms
    )
}
