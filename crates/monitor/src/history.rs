//! What a session remembers: calls and their outcomes, words, context.
//!
//! Facts come only from tool results, user turns and the host, never from what
//! the agent says (NOMOS, Figure 1). The agent's words are kept for one purpose:
//! what was asked and listed before a yes.

use crate::consent::{Answer, Judgement, Languages, Said};
use lictor_contract::event::{Arguments, Call, CallId, Outcome, Return, Turn};
use lictor_contract::predicate::{ToolEvent, ToolPattern, ToolRef};
use lictor_contract::value::Value;
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A place in the order of events of one session.
pub type Position = u32;

/// A time as it was given and in seconds since 1970; none if nobody knows it.
pub type Clock = Option<(Value, Decimal)>;

/// A call that takes or took place.
#[derive(Clone, Debug)]
pub struct CallRecord {
    /// The tool, as the agent wrote it.
    pub tool: String,
    /// Its turn.
    pub turn: Turn,
    /// Its arguments.
    pub arguments: Arguments,
    /// When it was admitted, in the order of events.
    pub at: Position,
    /// When it was admitted, in seconds since 1970, if the feeder says so.
    pub stamp: Option<Decimal>,
    /// How it ended and what it answered; none while it is in flight.
    pub answer: Option<(Outcome, Value)>,
    /// Whether it was refused by a gate under replay: its answer is a fact of
    /// the world, but it counts for nothing.
    pub withheld: bool,
}

/// A user turn and what it answered.
#[derive(Clone, Debug)]
struct UserTurn {
    at: Position,
    stamp: Option<Decimal>,
    text: String,
    judgement: Judgement,
}

/// What the agent wrote.
#[derive(Clone, Debug)]
struct AgentTurn {
    at: Position,
    stamp: Option<Decimal>,
    turn: Turn,
    text: String,
}

/// How things stood before a call, for taking it back.
#[derive(Clone, Debug)]
pub struct Mark {
    next: Position,
    calls: usize,
    writes: usize,
    admitted_in_turn: Option<(Turn, u32)>,
    turns: u32,
    newest_agent_turn: Option<Turn>,
}

/// Everything a session remembers.
#[derive(Clone, Debug, Default)]
pub struct History {
    next: Position,
    calls: Vec<CallRecord>,
    by_tool: BTreeMap<String, Vec<usize>>,
    by_id: BTreeMap<CallId, usize>,
    admitted_in_turn: Option<(Turn, u32)>,
    users: Vec<UserTurn>,
    agents: Vec<AgentTurn>,
    /// Turns in which the agent wrote or called.
    turns: u32,
    newest_agent_turn: Option<Turn>,
    /// The time of the present event.
    clock: Clock,
    /// Whether the session's times are instants, once there is one.
    clock_is_instant: Option<bool>,
    /// Admitted calls that may change something, by their place in `calls`.
    writes: Vec<usize>,
    context: BTreeMap<String, Value>,
    listing: Listing,
}

/// What was said for the present yes, once somebody asked for it.
#[derive(Clone, Default)]
struct Listing(OnceLock<Option<Arc<Said<'static>>>>);

impl fmt::Debug for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listing")
    }
}

impl History {
    /// Adds a fact from the host.
    pub fn set_context(&mut self, key: &str, value: Value) {
        self.context.insert(key.to_owned(), value);
    }

    /// A fact from the host.
    pub fn context(&self, key: &str) -> Option<&Value> {
        self.context.get(key)
    }

    /// Sets the time of the events that follow, in seconds of an instant or of
    /// the clock of an undeclared zone; none if nobody knows it. One session has
    /// one clock: a time of the other kind is unknown.
    pub fn set_clock(&mut self, time: Option<(Value, Decimal, bool)>) {
        self.clock = time.and_then(|(value, seconds, is_instant)| {
            let kind = *self.clock_is_instant.get_or_insert(is_instant);
            (kind == is_instant).then_some((value, seconds))
        });
    }

    /// Puts the clock back to what [`History::clock`] said.
    pub fn put_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// The time of the present event.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The time of the present event as it was given.
    pub fn stamp(&self) -> Option<&Value> {
        self.clock.as_ref().map(|(value, _)| value)
    }

    /// The time of the present event in seconds since 1970.
    pub fn seconds(&self) -> Option<Decimal> {
        self.clock.as_ref().map(|(_, seconds)| *seconds)
    }

    fn tick(&mut self) -> Position {
        let at = self.next;
        self.next = self.next.saturating_add(1);
        at
    }

    /// Adds a user turn and what it answered.
    pub fn add_user(&mut self, text: &str, judgement: Judgement) {
        let at = self.tick();
        self.users.push(UserTurn {
            at,
            stamp: self.seconds(),
            text: text.to_owned(),
            judgement,
        });
        // What was listed is asked of the newest yes.
        self.listing = Listing::default();
    }

    /// Adds an agent turn.
    pub fn add_agent(&mut self, turn: Turn, text: &str) {
        let at = self.tick();
        self.agents.push(AgentTurn {
            at,
            stamp: self.seconds(),
            turn,
            text: text.to_owned(),
        });
        self.count_turn(turn);
    }

    fn count_turn(&mut self, turn: Turn) {
        self.turns = self.agent_turns(Some(turn));
        self.newest_agent_turn = Some(turn);
    }

    /// Turns in which the agent wrote or called so far, with one more if this is
    /// a new one.
    pub fn agent_turns(&self, now: Option<Turn>) -> u32 {
        let is_new = now.is_some() && now != self.newest_agent_turn;
        self.turns.saturating_add(u32::from(is_new))
    }

    /// What the agent wrote in this turn, if it did.
    pub fn said_in(&self, turn: Turn) -> Option<String> {
        let texts: Vec<&str> = self
            .agents
            .iter()
            .rev()
            .take_while(|said| said.turn == turn)
            .map(|said| said.text.as_str())
            .collect();
        let in_order: Vec<&str> = texts.into_iter().rev().collect();
        (!in_order.is_empty()).then(|| in_order.join("\n"))
    }

    /// What the agent wrote since the user last spoke, oldest first.
    pub fn said_since_user(&self) -> impl Iterator<Item = &str> {
        let spoken = self.users.last().map_or(0, |user| user.at);
        let first = self.agents.partition_point(|said| said.at < spoken);
        let since = self.agents.get(first..).unwrap_or_default();
        since.iter().map(|said| said.text.as_str())
    }

    /// Values that a call could be about: what calls carried and what they
    /// answered, newest first.
    pub fn details(&self) -> impl Iterator<Item = &Value> {
        self.calls.iter().rev().flat_map(|record| {
            let arguments = match &record.arguments {
                Arguments::Read(values) => Some(values.values()),
                Arguments::Unreadable(_) => None,
            };
            let answer = record.answer.as_ref().map(|(_, value)| value);
            answer.into_iter().chain(arguments.into_iter().flatten())
        })
    }

    /// What was said for the present yes, made ready for looking up details; none
    /// without a confirming turn. It is made once for each user turn.
    pub fn listed(&self, languages: &Languages) -> Option<&Said<'static>> {
        let made = self.listing.0.get_or_init(|| {
            let texts = self.listing()?;
            Some(Arc::new(Said::new(languages, texts)))
        });
        made.as_deref()
    }

    /// Adds a call that takes place, or, when `withheld`, one whose recorded
    /// answer is only a fact.
    pub fn add_call(&mut self, call: &Call, is_write: bool, withheld: bool) {
        let at = self.tick();
        let index = self.calls.len();
        self.calls.push(CallRecord {
            tool: call.tool.clone(),
            turn: call.turn,
            arguments: call.arguments.clone(),
            at,
            stamp: self.seconds(),
            answer: None,
            withheld,
        });
        self.by_tool
            .entry(call.tool.clone())
            .or_default()
            .push(index);
        self.by_id.insert(call.id, index);
        if withheld {
            return;
        }
        if is_write {
            self.writes.push(index);
        }
        self.admitted_in_turn = Some((call.turn, self.admitted_in(call.turn).saturating_add(1)));
        self.count_turn(call.turn);
    }

    /// How things stand, for going back to it.
    pub fn mark(&self) -> Mark {
        Mark {
            next: self.next,
            calls: self.calls.len(),
            writes: self.writes.len(),
            admitted_in_turn: self.admitted_in_turn,
            turns: self.turns,
            newest_agent_turn: self.newest_agent_turn,
        }
    }

    /// Forgets the one call that was added since.
    pub fn go_back(&mut self, mark: Mark, call: CallId) {
        for record in self.calls.drain(mark.calls..) {
            if let Some(indices) = self.by_tool.get_mut(&record.tool) {
                indices.retain(|index| *index < mark.calls);
            }
        }
        self.by_id.remove(&call);
        self.writes.truncate(mark.writes);
        self.next = mark.next;
        self.admitted_in_turn = mark.admitted_in_turn;
        self.turns = mark.turns;
        self.newest_agent_turn = mark.newest_agent_turn;
    }

    /// Number of calls admitted in this turn so far.
    pub fn admitted_in(&self, turn: Turn) -> u32 {
        match self.admitted_in_turn {
            Some((last, calls)) if last == turn => calls,
            _ => 0,
        }
    }

    /// Records an answer; the first one for a call stays.
    pub fn add_return(&mut self, answer: &Return) {
        let Some(index) = self.by_id.get(&answer.call) else {
            return;
        };
        if let Some(record) = self.calls.get_mut(*index)
            && record.answer.is_none()
        {
            record.answer = Some((answer.outcome, answer.result.clone()));
            if answer.outcome == Outcome::Error {
                // A yes that it used may be free again.
                self.listing = Listing::default();
            }
        }
    }

    /// Forgets an answer, so that it can be recorded again after a sibling that
    /// was proposed late.
    pub fn take_return(&mut self, call: CallId) -> Option<Return> {
        let record = self.calls.get_mut(*self.by_id.get(&call)?)?;
        let (outcome, result) = record.answer.take()?;
        Some(Return {
            call,
            outcome,
            result,
        })
    }

    /// The turn of the newest call.
    pub fn newest_turn(&self) -> Option<Turn> {
        self.calls.last().map(|record| record.turn)
    }

    /// The call of this id.
    pub fn call(&self, id: CallId) -> Option<&CallRecord> {
        self.calls.get(*self.by_id.get(&id)?)
    }

    /// The calls that a pattern fits, in lanes that are each in order, oldest
    /// first: all calls for `@any`, else one lane for each tool.
    pub fn calls_of<'h>(&'h self, tools: &ToolPattern) -> impl Iterator<Item = Lane<'h>> {
        let any = tools.alternatives().any(|tool| *tool == ToolRef::Any);
        let all = any.then(|| Box::new(self.calls.iter()) as Lane<'h>);
        let names = (!any).then(|| tools.names());
        let each = names
            .into_iter()
            .flatten()
            .map(|tool| Box::new(self.calls_named(tool)) as Lane<'h>);
        all.into_iter().chain(each)
    }

    /// The calls of one tool, oldest first.
    pub fn calls_named<'h>(
        &'h self,
        tool: &str,
    ) -> impl DoubleEndedIterator<Item = &'h CallRecord> + use<'h> {
        let indices = self.by_tool.get(tool).into_iter().flatten();
        indices.filter_map(|index| self.calls.get(*index))
    }

    /// All calls, oldest first.
    pub fn calls(&self) -> impl Iterator<Item = &CallRecord> {
        self.calls.iter()
    }

    /// Where the newest yes may stand, newest first: the turns that may be one, up
    /// to the first that is; none at the end if perhaps nobody ever said yes.
    pub fn yeses_at_most(&self) -> Vec<Option<Position>> {
        let mut starts = Vec::new();
        for user in self.users.iter().rev() {
            match user.judgement.answer {
                Answer::Yes => {
                    starts.push(Some(user.at));
                    return starts;
                }
                Answer::Unclear => starts.push(Some(user.at)),
                Answer::No => {}
            }
        }
        starts.push(None);
        starts
    }

    /// How the newest user turn was judged.
    pub fn last_judgement(&self) -> Option<&Judgement> {
        self.users.last().map(|user| &user.judgement)
    }

    /// The user turns that may be a yes: position, time, and whether they are.
    pub fn confirmations(&self) -> impl Iterator<Item = (Position, Option<Decimal>, bool)> {
        let turns = self.users.iter();
        turns
            .filter(|user| user.judgement.answer != Answer::No)
            .map(|user| (user.at, user.stamp, user.judgement.answer == Answer::Yes))
    }

    /// Times of user turns or of agent turns by their position.
    pub fn stamp_of_words(&self, user: bool, at: Position) -> Option<Decimal> {
        if user {
            let index = self.users.binary_search_by_key(&at, |turn| turn.at).ok()?;
            self.users.get(index)?.stamp
        } else {
            let index = self.agents.binary_search_by_key(&at, |turn| turn.at).ok()?;
            self.agents.get(index)?.stamp
        }
    }

    /// Positions of user turns, or of agent turns whose text passes the test.
    pub fn words(&self, user: bool) -> Box<dyn DoubleEndedIterator<Item = (Position, &str)> + '_> {
        if user {
            Box::new(self.users.iter().map(|turn| (turn.at, turn.text.as_str())))
        } else {
            Box::new(self.agents.iter().map(|said| (said.at, said.text.as_str())))
        }
    }

    /// The texts in which a value may have been listed for the present yes: what
    /// the agent said after the last other yes that a write used, and the
    /// confirming turn itself. None without a confirming turn. A write that ended
    /// in an error gives back the yes that it used.
    fn listing(&self) -> Option<Vec<&str>> {
        let mut yeses = self
            .users
            .iter()
            .rev()
            .filter(|user| user.judgement.answer == Answer::Yes);
        let present = yeses.next()?;
        let mut until = present.at;
        let used = yeses.find(|user| {
            let spent = self
                .writes
                .iter()
                .filter_map(|write| self.calls.get(*write))
                .filter(|write| !write.counts_as(ToolEvent::Error))
                .any(|write| write.at > user.at && write.at < until);
            until = user.at;
            spent
        });
        let from = used.map_or(0, |user| user.at);
        let said = self
            .agents
            .iter()
            .filter(|said| said.at >= from && said.at < present.at)
            .map(|said| said.text.as_str());
        Some(said.chain([present.text.as_str()]).collect())
    }
}

/// Calls in the order in which they were admitted.
pub type Lane<'h> = Box<dyn DoubleEndedIterator<Item = &'h CallRecord> + 'h>;

impl CallRecord {
    /// Whether its answer may be seen at an event of this turn: a call sees no
    /// return of its own turn, whatever the order of arrival.
    pub fn is_settled_for(&self, viewer: Option<Turn>) -> bool {
        self.answer.is_some() && viewer != Some(self.turn)
    }

    /// Whether the record counts as this event, once settled.
    pub fn counts_as(&self, event: ToolEvent) -> bool {
        match (event, &self.answer) {
            (ToolEvent::Call, _) | (ToolEvent::Return, Some(_)) => true,
            (ToolEvent::Ok, Some((outcome, _))) => *outcome == Outcome::Ok,
            (ToolEvent::Error, Some((outcome, _))) => *outcome == Outcome::Error,
            (_, None) => false,
        }
    }

    /// Its value, if it succeeded.
    pub fn value(&self) -> Option<&Value> {
        match &self.answer {
            Some((Outcome::Ok, value)) => Some(value),
            _ => None,
        }
    }
}
