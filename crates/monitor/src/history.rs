//! What a session remembers: calls and their outcomes, words, context.
//!
//! Facts come only from tool results, user turns and the host, never from what
//! the agent says (NOMOS, Figure 1). The agent's words are kept for one purpose:
//! what was asked and listed before a yes.

use crate::consent::{Answer, Judgement};
use lictor_contract::event::{Arguments, Call, CallId, Outcome, Return, Turn};
use lictor_contract::predicate::{ToolEvent, ToolPattern, ToolRef};
use lictor_contract::value::Value;
use std::collections::BTreeMap;

/// A place in the order of events of one session.
pub type Position = u32;

/// A call that takes or took place.
#[derive(Clone, Debug)]
pub struct CallRecord {
    /// The tool, as the agent wrote it.
    pub tool: String,
    /// Its turn.
    pub turn: Turn,
    /// Its arguments.
    pub arguments: Arguments,
    /// When it was admitted.
    pub at: Position,
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
    text: String,
    judgement: Judgement,
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
    agents: Vec<(Position, String)>,
    writes: Vec<Position>,
    context: BTreeMap<String, Value>,
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
            text: text.to_owned(),
            judgement,
        });
    }

    /// Adds an agent turn.
    pub fn add_agent(&mut self, text: &str) {
        let at = self.tick();
        self.agents.push((at, text.to_owned()));
    }

    /// The last agent turn since the user last spoke.
    pub fn asked(&self) -> Option<&str> {
        let (at, text) = self.agents.last()?;
        let spoken = self.users.last().map_or(0, |user| user.at);
        (*at >= spoken).then_some(text.as_str())
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
            self.writes.push(at);
        }
        self.admitted_in_turn = Some((call.turn, self.admitted_in(call.turn).saturating_add(1)));
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
        let each = names.into_iter().flatten().map(|tool| {
            let indices = self.by_tool.get(tool).into_iter().flatten();
            Box::new(indices.filter_map(|index| self.calls.get(*index))) as Lane<'h>
        });
        all.into_iter().chain(each)
    }

    /// The newest user turn that may have been a yes: position of the newest
    /// known yes, and of the newest turn that is at least no known refusal.
    pub fn last_confirmation(&self) -> Confirmation {
        let newest = |accept: fn(Answer) -> bool| {
            let found = self
                .users
                .iter()
                .rev()
                .find(|user| accept(user.judgement.answer));
            found.map(|user| user.at)
        };
        Confirmation {
            known: newest(|answer| answer == Answer::Yes),
            possible: newest(|answer| answer != Answer::No),
        }
    }

    /// How the newest user turn was judged.
    pub fn last_judgement(&self) -> Option<&Judgement> {
        self.users.last().map(|user| &user.judgement)
    }

    /// How many user turns are a yes, and how many may be one.
    pub fn confirmations(&self) -> (usize, usize) {
        let count = |accept: fn(Answer) -> bool| {
            let turns = self.users.iter();
            turns.filter(|user| accept(user.judgement.answer)).count()
        };
        (
            count(|answer| answer == Answer::Yes),
            count(|answer| answer != Answer::No),
        )
    }

    /// Positions of user turns, or of agent turns whose text passes the test.
    pub fn words(&self, user: bool) -> Box<dyn DoubleEndedIterator<Item = (Position, &str)> + '_> {
        if user {
            Box::new(self.users.iter().map(|turn| (turn.at, turn.text.as_str())))
        } else {
            Box::new(self.agents.iter().map(|(at, text)| (*at, text.as_str())))
        }
    }

    /// The texts in which a value may have been listed for the present yes: what
    /// the agent said after the last other yes that a write used, and the
    /// confirming turn itself. None without a confirming turn.
    pub fn listing(&self) -> Option<Vec<&str>> {
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
                .any(|write| *write > user.at && *write < until);
            until = user.at;
            spent
        });
        let from = used.map_or(0, |user| user.at);
        let said = self
            .agents
            .iter()
            .filter(|(at, _)| *at >= from && *at < present.at)
            .map(|(_, text)| text.as_str());
        Some(said.chain([present.text.as_str()]).collect())
    }
}

/// Calls in the order in which they were admitted.
pub type Lane<'h> = Box<dyn DoubleEndedIterator<Item = &'h CallRecord> + 'h>;

/// Where the newest yes may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// The newest turn that is a yes.
    pub known: Option<Position>,
    /// The newest turn that may be a yes.
    pub possible: Option<Position>,
}

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
