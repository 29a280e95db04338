//! One conversation under a library: decisions, stepping and verdicts.

use crate::consent::{self, Judgement, Lexicon};
use crate::ground::{Moment, Now};
use crate::history::History;
use crate::program::{Letter, Monitor, Program};
use crate::reason::reason;
use crate::track::Track;
use crate::truth::Verdict;
use lictor_contract::alphabet::Encoded;
use lictor_contract::event::{Call, CallId, EventKind, Return, Turn};
use lictor_contract::value::Value;
use std::collections::BTreeMap;

/// Why a call is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalKind {
    /// No value of anything unknown would admit the call.
    Violated,
    /// Some value of what is unknown would admit it; what is known does not.
    Undecidable,
    /// The library does not know the tool.
    UnknownTool,
}

/// One contract's objection to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which contract; none for an unknown tool.
    pub contract: Option<String>,
    /// What kind of objection.
    pub kind: RefusalKind,
    /// Why, in words.
    pub reason: String,
}

/// What the monitor says to a proposed call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// All objections in library order; none means the call is allowed.
    pub refusals: Vec<Refusal>,
}

impl Decision {
    /// Whether the call may take place.
    pub fn is_allowed(&self) -> bool {
        self.refusals.is_empty()
    }
}

/// An event that took place and broke a contract for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Falsified {
    /// Which contract.
    pub contract: String,
    /// Why, in words.
    pub reason: String,
}

/// An obligation that nothing met before the session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Which contract.
    pub contract: String,
    /// What it demands, in words.
    pub reason: String,
}

/// What one contract is up to in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    guarantee: Track,
    broken_assumption: Option<Track>,
    idle: bool,
    failed: bool,
    letters: Vec<Letter>,
}

/// What an event would do to one contract.
struct Step {
    guarantee: Track,
    broken_assumption: Option<Track>,
    idle: bool,
    /// The event would break the contract for good.
    fails: bool,
}

/// The answers that came while their turn was still open. A call sees no answer
/// of its own turn, whatever the order of arrival, so a later sibling is judged
/// from before them, and takes its place before them.
#[derive(Clone, Debug)]
struct Early {
    turn: Turn,
    answers: Vec<CallId>,
    /// Of the contracts that an answer may have moved, the state without them.
    without: BTreeMap<usize, State>,
}

/// The state of one conversation under a library.
#[derive(Clone)]
pub struct Session<'m> {
    monitor: &'m Monitor,
    states: Vec<State>,
    early: Option<Early>,
    history: History,
    lexicon: &'static Lexicon,
    record_letters: bool,
}

impl<'m> Session<'m> {
    pub(crate) fn new(monitor: &'m Monitor, record_letters: bool) -> Self {
        let state = |program: &Program| State {
            guarantee: program.guarantee.start(),
            broken_assumption: program
                .broken_assumption
                .as_ref()
                .map(|machine| machine.start()),
            idle: false,
            failed: false,
            letters: Vec::new(),
        };
        Session {
            monitor,
            states: monitor.programs.iter().map(state).collect(),
            early: None,
            history: History::default(),
            lexicon: Lexicon::english(),
            record_letters,
        }
    }

    /// Adds or replaces a fact from the host.
    pub fn context(&mut self, key: &str, value: Value) {
        self.history.set_context(key, value);
    }

    /// The user wrote something. Blank text is no event.
    pub fn user_turn(&mut self, _turn: Turn, text: &str) -> Vec<Falsified> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        self.early = None;
        let judgement = self.judge(text);
        let now = Now::User {
            text,
            answer: judgement.answer,
        };
        let falsified = commit(
            self.monitor,
            &mut self.states,
            &self.history,
            now,
            self.record_letters,
        );
        self.history.add_user(text, judgement);
        falsified
    }

    fn judge(&self, text: &str) -> Judgement {
        consent::judge(self.lexicon, self.history.asked(), false, text)
    }

    /// The agent wrote something. Blank text is no event.
    pub fn agent_turn(&mut self, _turn: Turn, text: &str) -> Vec<Falsified> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        self.early = None;
        let now = Now::Agent { text };
        let falsified = commit(
            self.monitor,
            &mut self.states,
            &self.history,
            now,
            self.record_letters,
        );
        self.history.add_agent(text);
        falsified
    }

    /// What the library says to a call. Changes nothing.
    pub fn decide(&self, call: &Call) -> Decision {
        if !self.monitor.accepts(&call.tool) {
            return Decision {
                refusals: vec![Refusal {
                    contract: None,
                    kind: RefusalKind::UnknownTool,
                    reason: format!("the library does not know the tool `{}`", call.tool),
                }],
            };
        }
        let moment = moment(self.monitor, &self.history, Now::Call(call));
        let early = self.early.as_ref().filter(|early| early.turn == call.turn);
        let mut refusals = Vec::new();
        for index in self.monitor.dispatch.concerned(&moment.now) {
            let without = early.and_then(|early| early.without.get(index));
            let (Some(program), Some(state)) = (
                self.monitor.programs.get(*index),
                without.or_else(|| self.states.get(*index)),
            ) else {
                continue;
            };
            let step = step(program, state, &moment);
            if step.fails {
                let undecidable = step.guarantee.is_open(&program.guarantee);
                refusals.push(Refusal {
                    contract: Some(program.contract.id.clone()),
                    kind: if undecidable {
                        RefusalKind::Undecidable
                    } else {
                        RefusalKind::Violated
                    },
                    reason: explain(program, state, &moment, undecidable),
                });
            }
        }
        Decision { refusals }
    }

    /// The call takes place: its contracts step, its counters take it. A contract
    /// that it breaks (in shadow or audit) skips it and is marked as failed.
    pub fn admit(&mut self, call: &Call) {
        let early = self.take_back(call.turn);
        // What it falsifies was told by `decide`.
        commit(
            self.monitor,
            &mut self.states,
            &self.history,
            Now::Call(call),
            self.record_letters,
        );
        let is_write = self.monitor.is_write(&call.tool);
        self.history.add_call(call, is_write, false);
        for answer in &early {
            // What it falsifies was told when it came.
            self.after_return(answer);
        }
    }

    /// Goes back to before the answers of the turn that a call belongs to, and
    /// forgets what kept those of another turn.
    fn take_back(&mut self, turn: Turn) -> Vec<Return> {
        let Some(early) = self.early.take().filter(|early| early.turn == turn) else {
            return Vec::new();
        };
        for (index, without) in early.without {
            if let Some(state) = self.states.get_mut(index) {
                *state = without;
            }
        }
        let answers = early.answers.into_iter();
        answers
            .filter_map(|call| self.history.take_return(call))
            .collect()
    }

    /// The call was refused, yet a recording may hold an answer to it: nothing
    /// steps and nothing counts, but the answer will supply facts.
    pub fn withhold(&mut self, call: &Call) {
        self.early = self.early.take().filter(|early| early.turn == call.turn);
        self.history.add_call(call, false, true);
    }

    /// Decides, and admits the call if it is allowed. A refused call leaves no trace.
    pub fn before_call(&mut self, call: &Call) -> Decision {
        let decision = self.decide(call);
        if decision.is_allowed() {
            self.admit(call);
        }
        decision
    }

    /// A tool answered. An answer to a call that was never admitted steps nothing.
    pub fn after_return(&mut self, answer: &Return) -> Vec<Falsified> {
        let Some(record) = self.history.call(answer.call) else {
            return Vec::new();
        };
        if record.answer.is_some() {
            return Vec::new();
        }
        let is_own = self.history.newest_turn() == Some(record.turn);
        if is_own {
            let early = self.early.get_or_insert_with(|| Early {
                turn: record.turn,
                answers: Vec::new(),
                without: BTreeMap::new(),
            });
            early.answers.push(answer.call);
        }
        let mut falsified = Vec::new();
        if !record.withheld {
            let now = Now::Return {
                record,
                outcome: answer.outcome,
                value: &answer.result,
            };
            let moment = moment(self.monitor, &self.history, now);
            if let Some(early) = &mut self.early {
                if is_own {
                    early.keep(self.monitor, &self.states, &moment, self.record_letters);
                } else {
                    early.advance(self.monitor, &moment, self.record_letters);
                }
            }
            falsified = commit(
                self.monitor,
                &mut self.states,
                &self.history,
                now,
                self.record_letters,
            );
        }
        self.history.add_return(answer);
        falsified
    }

    /// The session ends: what is pending has failed.
    pub fn finish(&mut self) -> Vec<Pending> {
        let mut pending = Vec::new();
        for (program, state) in self.monitor.programs.iter().zip(&mut self.states) {
            if !state.idle && !program.guarantee.is_accepting(state.guarantee.strong) {
                state.failed = true;
                pending.push(Pending {
                    contract: program.contract.id.clone(),
                    reason: program.contract.says.clone(),
                });
            }
        }
        pending
    }

    /// The join of all contracts' values (ContrAgent, Problem 1).
    pub fn env(&self) -> Verdict {
        self.verdicts()
            .map(|(_, verdict)| verdict)
            .max()
            .unwrap_or(Verdict::Active)
    }

    /// The meet of all contracts' values.
    pub fn agent(&self) -> Verdict {
        self.verdicts()
            .map(|(_, verdict)| verdict)
            .min()
            .unwrap_or(Verdict::Active)
    }

    /// Each contract's value on the events so far.
    pub fn verdicts(&self) -> impl Iterator<Item = (&str, Verdict)> {
        self.monitor
            .programs
            .iter()
            .zip(&self.states)
            .map(|(program, state)| {
                let verdict = if state.failed {
                    Verdict::Fail
                } else if state.idle {
                    Verdict::Idle
                } else {
                    Verdict::Active
                };
                (program.contract.id.as_str(), verdict)
            })
    }

    /// For each contract its encoded guarantee, the letters it stepped on, and
    /// whether its machine accepts them. Letters are kept only in a
    /// [`Monitor::recording_session`].
    pub fn letters(&self) -> impl Iterator<Item = (&Encoded, &[Letter], bool)> {
        self.monitor
            .programs
            .iter()
            .zip(&self.states)
            .map(|(program, state)| {
                let accepts = program.guarantee.is_accepting(state.guarantee.strong);
                (&program.encoded, state.letters.as_slice(), accepts)
            })
    }
}

fn moment<'a>(monitor: &'a Monitor, history: &'a History, now: Now<'a>) -> Moment<'a> {
    Moment {
        history,
        now,
        patterns: &monitor.patterns,
    }
}

impl Early {
    /// Keeps the states that an answer of the open turn may move.
    fn keep(&mut self, monitor: &Monitor, states: &[State], moment: &Moment<'_>, all: bool) {
        let mut keep = |index: usize| {
            if let Some(state) = states.get(index) {
                self.without.entry(index).or_insert_with(|| state.clone());
            }
        };
        if all {
            (0..states.len()).for_each(keep);
        } else {
            let concerned = monitor.dispatch.concerned(&moment.now);
            concerned.iter().copied().for_each(&mut keep);
        }
    }

    /// An answer to a call of another turn is seen by the open one.
    fn advance(&mut self, monitor: &Monitor, moment: &Moment<'_>, record_letters: bool) {
        for (index, state) in &mut self.without {
            if let Some(program) = monitor.programs.get(*index) {
                if record_letters {
                    record_letter(program, state, moment);
                }
                if monitor.dispatch.concerned(&moment.now).contains(index) {
                    advance(program, state, moment, record_letters);
                }
            }
        }
    }
}

/// Steps every contract that observes the event, and tells which ones it breaks.
fn commit(
    monitor: &Monitor,
    states: &mut [State],
    history: &History,
    now: Now<'_>,
    record_letters: bool,
) -> Vec<Falsified> {
    let moment = moment(monitor, history, now);
    if record_letters {
        for (program, state) in monitor.programs.iter().zip(states.iter_mut()) {
            record_letter(program, state, &moment);
        }
    }
    let mut falsified = Vec::new();
    for index in monitor.dispatch.concerned(&moment.now) {
        if let (Some(program), Some(state)) = (monitor.programs.get(*index), states.get_mut(*index))
        {
            falsified.extend(advance(program, state, &moment, record_letters));
        }
    }
    falsified
}

fn record_letter(program: &Program, state: &mut State, moment: &Moment<'_>) {
    let kind = match moment.now {
        Now::Call(_) => EventKind::Call,
        Now::Return { .. } => EventKind::Return,
        Now::User { .. } => EventKind::User,
        Now::Agent { .. } => EventKind::Agent,
    };
    if program.steps_on.contains(&kind) {
        let atoms = program.guarantee.atoms();
        let letter = program
            .guarantee
            .letter(&mut |atom| moment.numbered(atoms, atom));
        state.letters.push(letter);
    }
}

/// Steps one contract. An event that breaks it is in the trace all the same:
/// reported once, it sticks to the run's value, and for deciding the contract
/// goes on from before it.
fn advance(
    program: &Program,
    state: &mut State,
    moment: &Moment<'_>,
    record_letters: bool,
) -> Option<Falsified> {
    let step = step(program, state, moment);
    if step.fails {
        let reason = explain(program, state, moment, false);
        state.failed = true;
        if record_letters {
            state.letters.pop();
        }
        return Some(Falsified {
            contract: program.contract.id.clone(),
            reason,
        });
    }
    state.guarantee = step.guarantee;
    state.broken_assumption = step.broken_assumption;
    state.idle = step.idle;
    None
}

/// Why the event would break the contract.
fn explain(program: &Program, state: &State, moment: &Moment<'_>, undecidable: bool) -> String {
    let atoms = program.guarantee.atoms();
    let asked = program
        .guarantee
        .asked(&state.guarantee, &mut |atom| moment.numbered(atoms, atom));
    reason(program, moment, &asked, undecidable)
}

fn step(program: &Program, state: &State, moment: &Moment<'_>) -> Step {
    let (broken_assumption, idle) = match (&program.broken_assumption, &state.broken_assumption) {
        (Some(machine), Some(track)) => {
            let next = machine.advance(track, &mut |atom| moment.numbered(machine.atoms(), atom));
            let idle = state.idle || machine.is_safe(next.strong);
            (Some(next), idle)
        }
        _ => (None, false),
    };
    let atoms = program.guarantee.atoms();
    let guarantee = program
        .guarantee
        .advance(&state.guarantee, &mut |atom| moment.numbered(atoms, atom));
    let fails = !idle && program.guarantee.is_dead(guarantee.strong);
    Step {
        guarantee,
        broken_assumption,
        idle,
        fails,
    }
}
