//! A session fed a script, with a note of all that it says and of the events the oracle sees.

use super::catalog::{Catalog, Rule};
use super::clock::{self, Style};
use super::facts::{Called, Event, Stamp, View, What};
use super::logic::T3;
use super::script::{Fate, Proposal, Saying, Step};
use lictor_contract::event::{Call, CallId, Outcome, Return, Turn};
use lictor_contract::predicate::Term;
use lictor_contract::value::Value;
use lictor_monitor::{Decision, Falsified, Monitor, RefusalKind, Session, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// How a recording treats a call that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    Audit,
    Gate,
    /// As live: the call does not happen.
    Live,
}

pub const DOORS: [Door; 3] = [Door::Audit, Door::Gate, Door::Live];

pub type Refused = BTreeMap<String, RefusalKind>;

pub fn refused(decision: &Decision) -> Refused {
    let kinds = decision.refusals.iter();
    kinds
        .map(|refusal| (refusal.contract.clone().unwrap(), refusal.kind))
        .collect()
}

/// What was done to the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    Clock(Option<String>),
    Context(&'static str, Value),
    User(Turn, &'static str),
    Agent(Turn, String),
    Admit(Call),
    Withhold(Call),
    Return(Return),
}

pub type Verdicts = BTreeMap<String, Verdict>;

/// What the session said.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// To a call, with the number of events before it.
    Decision(usize, Event, Refused),
    /// After an event, the number of events with it: what it broke (of a call that is told by the
    /// decision), and what the contracts are worth.
    After(usize, Option<BTreeSet<String>>, Verdicts),
}

/// What became of a call that was admitted and then not run.
#[derive(Clone, Copy, Debug)]
pub struct Ghost {
    pub removed: bool,
    /// While it was there some contract was worth something else.
    pub moved: bool,
    /// It came right after an answer.
    pub late: bool,
}

/// A session fed a script.
pub struct Desk<'m> {
    pub session: Session<'m>,
    /// Calls that are admitted and not run, each before the call of a number.
    pub haunted: Vec<(usize, Proposal)>,
    pub ghosts: Vec<Ghost>,
    pub events: Vec<Event>,
    pub notes: Vec<Note>,
    pub acts: Vec<Act>,
    mode: Door,
    catalog: Catalog,
    turn: u32,
    calls: u32,
    late: Vec<(u8, Return)>,
    minutes: u32,
    style: Option<Style>,
    /// Whether the session's times are instants, once there is one.
    instants: Option<bool>,
}

pub fn monitor(catalog: &Catalog, rules: &[Rule]) -> Monitor {
    Monitor::new(&catalog.library(rules)).unwrap()
}

/// All that is said in a session of this script.
pub fn run<'m>(monitor: &'m Monitor, catalog: &Catalog, mode: Door, steps: &[Step]) -> Desk<'m> {
    let mut desk = Desk::new(monitor, catalog, mode);
    for step in steps {
        desk.step(step);
    }
    desk
}

pub fn verdicts(session: &Session<'_>) -> Verdicts {
    let each = session.verdicts();
    each.map(|(id, verdict)| (id.to_owned(), verdict)).collect()
}

impl<'m> Desk<'m> {
    pub fn new(monitor: &'m Monitor, catalog: &Catalog, mode: Door) -> Self {
        Desk {
            session: monitor.session(),
            haunted: Vec::new(),
            ghosts: Vec::new(),
            events: Vec::new(),
            notes: Vec::new(),
            acts: Vec::new(),
            mode,
            catalog: catalog.clone(),
            turn: 0,
            calls: 0,
            late: Vec::new(),
            minutes: 0,
            style: None,
            instants: None,
        }
    }

    /// What was said to each call, in order.
    pub fn decisions(&self) -> Vec<Refused> {
        let of = |note: &Note| match note {
            Note::Decision(_, _, refused) => Some(refused.clone()),
            Note::After(..) => None,
        };
        self.notes.iter().filter_map(of).collect()
    }

    /// What would be said to some calls now.
    pub fn probed(&mut self, probes: &[Proposal]) -> Vec<Refused> {
        let each = probes.iter().map(|probe| {
            let (call, _) = self.call(probe, None);
            refused(&self.session.decide(&call))
        });
        each.collect()
    }

    /// A new turn begins.
    pub fn next_turn(&mut self) {
        self.turn += 1;
    }

    /// The time of what happens now, for the session and for the oracle.
    fn stamp(&mut self) -> Option<Stamp> {
        let text = self.style.map(|style| clock::written(self.minutes, style));
        self.session.clock(text.as_deref());
        self.acts.push(Act::Clock(text.clone()));
        let text = text?;
        let (seconds, instant) = clock::seconds(clock::read(&text)?, self.catalog.ahead());
        // One session has one clock.
        let kind = *self.instants.get_or_insert(instant);
        (kind == instant).then_some(Stamp { text, seconds })
    }

    fn happened(&mut self, stamp: Option<Stamp>, what: What, broken: Option<Vec<Falsified>>) {
        self.events.push(Event { stamp, what });
        let broken = broken.map(|all| all.into_iter().map(|it| it.contract).collect());
        let verdicts = verdicts(&self.session);
        self.notes
            .push(Note::After(self.events.len(), broken, verdicts));
    }

    fn agent(&mut self, text: &str) {
        let stamp = self.stamp();
        let turn = Turn(self.turn);
        let broken = self.session.agent_turn(turn, text);
        self.acts.push(Act::Agent(turn, text.to_owned()));
        let what = What::Agent {
            turn: self.turn,
            text: text.to_owned(),
        };
        self.happened(stamp, what, Some(broken));
    }

    fn user(&mut self, text: &'static str, answer: T3) {
        let stamp = self.stamp();
        let turn = Turn(self.turn);
        let broken = self.session.user_turn(turn, text);
        self.acts.push(Act::User(turn, text));
        self.happened(stamp, What::User(text.to_owned(), answer), Some(broken));
    }

    pub fn step(&mut self, step: &Step) {
        let mut late = std::mem::take(&mut self.late);
        late.sort_by_key(|(rank, _)| *rank);
        // Some come between the calls of the next turn.
        let between = matches!(step, Step::Turn { .. }) && late.iter().any(|(rank, _)| *rank > 3);
        if !between {
            late.drain(..).for_each(|(_, answer)| self.answer(&answer));
        }
        match step {
            Step::Agent(text) => {
                self.turn += 1;
                self.agent(text);
            }
            Step::Context(name, value) => {
                self.session.context(name, value.clone());
                self.acts.push(Act::Context(name, value.clone()));
                self.events.push(Event {
                    stamp: None,
                    what: What::Context((*name).to_owned(), value.clone()),
                });
            }
            Step::Clock(style) => self.style = *style,
            Step::Wait(minutes) => self.minutes += minutes,
            Step::User(saying) => {
                self.turn += 1;
                let (text, answer, asked) = match saying {
                    Saying::Yes => ("Yes, go ahead.", T3::True, true),
                    Saying::No => ("No, leave it.", T3::False, true),
                    Saying::Unclear => ("I guess so?", T3::Unknown, true),
                    Saying::Unasked => ("Yes, go ahead.", T3::False, false),
                    Saying::Tells(text) => (*text, T3::False, false),
                };
                if asked {
                    self.agent("I will cancel it. Shall I go ahead?");
                } else {
                    self.agent("I am looking into it.");
                }
                self.turn += 1;
                self.user(text, answer);
            }
            Step::Turn { says, size, calls } => {
                self.turn += 1;
                if let Some(text) = says {
                    self.agent(text);
                }
                let mut soon = Vec::new();
                for proposal in calls {
                    let answer = self.propose(proposal, *size);
                    match (proposal.fate, answer) {
                        (Fate::AtOnce, Some(answer)) => self.answer(&answer),
                        (Fate::Soon(rank), Some(answer)) => soon.push((rank, answer)),
                        (Fate::Later(rank), Some(answer)) => self.late.push((rank, answer)),
                        (Fate::Never, _) | (_, None) => {}
                    }
                    late.drain(..).for_each(|(_, answer)| self.answer(&answer));
                }
                soon.sort_by_key(|(rank, _)| *rank);
                soon.iter().for_each(|(_, answer)| self.answer(answer));
            }
        }
    }

    /// A call of the present turn, for the session and for the oracle.
    pub fn call(&mut self, proposal: &Proposal, size: Option<u32>) -> (Call, Called) {
        self.calls += 1;
        let call = Call {
            id: CallId(self.calls),
            turn: Turn(self.turn),
            tool: proposal.tool.to_owned(),
            arguments: proposal.arguments.clone(),
            turn_size: size,
        };
        let called = Called {
            id: self.calls,
            turn: self.turn,
            tool: call.tool.clone(),
            arguments: self.catalog.read(proposal.tool, &call.arguments),
            size,
            withheld: false,
        };
        (call, called)
    }

    /// Proposes a call; its answer, if it took place or was recorded.
    fn propose(&mut self, proposal: &Proposal, size: Option<u32>) -> Option<Return> {
        self.minutes += proposal.wait;
        let stamp = self.stamp();
        if proposal.absent {
            return None;
        }
        self.haunt(size);
        let (call, mut called) = self.call(proposal, size);
        let decision = self.session.decide(&call);
        let now = Event {
            stamp: stamp.clone(),
            what: What::Call(called.clone()),
        };
        self.notes
            .push(Note::Decision(self.events.len(), now, refused(&decision)));
        if decision.is_allowed() || self.mode == Door::Audit {
            self.session.admit(&call);
            self.acts.push(Act::Admit(call.clone()));
        } else if self.mode == Door::Gate {
            self.session.withhold(&call);
            self.acts.push(Act::Withhold(call.clone()));
            called.withheld = true;
        } else {
            return None;
        }
        self.happened(stamp, What::Call(called), None);
        Some(Return {
            call: call.id,
            outcome: if proposal.ok {
                Outcome::Ok
            } else {
                Outcome::Error
            },
            result: proposal.result.clone(),
        })
    }

    fn haunt(&mut self, size: Option<u32>) {
        let number = self.decisions().len();
        let here: Vec<Proposal> = self
            .haunted
            .iter()
            .filter(|(at, _)| *at == number)
            .map(|(_, ghost)| ghost.clone())
            .collect();
        for ghost in here {
            let (call, _) = self.call(&ghost, size);
            let before = verdicts(&self.session);
            let newest = self.events.last().map(|event| &event.what);
            let late = matches!(newest, Some(What::Return { .. }));
            self.session.admit(&call);
            let moved = verdicts(&self.session) != before;
            self.ghosts.push(Ghost {
                removed: self.session.not_run(call.id),
                moved,
                late,
            });
        }
    }

    fn answer(&mut self, answer: &Return) {
        let stamp = self.stamp();
        let (ok, value) = self.settled(answer);
        let broken = self.session.after_return(answer);
        self.acts.push(Act::Return(answer.clone()));
        let call = answer.call.0;
        self.happened(stamp, What::Return { call, ok, value }, Some(broken));
    }

    /// What an answer means by the forms that its tool's results have.
    fn settled(&self, answer: &Return) -> (bool, Value) {
        let raw = Event {
            stamp: None,
            what: What::Return {
                call: answer.call.0,
                ok: answer.outcome == Outcome::Ok,
                value: answer.result.clone(),
            },
        };
        let view = View::new(&self.catalog, &self.events, &raw);
        let tool = view.call().unwrap().tool.clone();
        let pruned = |value: Value| self.catalog.pruned(&tool, value);
        if answer.outcome == Outcome::Error {
            return (false, pruned(answer.result.clone()));
        }
        if tool != "look" || self.catalog.forms.is_empty() {
            return (true, pruned(answer.result.clone()));
        }
        for (ok, value) in &self.catalog.forms {
            let Term::Result(path) = path_of(value) else {
                panic!("{value} is no path into a result");
            };
            if view.condition(&super::judge::parsed(ok), true) == T3::True
                && let Some(value) = view.select(&answer.result, &path)
            {
                return (true, pruned(value));
            }
        }
        (false, answer.result.clone())
    }

    /// The events as they stand in messages: the calls of each turn before its answers; those of
    /// the turn of `now` are left out.
    pub fn as_in_messages(&self, before: usize, now: Option<&Event>) -> Vec<Event> {
        let events = &self.events[..before];
        let turn = |id: u32| {
            events.iter().find_map(|event| match &event.what {
                What::Call(call) if call.id == id => Some(call.turn),
                _ => None,
            })
        };
        let answers = |event: &Event, of: u32| matches!(&event.what, What::Return { call, .. } if turn(*call) == Some(of));
        let mut sorted: Vec<Event> = Vec::new();
        for event in events {
            if let What::Call(call) = &event.what {
                let (own, other): (Vec<Event>, Vec<Event>) = sorted
                    .into_iter()
                    .partition(|event| answers(event, call.turn));
                sorted = other;
                sorted.push(event.clone());
                sorted.extend(own);
            } else {
                sorted.push(event.clone());
            }
        }
        if let Some(What::Call(call)) = now.map(|now| &now.what) {
            sorted.retain(|event| !answers(event, call.turn));
        }
        sorted
    }
}

fn path_of(text: &str) -> Term {
    lictor_contract::language::parse_term(text, lictor_contract::language::Mode::Strict).unwrap()
}
