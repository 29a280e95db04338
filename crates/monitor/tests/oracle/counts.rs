//! How often things happened, what they add up to, and how long ago they did.
//!
//! The outcome of a call stands at the place and the time of its call.

use super::compare::{Quantity, Reading, milli};
use super::facts::{Called, Event, View, What, ended, spoken};
use super::letters::names;
use super::logic::T3;
use super::terms::Fit;
use lictor_contract::predicate::{Count, EventPredicate, Term, ToolEvent};
use lictor_contract::value::Value;
use std::collections::BTreeSet;

/// Something counted: its place, whether its outcome is seen, whether it surely counts, and what
/// it adds.
struct Item {
    at: usize,
    settled: bool,
    surely: bool,
    /// None where it cannot be read.
    amount: Option<f64>,
}

impl<'e> View<'e> {
    /// Whether something then lies within the window; none if nobody knows.
    fn inside(&self, window: Option<u64>, then: &Event) -> Option<bool> {
        let Some(length) = window else {
            return Some(true);
        };
        let (now, then) = (self.now.stamp.as_ref()?, then.stamp.as_ref()?);
        Some(then.seconds >= now.seconds - length as f64)
    }

    /// All that may count.
    fn items(&self, count: &Count, amount: Option<&Term>) -> Option<Vec<Item>> {
        let keys = self.keys(&count.keys)?;
        let window = count.within.map(|it| it.0);
        let mut items = Vec::new();
        for (at, event) in self.before.iter().enumerate() {
            let inside = self.inside(window, event);
            if inside == Some(false) {
                continue;
            }
            let mut item = Item {
                at,
                settled: true,
                surely: inside == Some(true),
                amount: Some(1.0),
            };
            match (&count.event, &event.what) {
                (EventPredicate::Tool(kind, tools), What::Call(call)) => {
                    if !names(tools, &call.tool) || call.withheld {
                        continue;
                    }
                    item.settled = match self.answer(call) {
                        _ if *kind == ToolEvent::Call => true,
                        None => false,
                        Some((ok, _)) if ended(*kind, ok) => true,
                        Some(_) => continue,
                    };
                    match self.fit(call, &keys) {
                        Fit::Yes => {}
                        Fit::Perhaps => item.surely = false,
                        Fit::No => continue,
                    }
                    if let Some(amount) = amount {
                        item.amount = self.amount(call, amount);
                    }
                }
                (EventPredicate::Confirms, What::User(_, answer)) => match answer {
                    T3::True => {}
                    T3::Unknown => item.surely = false,
                    _ => continue,
                },
                (words, _) if spoken(words, event).is_some() => {}
                _ => continue,
            }
            // A reservation is a fact, whatever its answer will show.
            item.surely |= !item.settled;
            items.push(item);
        }
        Some(items)
    }

    fn amount(&self, call: &'e Called, amount: &Term) -> Option<f64> {
        let mut view = self.clone();
        view.counted = Some(call);
        match view.exact(amount) {
            Some(number @ Value::Number(_)) => super::letters::number(&number),
            _ => None,
        }
    }

    /// The place of the newest of these events.
    fn newest(&self, event: &EventPredicate) -> Option<usize> {
        let seen = |place: usize| match (event, &self.before[place].what) {
            (EventPredicate::Tool(kind, tools), What::Call(call)) => {
                let happened = match self.answer(call) {
                    _ if *kind == ToolEvent::Call => true,
                    Some((ok, _)) => ended(*kind, ok),
                    None => false,
                };
                names(tools, &call.tool) && !call.withheld && happened
            }
            (EventPredicate::Confirms, What::User(_, answer)) => *answer == T3::True,
            (words, _) => spoken(words, &self.before[place]).is_some(),
        };
        (0..self.before.len()).rev().find(|place| seen(*place))
    }

    /// The user turns that may have been a yes since the last one that was.
    fn perhaps(&self) -> Vec<usize> {
        let known = self.newest(&EventPredicate::Confirms);
        let open = |place: &usize| matches!(self.before[*place].what, What::User(_, T3::Unknown));
        let from = known.map_or(0, |it| it + 1);
        (from..self.before.len()).filter(open).collect()
    }

    /// The readings of a count or sum, one for each event that it may start after.
    pub fn tally(&self, count: &Count, amount: Option<&Term>) -> Option<Quantity> {
        let items = self.items(count, amount)?;
        // After a place, or after nothing that ever happened.
        let mut starts: Vec<Option<usize>> = Vec::new();
        match &count.since {
            None => starts.push(None),
            Some(event) => {
                starts.push(self.newest(event));
                if *event == EventPredicate::Confirms {
                    starts.extend(self.perhaps().into_iter().map(Some));
                }
            }
        }
        let mut all = BTreeSet::new();
        for start in starts {
            let after = |item: &&Item| start.is_some_and(|start| item.at > start);
            let from_start = |item: &&Item| count.since.is_none() || after(item);
            all.extend(readings(items.iter().filter(from_start))?);
        }
        Some(Quantity {
            readings: all,
            unit: (0, 0),
        })
    }

    /// Seconds since the newest of these events.
    pub fn since(&self, event: &EventPredicate) -> Option<Quantity> {
        let now = self.now.stamp.as_ref()?.seconds;
        if *event == EventPredicate::Confirms && !self.perhaps().is_empty() {
            return None;
        }
        let then = self.before[self.newest(event)?].stamp.as_ref()?.seconds;
        Some(Quantity::of(now - then))
    }
}

/// What these add up to, in every reading of what only perhaps counts; none where one of them
/// cannot be read.
fn readings<'i>(items: impl Iterator<Item = &'i Item>) -> Option<BTreeSet<Reading>> {
    let mut all = BTreeSet::from([Reading::of(0)]);
    for item in items {
        let amount = milli(item.amount?);
        let with = |reading: &Reading| {
            let mut reading = *reading;
            if item.settled {
                reading.settled += amount;
            }
            // What is in flight may still come to nothing.
            if item.settled || amount < 0 {
                reading.low += amount;
            }
            if item.settled || amount > 0 {
                reading.high += amount;
            }
            reading
        };
        let mut next: BTreeSet<Reading> = all.iter().map(with).collect();
        if !item.surely {
            next.extend(all);
        }
        all = next;
    }
    Some(all)
}
