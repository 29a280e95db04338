//! Messages to events (DESIGN section 2).
//!
//! A user message and an assistant message each open a turn; an assistant's
//! text comes before its calls, and results carry their call. Messages are
//! taken one at a time, so the cost is linear in their number.

mod pairing;

use crate::format::Envelope;
use crate::format::message::{Message, RecordedCall, RecordedResult, Role};
use crate::run::{Format, Oddity, Recorded, Run};
use lictor_contract::event::{Call, CallId, Event, Return, Turn};
use pairing::{Open, OpenCalls, Pairing};

/// Builds the events of one run.
pub(crate) struct Session {
    id: String,
    file: String,
    format: Format,
    envelope: Envelope,
    /// Line of the next message, or of the whole run.
    line: Option<u64>,
    /// The line of each message so far.
    lines: Vec<Option<u64>>,
    /// The line that the run starts on.
    first_line: Option<u64>,
    turn: u32,
    calls: u32,
    events: Vec<Recorded>,
    oddities: Vec<Oddity>,
    open: OpenCalls,
    /// Results since the last other message, with their message's index. They
    /// wait for their siblings, since only all of them show how ids pair.
    block: Vec<(usize, RecordedResult)>,
    /// Whether a time stamp that is none was told; one is enough.
    told_time: bool,
}

impl Session {
    /// A session without messages.
    pub(crate) fn new(
        id: String,
        file: String,
        format: Format,
        envelope: Envelope,
        line: Option<u64>,
    ) -> Self {
        let mut session = Session {
            id,
            file,
            format,
            envelope,
            line,
            lines: Vec::new(),
            first_line: line,
            turn: 0,
            calls: 0,
            events: Vec::new(),
            oddities: Vec::new(),
            open: OpenCalls::default(),
            block: Vec::new(),
            told_time: false,
        };
        for (key, value) in std::mem::take(&mut session.envelope.context) {
            session.push(Event::Context { key, value }, 0, None);
        }
        for complaint in std::mem::take(&mut session.envelope.complaints) {
            session.tell(None, complaint);
        }
        session
    }

    /// Sets the line that the next messages stand on.
    pub(crate) fn at_line(&mut self, line: u64) {
        self.line = Some(line);
    }

    fn tell(&mut self, message: Option<usize>, text: String) {
        let line = message
            .and_then(|index| self.lines.get(index).copied())
            .unwrap_or(self.first_line);
        self.oddities.push(Oddity {
            file: self.file.clone(),
            line,
            run: Some(self.id.clone()),
            message,
            text,
        });
    }

    /// Takes the next message.
    pub(crate) fn message(&mut self, text: &str) {
        let index = self.lines.len();
        self.lines.push(self.line);
        let message = match Message::read(text) {
            Ok(message) => message,
            Err(reason) => {
                self.tell(Some(index), reason);
                return;
            }
        };
        // Results may come in several messages; with Anthropic these are the
        // user's, who may say something after them.
        let goes_on = match message.role {
            Role::Tool => true,
            Role::User => !message.results.is_empty(),
            Role::System | Role::Assistant => false,
        };
        if !goes_on {
            self.settle();
        }
        if message.in_blocks && self.format == Format::Chat {
            self.format = Format::Anthropic;
        }
        for oddity in message.oddities {
            self.tell(Some(index), oddity);
        }
        if let Some(stamp) = message.strange_time.filter(|_| !self.told_time) {
            self.told_time = true;
            self.tell(
                Some(index),
                format!("the time stamp `{stamp}` is not RFC 3339 and was passed over, as are all like it"),
            );
        }
        let results = message.results.into_iter().map(|result| (index, result));
        match message.role {
            Role::System => {}
            Role::Tool => self.block.extend(results),
            Role::User => {
                self.block.extend(results);
                if let Some(text) = message.text {
                    self.settle();
                    let turn = self.next_turn();
                    self.push(Event::User { turn, text }, index, message.at);
                }
                self.user_calls(message.calls);
            }
            Role::Assistant => {
                let turn = self.next_turn();
                if let Some(text) = message.text {
                    self.push(Event::Agent { turn, text }, index, message.at.clone());
                }
                let (by_user, calls): (Vec<_>, Vec<_>) =
                    message.calls.into_iter().partition(|call| call.by_user);
                self.user_calls(by_user);
                self.agent_calls(index, turn, calls, message.at.as_deref());
                self.block.extend(results);
            }
        }
    }

    /// Notes that a message is missing here, which takes an index of its own.
    pub(crate) fn gap(&mut self, line: u64, text: String) {
        self.settle();
        let index = self.lines.len();
        self.lines.push(Some(line));
        self.tell(
            Some(index),
            format!("{text}; what follows comes after a gap"),
        );
    }

    fn next_turn(&mut self) -> Turn {
        self.turn += 1;
        Turn(self.turn)
    }

    fn push(&mut self, event: Event, message: usize, at: Option<String>) {
        self.events.push(Recorded {
            event,
            message,
            position: 0,
            call_id: String::new(),
            executed: true,
            at,
        });
    }

    fn user_calls(&mut self, calls: Vec<RecordedCall>) {
        for call in calls {
            self.open.note_user_call(call.id);
        }
    }

    fn agent_calls(
        &mut self,
        message: usize,
        turn: Turn,
        calls: Vec<RecordedCall>,
        at: Option<&str>,
    ) {
        let turn_size = u32::try_from(calls.len()).ok();
        for call in calls {
            let id = CallId(self.calls);
            self.calls += 1;
            let place = format!("m{message}.c{}", call.position);
            let executed = self.envelope.executed.remove(&place).unwrap_or(true);
            self.open.add(Open {
                id,
                turn,
                recorded: call.id.clone(),
                tool: call.tool.clone(),
                message,
                executed,
            });
            let event = Event::Call(Call {
                id,
                turn,
                tool: call.tool,
                arguments: call.arguments,
                turn_size,
            });
            self.events.push(Recorded {
                event,
                message,
                position: call.position,
                call_id: call.id,
                executed,
                at: at.map(str::to_owned),
            });
        }
    }

    /// Pairs the waiting results with their calls.
    fn settle(&mut self) {
        if self.block.is_empty() {
            return;
        }
        let block = std::mem::take(&mut self.block);
        let Pairing { pairs, complaints } = self.open.pair(&block);
        for (message, text) in complaints {
            self.tell(Some(message), text);
        }
        for ((message, result), open) in block.into_iter().zip(pairs) {
            let Some(open) = open.filter(|open| open.executed) else {
                continue;
            };
            let event = Event::Return(Return {
                call: open.id,
                outcome: result.outcome,
                result: result.result,
            });
            self.events.push(Recorded {
                event,
                message,
                position: result.position,
                call_id: result.id,
                executed: true,
                at: result.at,
            });
        }
    }

    /// The run, when no more messages come.
    pub(crate) fn finish(mut self) -> Run {
        self.settle();
        for (message, tool) in self.open.unanswered() {
            self.tell(Some(message), format!("the call of `{tool}` has no result"));
        }
        for place in std::mem::take(&mut self.envelope.executed).into_keys() {
            self.tell(
                None,
                format!("`_run.executed` names {place}, which is no call of the run"),
            );
        }
        let about = self.envelope.about.clone();
        if let Some(error) = about.error {
            let first_line = error.lines().next().unwrap_or_default();
            let short: String = first_line.chars().take(120).collect();
            self.tell(None, format!("the run broke off: {short}"));
        }
        if self.lines.is_empty() {
            self.tell(None, "no message in the whole run".into());
        } else if self.calls == 0 {
            self.tell(None, "no call in the whole run".into());
        }
        Run {
            id: self.id,
            file: self.file,
            format: self.format,
            task: about.task,
            trial: about.trial,
            reward: about.reward,
            pass: self.envelope.pass,
            events: self.events,
            oddities: self.oddities,
        }
    }
}

#[cfg(test)]
mod tests;
