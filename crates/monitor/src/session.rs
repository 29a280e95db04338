//! One conversation under a library: decisions, stepping and verdicts.

mod early;
mod instances;
mod step;

use crate::consent::{self, Judgement};
use crate::ground::{Moment, Now};
use crate::history::{Clock, History, Mark};
use crate::program::{Letter, Monitor};
use crate::truth::{Truth, Verdict};
use early::Early;
use instances::{Instances, Reach, State, owes};
use lictor_contract::alphabet::Encoded;
use lictor_contract::event::{Call, CallId, Outcome, Return, Turn};
use lictor_contract::time::Time;
use lictor_contract::value::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use step::{Step, commit, explain, instance};

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

/// What was there before the newest call was admitted, so that it can be removed
/// if the host says that it was not run.
#[derive(Clone, Debug)]
struct Undo {
    call: CallId,
    /// Of the contracts that the call can move, the state before it.
    contracts: Vec<(usize, Instances)>,
    history: Mark,
    early: Option<Early>,
}

/// The state of one conversation under a library.
#[derive(Clone)]
pub struct Session<'m> {
    monitor: &'m Monitor,
    contracts: Vec<Instances>,
    early: Option<Early>,
    undo: Option<Undo>,
    history: History,
    record_letters: bool,
}

impl<'m> Session<'m> {
    pub(crate) fn new(monitor: &'m Monitor, record_letters: bool) -> Self {
        Session {
            monitor,
            contracts: monitor.programs.iter().map(Instances::start).collect(),
            early: None,
            undo: None,
            history: History::default(),
            record_letters,
        }
    }

    /// Adds or replaces a fact from the host.
    pub fn context(&mut self, key: &str, value: Value) {
        self.undo = None;
        self.history.set_context(key, value);
    }

    /// Sets the time of the events that follow, as RFC 3339 text, with or without
    /// an offset. A text that is no time leaves it unknown, and with it every
    /// stretch of time that ends there.
    pub fn clock(&mut self, time: Option<&str>) {
        let clock = time.and_then(|text| {
            let (seconds, is_instant) = Time::parse(text)?.seconds(self.monitor.world.zone())?;
            Some((Value::text(text), seconds, is_instant))
        });
        self.history.set_clock(clock);
    }

    /// The user wrote something. Blank text is no event.
    pub fn user_turn(&mut self, _turn: Turn, text: &str) -> Vec<Falsified> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        self.early = None;
        self.undo = None;
        let judgement = self.judge(&consent::spoken(text));
        let now = Now::User {
            text,
            answer: judgement.answer,
        };
        let falsified = self.step(now);
        self.history.add_user(text, judgement);
        falsified
    }

    fn judge(&self, text: &str) -> Judgement {
        let languages = self.monitor.world.languages();
        let said = self.history.said_since_user();
        let invitation = consent::invites(languages, said, self.history.details());
        consent::judge_reply(languages, invitation, text)
    }

    /// The agent wrote something. Blank text is no event.
    pub fn agent_turn(&mut self, turn: Turn, text: &str) -> Vec<Falsified> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        self.early = None;
        self.undo = None;
        let falsified = self.step(Now::Agent { text, turn });
        self.history.add_agent(turn, &consent::spoken(text));
        falsified
    }

    /// Steps all contracts on an event that took place.
    fn step(&mut self, now: Now<'_>) -> Vec<Falsified> {
        let moment = moment(self.monitor, &self.history, now);
        commit(
            self.monitor,
            &mut self.contracts,
            &moment,
            self.record_letters,
        )
    }

    /// What the library says to a call. Changes nothing.
    pub fn decide(&self, call: &Call) -> Decision {
        let call = match self.monitor.known(call) {
            Ok(call) => call,
            Err(refusal) => {
                return Decision {
                    refusals: vec![refusal],
                };
            }
        };
        let moment = moment(self.monitor, &self.history, Now::Call(&call));
        let dispatch = &self.monitor.dispatch;
        let concerned = dispatch.concerned(&moment.now);
        let objections = concerned
            .iter()
            .filter_map(|index| Some((*index, self.objection(*index, &call, &moment)?)));
        let mut refusals: BTreeMap<usize, Refusal> = objections.collect();
        for index in dispatch.keyed(&call.tool) {
            let Some(program) = self.monitor.programs.get(*index) else {
                continue;
            };
            if let Reach::Unknown(name) = Reach::of(program, &self.monitor.world, &moment.now) {
                let refusal = Refusal {
                    contract: Some(program.contract.id.clone()),
                    kind: RefusalKind::Undecidable,
                    reason: format!(
                        "cannot decide which `{name}` the call is about: it has no value"
                    ),
                };
                refusals.insert(*index, refusal);
            }
        }
        Decision {
            refusals: refusals.into_values().collect(),
        }
    }

    /// What one contract has against a call whose instances are known.
    fn objection(&self, index: usize, call: &Call, moment: &Moment<'_>) -> Option<Refusal> {
        let program = self.monitor.programs.get(index)?;
        let early = self.early.as_ref().filter(|early| early.turn == call.turn);
        let without = early.and_then(|early| early.without.get(&index));
        let instances = without.or_else(|| self.contracts.get(index))?;
        let Reach::Prefix(prefix) = Reach::of(program, &self.monitor.world, &moment.now) else {
            return None;
        };
        let mut objection: Option<Refusal> = None;
        for (_, state) in instances.reached(&prefix) {
            let step = Step::of(program, state, moment);
            if !step.fails {
                continue;
            }
            let kind = match step.may_be_kept(program) {
                true => RefusalKind::Undecidable,
                false => RefusalKind::Violated,
            };
            if objection.as_ref().is_none_or(|found| kind < found.kind) {
                let undecidable = kind == RefusalKind::Undecidable;
                let reason =
                    explain(program, state, moment, undecidable) + &instance(program, &prefix);
                objection = Some(Refusal {
                    contract: Some(program.contract.id.clone()),
                    kind,
                    reason,
                });
            }
        }
        objection
    }

    /// The call takes place: its contracts step, its counters take it. A contract
    /// that it breaks (in shadow or audit) skips it and is marked as failed.
    pub fn admit(&mut self, call: &Call) {
        let call = self.read(call);
        let undo = Undo {
            call: call.id,
            contracts: self.movable(&call),
            history: self.history.mark(),
            early: self.early.clone(),
        };
        let early = self.take_back(call.turn);
        // What it falsifies was told by `decide`.
        self.step(Now::Call(&call));
        let is_write = self.monitor.is_write(&call.tool);
        self.history.add_call(&call, is_write, false);
        let clock = self.history.clock().clone();
        for (answer, came) in early {
            self.history.put_clock(came);
            // What it falsifies was told when it came.
            self.take_answer(&answer);
        }
        self.history.put_clock(clock);
        self.undo = Some(undo);
    }

    /// The contracts that a call may move, by itself or as it takes its place
    /// before the answers of its turn, as they stand.
    fn movable(&self, call: &Call) -> Vec<(usize, Instances)> {
        let moment = moment(self.monitor, &self.history, Now::Call(call));
        let dispatch = &self.monitor.dispatch;
        let concerned = dispatch.concerned(&moment.now).iter();
        let mut moved: BTreeSet<usize> = concerned.copied().collect();
        moved.extend(dispatch.owing(&moment.now));
        moved.extend(dispatch.keyed(&call.tool));
        if let Some(early) = self.early.as_ref().filter(|early| early.turn == call.turn) {
            moved.extend(early.without.keys());
        }
        if self.record_letters {
            moved = (0..self.contracts.len()).collect();
        }
        let kept = moved.into_iter().filter_map(|index| {
            let instances = self.contracts.get(index)?;
            Some((index, instances.clone()))
        });
        kept.collect()
    }

    /// The host did not run a call that was admitted. Right after its admission
    /// it is removed as if it had never been; once something else happened it
    /// stays in flight, since others were decided in its sight. Says which.
    pub fn not_run(&mut self, call: CallId) -> bool {
        let Some(undo) = self.undo.take_if(|undo| undo.call == call) else {
            return false;
        };
        for (index, instances) in undo.contracts {
            if let Some(place) = self.contracts.get_mut(index) {
                *place = instances;
            }
        }
        self.early = undo.early;
        self.history.go_back(undo.history, call);
        true
    }

    /// The call under the id of its tool, its arguments as the schema says.
    fn read<'c>(&self, call: &'c Call) -> Cow<'c, Call> {
        self.monitor.known(call).unwrap_or(Cow::Borrowed(call))
    }

    /// Goes back to before the answers of the turn that a call belongs to, and
    /// forgets what kept those of another turn.
    fn take_back(&mut self, turn: Turn) -> Vec<(Return, Clock)> {
        let Some(early) = self.early.take().filter(|early| early.turn == turn) else {
            return Vec::new();
        };
        for (index, without) in early.without {
            if let Some(instances) = self.contracts.get_mut(index) {
                *instances = without;
            }
        }
        let answers = early.answers.into_iter();
        answers
            .filter_map(|(call, clock)| Some((self.history.take_return(call)?, clock)))
            .collect()
    }

    /// The call was refused, yet a recording may hold an answer to it: nothing
    /// steps and nothing counts, but the answer will supply facts.
    pub fn withhold(&mut self, call: &Call) {
        let call = self.read(call);
        self.undo = None;
        self.early = self.early.take().filter(|early| early.turn == call.turn);
        self.history.add_call(&call, false, true);
    }

    /// Decides, and admits the call if it is allowed. A refused call leaves no trace.
    pub fn before_call(&mut self, call: &Call) -> Decision {
        let decision = self.decide(call);
        // Another call was decided in the sight of the one before.
        self.undo = None;
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
        let (outcome, result) = self.settled(&record.tool.clone(), answer);
        self.take_answer(&Return {
            call: answer.call,
            outcome,
            result,
        })
    }

    /// What an answer means by the forms its tool's results have. Where forms are
    /// declared, a result that fits none is an error.
    fn settled(&self, tool: &str, answer: &Return) -> (Outcome, Value) {
        let world = &self.monitor.world;
        let forms = world.forms(tool);
        if answer.outcome == Outcome::Error || forms.is_empty() {
            let value = world.without_absent(tool, answer.result.clone());
            return (answer.outcome, value);
        }
        let Some(record) = self.history.call(answer.call) else {
            return (answer.outcome, answer.result.clone());
        };
        let now = Now::Return {
            record,
            outcome: answer.outcome,
            value: &answer.result,
        };
        let moment = moment(self.monitor, &self.history, now);
        for form in forms {
            if moment.formula(&form.ok) == Truth::True
                && let Some(value) = moment.select(&answer.result, &form.value.0)
            {
                return (Outcome::Ok, world.without_absent(tool, value.into_owned()));
            }
        }
        (Outcome::Error, answer.result.clone())
    }

    fn take_answer(&mut self, answer: &Return) -> Vec<Falsified> {
        let Some(record) = self.history.call(answer.call) else {
            return Vec::new();
        };
        if record.answer.is_some() {
            return Vec::new();
        }
        self.undo = None;
        let is_own = self.history.newest_turn() == Some(record.turn);
        if is_own {
            let turn = record.turn;
            let early = self.early.get_or_insert_with(|| Early::new(turn));
            early
                .answers
                .push((answer.call, self.history.clock().clone()));
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
                early.keep(self.monitor, &self.contracts, &moment, self.record_letters);
                if !is_own {
                    early.advance(self.monitor, &moment, self.record_letters);
                }
            }
            falsified = commit(
                self.monitor,
                &mut self.contracts,
                &moment,
                self.record_letters,
            );
        }
        self.history.add_return(answer);
        falsified
    }

    /// The session ends: what is pending has failed.
    pub fn finish(&mut self) -> Vec<Pending> {
        let mut pending = Vec::new();
        for (program, instances) in self.monitor.programs.iter().zip(&mut self.contracts) {
            for (key, state) in instances.all_mut() {
                let open = !program.guarantee.is_accepting(state.guarantee.strong);
                if !state.idle && open && owes(program, key) {
                    state.failed = true;
                    pending.push(Pending {
                        contract: program.contract.id.clone(),
                        reason: program.contract.says.clone() + &instance(program, key),
                    });
                }
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
            .zip(&self.contracts)
            .map(|(program, instances)| (program.contract.id.as_str(), instances.verdict(program)))
    }

    /// For each instance of each contract its encoded guarantee, the letters it
    /// stepped on, and whether its machine accepts them. Letters are kept only in
    /// a [`Monitor::recording_session`].
    pub fn letters(&self) -> impl Iterator<Item = (&Encoded, &[Letter], bool)> {
        let contracts = self.monitor.programs.iter().zip(&self.contracts);
        contracts.flat_map(|(program, instances)| {
            instances.all().map(move |(_, state): (_, &State)| {
                let accepts = program.guarantee.is_accepting(state.guarantee.strong);
                (&program.encoded, state.letters.as_slice(), accepts)
            })
        })
    }
}

fn moment<'a>(monitor: &'a Monitor, history: &'a History, now: Now<'a>) -> Moment<'a> {
    Moment {
        history,
        now,
        patterns: &monitor.patterns,
        world: &monitor.world,
        scope: None,
        as_read: false,
        before_answers_of: None,
    }
}
