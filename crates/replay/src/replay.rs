//! One run through one library.
//!
//! The order of events is the recording's; what a refusal leads to is the
//! mode's. Both reports, [`crate::evaluate`] and [`crate::preflight`], read what
//! this gives, so they can never judge one run differently.

use crate::run::{Recorded, Run};
use lictor_contract::event::{Call, Event, EventKind};
use lictor_monitor::{Decision, Falsified, Monitor, Pending, Verdict};
use serde::Serialize;
use std::fmt;

/// What becomes of a call that the library refuses (DESIGN section 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// It stays in the trace as in shadow, with its return and all it counts for.
    #[default]
    Audit,
    /// It steps nothing, as live; only its recorded result supplies facts.
    Gate,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Audit => "audit",
            Mode::Gate => "gate",
        })
    }
}

/// A call and what the library says to it.
#[derive(Clone, Debug)]
pub struct Judged<'r> {
    /// Where it stands.
    pub recorded: &'r Recorded,
    /// The call.
    pub call: &'r Call,
    /// What the library says.
    pub decision: Decision,
}

/// An event other than a call that broke a contract.
#[derive(Clone, Debug)]
pub struct Broken {
    /// 0-based index in the source's message array.
    pub message: usize,
    /// What kind of event.
    pub kind: EventKind,
    /// Which contract, and why.
    pub falsified: Falsified,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Replayed<'r> {
    /// Every call in order.
    pub calls: Vec<Judged<'r>>,
    /// Other events that broke a contract, in order.
    pub broken: Vec<Broken>,
    /// What nothing met before the end.
    pub pending: Vec<Pending>,
    /// The environment's verdict.
    pub env: Verdict,
    /// The agent's verdict by the states of the contracts alone.
    pub agent: Verdict,
}

/// Replays a run. A call that an earlier gate stopped is judged and steps
/// nothing in either mode.
pub fn replay<'r>(monitor: &Monitor, run: &'r Run, mode: Mode) -> Replayed<'r> {
    let mut session = monitor.session();
    let mut calls = Vec::new();
    let mut broken = Vec::new();
    for recorded in &run.events {
        session.clock(recorded.at.as_deref());
        let (kind, falsified) = match &recorded.event {
            Event::Context { key, value } => {
                session.context(key, value.clone());
                continue;
            }
            Event::Call(call) => {
                let decision = session.decide(call);
                if recorded.executed {
                    if mode == Mode::Audit || decision.is_allowed() {
                        session.admit(call);
                    } else {
                        session.withhold(call);
                    }
                }
                calls.push(Judged {
                    recorded,
                    call,
                    decision,
                });
                continue;
            }
            Event::User { turn, text } => (EventKind::User, session.user_turn(*turn, text)),
            Event::Agent { turn, text } => (EventKind::Agent, session.agent_turn(*turn, text)),
            Event::Return(answer) => (EventKind::Return, session.after_return(answer)),
        };
        broken.extend(falsified.into_iter().map(|falsified| Broken {
            message: recorded.message,
            kind,
            falsified,
        }));
    }
    let pending = session.finish();
    Replayed {
        calls,
        broken,
        pending,
        env: session.env(),
        agent: session.agent(),
    }
}
