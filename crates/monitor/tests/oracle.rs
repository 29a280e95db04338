//! The monitor against a second, naive reading of the same definitions.
//!
//! The oracle keeps every event, computes every atom from the whole history, and searches for a
//! continuation that keeps the contract; it shares no grounding, stepping or automata with the
//! monitor, nor canonical atoms and axioms with the contract language.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it should be"
)]

#[path = "oracle/facts.rs"]
mod facts;
#[path = "oracle/judge.rs"]
mod judge;
#[path = "oracle/letters.rs"]
mod letters;
#[path = "oracle/logic.rs"]
mod logic;
#[path = "oracle/script.rs"]
mod script;

use facts::{Called, Event};
use judge::Judge;
use lictor_contract::catalog::Effect;
use lictor_contract::contract::{Contract, Evidence, Strategy as Remedy};
use lictor_contract::event::{Arguments, Call, CallId, Outcome, Return, Turn};
use lictor_contract::language::{Mode, parse_formula};
use lictor_contract::library::{FORMAT, Library, Provenance, Settings, ToolRecord};
use lictor_contract::predicate::{Atom, EventPredicate, ToolEvent};
use lictor_contract::rule::Kind;
use lictor_contract::value::Value;
use lictor_monitor::{Decision, Falsified, Monitor, RefusalKind, Session};
use logic::T3;
use proptest::prelude::*;
use script::{Fate, Pair, Proposal, Saying, Step};
use std::collections::{BTreeMap, BTreeSet};

fn monitor(contracts: &[Pair]) -> Monitor {
    let tool = |name: &str, effect| {
        let record = ToolRecord {
            fingerprint: String::new(),
            effect: Some(effect),
            ..ToolRecord::default()
        };
        (name.to_owned(), record)
    };
    let contract = |(index, (assumption, guarantee)): (usize, &Pair)| Contract {
        id: format!("C{index}"),
        kind: Kind::Formula,
        clauses: Vec::new(),
        bindings: Vec::new(),
        for_each: Vec::new(),
        assumption: assumption.clone(),
        guarantee: guarantee.clone(),
        steps_on: Vec::new(),
        strategy: Remedy::Block,
        says: String::new(),
        meaning: String::new(),
        evidence: Evidence::default(),
    };
    let library = Library {
        lictor: FORMAT,
        provenance: Provenance::default(),
        tools: BTreeMap::from([
            tool("look", Effect::Read),
            tool("act", Effect::Write),
            tool("pay", Effect::Write),
        ]),
        entities: BTreeMap::new(),
        ids: BTreeSet::new(),
        settings: Settings::default(),
        contracts: contracts.iter().enumerate().map(contract).collect(),
        coverage: Vec::new(),
        digest: String::new(),
    };
    Monitor::new(&library).unwrap()
}

/// How a recording treats a call that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    Audit,
    Gate,
    /// As live: the call does not happen.
    Live,
}

type Refused = BTreeMap<String, RefusalKind>;

fn refused(decision: &Decision) -> Refused {
    let kinds = decision.refusals.iter();
    kinds
        .map(|refusal| (refusal.contract.clone().unwrap(), refusal.kind))
        .collect()
}

/// A session, fed a script; and the events the oracle sees.
struct Desk<'m> {
    session: Session<'m>,
    mode: Door,
    events: Vec<Event>,
    decisions: Vec<Refused>,
    /// Contracts that something else than a call broke, with the number of calls before it.
    falsified: Vec<(usize, String)>,
    turn: u32,
    calls: u32,
    late: Vec<(u8, Return)>,
}

impl<'m> Desk<'m> {
    fn new(monitor: &'m Monitor, mode: Door) -> Self {
        Desk {
            session: monitor.session(),
            mode,
            events: Vec::new(),
            decisions: Vec::new(),
            falsified: Vec::new(),
            turn: 0,
            calls: 0,
            late: Vec::new(),
        }
    }

    fn heard(&mut self, falsified: Vec<Falsified>) {
        let calls = self.decisions.len();
        let contracts = falsified.into_iter().map(|it| (calls, it.contract));
        self.falsified.extend(contracts);
    }

    fn agent(&mut self, text: &str) {
        self.turn += 1;
        let falsified = self.session.agent_turn(Turn(self.turn), text);
        self.heard(falsified);
        self.events.push(Event::Agent);
    }

    fn step(&mut self, step: &Step, hear: &mut dyn FnMut(&[Event], &Event, &Decision)) {
        let mut late = std::mem::take(&mut self.late);
        late.sort_by_key(|(rank, _)| *rank);
        // Some come between the calls of the next turn.
        let between = matches!(step, Step::Turn(_)) && late.iter().any(|(rank, _)| *rank > 3);
        if !between {
            late.drain(..).for_each(|(_, answer)| self.answer(&answer));
        }
        match step {
            Step::Agent => self.agent("I am looking into it."),
            Step::User(saying) => {
                if !matches!(saying, Saying::Unasked) {
                    self.agent("I will cancel order A1. Shall I go ahead?");
                } else {
                    self.agent("I am looking into it.");
                }
                let (text, answer) = match saying {
                    Saying::Yes => ("Yes, go ahead.", T3::True),
                    Saying::No => ("No, leave it.", T3::False),
                    Saying::Unclear => ("I guess so?", T3::Unknown),
                    Saying::Unasked => ("Yes, go ahead.", T3::False),
                };
                self.turn += 1;
                let falsified = self.session.user_turn(Turn(self.turn), text);
                self.heard(falsified);
                self.events.push(Event::User(answer));
            }
            Step::Turn(proposals) => {
                self.turn += 1;
                let mut soon = Vec::new();
                for proposal in proposals {
                    let Some(answer) = self.propose(proposal, hear) else {
                        continue;
                    };
                    match proposal.fate {
                        Fate::AtOnce => self.answer(&answer),
                        Fate::Soon(rank) => soon.push((rank, answer)),
                        Fate::Later(rank) => self.late.push((rank, answer)),
                        Fate::Never => {}
                    }
                    late.drain(..).for_each(|(_, answer)| self.answer(&answer));
                }
                late.iter().for_each(|(_, answer)| self.answer(answer));
                soon.sort_by_key(|(rank, _)| *rank);
                soon.iter().for_each(|(_, answer)| self.answer(answer));
            }
        }
    }

    /// Proposes a call; its answer, if it took place or was recorded.
    fn propose(
        &mut self,
        proposal: &Proposal,
        hear: &mut dyn FnMut(&[Event], &Event, &Decision),
    ) -> Option<Return> {
        self.calls += 1;
        let call = Call {
            id: CallId(self.calls),
            turn: Turn(self.turn),
            tool: proposal.tool.to_owned(),
            arguments: proposal.arguments.clone(),
            turn_size: None,
        };
        let mut called = Called {
            id: self.calls,
            turn: self.turn,
            tool: call.tool.clone(),
            arguments: match &call.arguments {
                Arguments::Read(values) => Some(values.clone()),
                Arguments::Unreadable(_) => None,
            },
            withheld: false,
        };
        let decision = self.session.decide(&call);
        hear(&self.events, &Event::Call(called.clone()), &decision);
        self.decisions.push(refused(&decision));
        if decision.is_allowed() || self.mode == Door::Audit {
            self.session.admit(&call);
        } else if self.mode == Door::Gate {
            self.session.withhold(&call);
            called.withheld = true;
        } else {
            return None;
        }
        self.events.push(Event::Call(called));
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

    fn answer(&mut self, answer: &Return) {
        let falsified = self.session.after_return(answer);
        self.heard(falsified);
        self.events.push(Event::Return {
            call: answer.call.0,
            ok: answer.outcome == Outcome::Ok,
            value: answer.result.clone(),
        });
    }
}

/// All that is decided in a session of this script.
fn run<'m>(monitor: &'m Monitor, mode: Door, steps: &[Step]) -> Desk<'m> {
    let mut desk = Desk::new(monitor, mode);
    for step in steps {
        desk.step(step, &mut |_, _, _| {});
    }
    desk
}

/// Every proposal of a script in order, to be changed.
fn proposals(steps: &mut [Step]) -> impl Iterator<Item = &mut Proposal> {
    steps.iter_mut().flat_map(|step| match step {
        Step::Turn(proposals) => proposals.iter_mut().collect::<Vec<_>>(),
        _ => Vec::new(),
    })
}

/// The script without the proposal of this number.
fn without(steps: &[Step], number: usize) -> Vec<Step> {
    let mut before = 0;
    let mut kept = steps.to_vec();
    for step in &mut kept {
        if let Step::Turn(proposals) = step {
            let here = number
                .checked_sub(before)
                .filter(|at| *at < proposals.len());
            before += proposals.len();
            if let Some(at) = here {
                proposals.remove(at);
            }
        }
    }
    kept
}

/// Whether the order of answers is something a contract may speak of.
fn observes_answers(contracts: &[Pair]) -> bool {
    let speaks = |text: &String| {
        let formula = parse_formula(text, Mode::Strict).unwrap().value;
        formula.atoms().iter().any(|atom| {
            matches!(atom, Atom::Event(EventPredicate::Tool(event, _)) if *event != ToolEvent::Call)
        })
    };
    contracts
        .iter()
        .any(|(assumption, guarantee)| speaks(assumption) || speaks(guarantee))
}

fn judges(contracts: &[Pair]) -> Vec<(String, Option<Judge>)> {
    let parsed = |text: &str| parse_formula(text, Mode::Strict).unwrap().value;
    let each = contracts.iter().enumerate();
    each.map(|(index, (assumption, guarantee))| {
        let judge = Judge::new(&parsed(assumption), &parsed(guarantee));
        (format!("C{index}"), judge)
    })
    .collect()
}

/// The events before a call with the calls of each turn before its answers, as they stand in a
/// message; those of the call's own turn are left out.
fn as_in_messages(events: &[Event], now: &Event) -> Vec<Event> {
    let turn = |id: u32| {
        events.iter().find_map(|event| match event {
            Event::Call(call) if call.id == id => Some(call.turn),
            _ => None,
        })
    };
    let mut sorted: Vec<Event> = Vec::new();
    for event in events {
        if let Event::Call(call) = event {
            let (own, other): (Vec<Event>, Vec<Event>) = sorted.into_iter().partition(
                |event| matches!(event, Event::Return { call: id, .. } if turn(*id) == Some(call.turn)),
            );
            sorted = other;
            sorted.push(event.clone());
            sorted.extend(own);
        } else {
            sorted.push(event.clone());
        }
    }
    if let Event::Call(call) = now {
        sorted.retain(
            |event| !matches!(event, Event::Return { call: id, .. } if turn(*id) == Some(call.turn)),
        );
    }
    sorted
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        max_global_rejects: cases * 20,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn monitor_and_oracle_say_the_same(
        contracts in script::library(),
        steps in script::script(),
        mode in proptest::sample::select(vec![Door::Audit, Door::Gate, Door::Live]),
    ) {
        let monitor = monitor(&contracts);
        let mut judges = judges(&contracts);
        let mut desk = Desk::new(&monitor, mode);
        let mut wrong: Option<String> = None;
        for step in &steps {
            desk.step(step, &mut |events, now, decision| {
                let events = as_in_messages(events, now);
                let said = refused(decision);
                for (contract, (id, judge)) in contracts.iter().zip(&mut judges) {
                    let Some(judge) = judge else {
                        continue;
                    };
                    let expected = judge.decide(&events, now);
                    let found = said.get(id).copied();
                    if expected != found && wrong.is_none() {
                        wrong = Some(format!(
                            "{contract:?}\nmonitor {found:?}, oracle {expected:?} at {now:?}\nafter {}",
                            events.iter().map(|event| format!("  {event:?}\n")).collect::<String>()
                        ));
                    }
                }
            });
        }
        prop_assert!(wrong.is_none(), "{}", wrong.unwrap());
    }

    #[test]
    fn a_refused_call_leaves_nothing_behind(
        contracts in script::library(),
        steps in script::script(),
        which in any::<proptest::sample::Index>(),
    ) {
        let monitor = monitor(&contracts);
        let mut decisions = run(&monitor, Door::Live, &steps).decisions;
        let refused: Vec<usize> = (0..decisions.len()).filter(|at| !decisions[*at].is_empty()).collect();
        prop_assume!(!refused.is_empty());
        let number = refused[which.index(refused.len())];
        let other = run(&monitor, Door::Live, &without(&steps, number)).decisions;
        decisions.remove(number);
        prop_assert_eq!(decisions, other);
    }

    #[test]
    fn automata_agree_with_the_letters_that_are_kept(
        contracts in script::library(),
        steps in script::script(),
    ) {
        let monitor = monitor(&contracts);
        let mut desk = Desk::new(&monitor, Door::Audit);
        desk.session = monitor.recording_session();
        for step in &steps {
            desk.step(step, &mut |_, _, _| {});
            for (formula, letters, accepts) in desk.session.letters() {
                let holds = lictor_ltlf::semantics::holds(formula, letters, |letter, literal| {
                    letter.contains(literal)
                });
                prop_assert_eq!(holds, accepts, "{:?}", letters);
            }
        }
        prop_assert_eq!(desk.decisions, run(&monitor, Door::Audit, &steps).decisions);
    }

    #[test]
    fn answers_of_one_turn_may_come_in_any_order(
        contracts in script::library(),
        steps in script::script(),
        ranks in proptest::collection::vec(0..9_u8, 18),
        mode in proptest::sample::select(vec![Door::Audit, Door::Gate, Door::Live]),
    ) {
        prop_assume!(!observes_answers(&contracts));
        let monitor = monitor(&contracts);
        let mut other = steps.clone();
        for (proposal, rank) in proposals(&mut other).zip(ranks) {
            if matches!(proposal.fate, Fate::AtOnce | Fate::Soon(_)) {
                proposal.fate = if rank == 8 { Fate::AtOnce } else { Fate::Soon(rank) };
            }
        }
        prop_assert_eq!(
            run(&monitor, mode, &steps).decisions,
            run(&monitor, mode, &other).decisions
        );
    }

    #[test]
    fn sessions_do_not_touch_each_other(
        contracts in script::library(),
        scripts in (script::script(), script::script()),
    ) {
        let monitor = monitor(&contracts);
        let mut desks = [Desk::new(&monitor, Door::Audit), Desk::new(&monitor, Door::Live)];
        for at in 0..scripts.0.len().max(scripts.1.len()) {
            for (desk, script) in desks.iter_mut().zip([&scripts.0, &scripts.1]) {
                if let Some(step) = script.get(at) {
                    desk.step(step, &mut |_, _, _| {});
                }
            }
        }
        prop_assert_eq!(&desks[0].decisions, &run(&monitor, Door::Audit, &scripts.0).decisions);
        prop_assert_eq!(&desks[1].decisions, &run(&monitor, Door::Live, &scripts.1).decisions);
    }

    #[test]
    fn the_unknown_admits_nothing_that_a_value_would_refuse(
        contracts in script::library(),
        steps in script::script(),
        arguments in script::arguments(),
        yes in any::<bool>(),
    ) {
        // `known` asks for the unknown itself.
        prop_assume!(contracts.iter().all(|(_, guarantee)| !guarantee.contains("known(")));
        let monitor = monitor(&contracts);
        let unknown = run(&monitor, Door::Audit, &steps);
        for script in told(&steps, &arguments, yes) {
            let known = run(&monitor, Door::Audit, &script);
            for at in 0..contracts.len() {
                let id = format!("C{at}");
                // From what breaks the contract on it skips an event, and the two sessions part.
                let falsified = unknown.falsified.iter().find(|(_, contract)| *contract == id);
                let until = falsified.map_or(unknown.decisions.len(), |(calls, _)| *calls);
                let pairs = unknown.decisions.iter().zip(&known.decisions).take(until);
                for (without, with) in pairs.take_while(|(without, _)| !without.contains_key(&id)) {
                    prop_assert!(!with.contains_key(&id), "{without:?} {with:?} {script:#?}");
                }
            }
        }
    }
}

/// The scripts that differ from this one in that something unknown has a value.
fn told(steps: &[Step], arguments: &BTreeMap<String, Value>, yes: bool) -> Vec<Vec<Step>> {
    let mut scripts = Vec::new();
    for at in 0..steps.len() {
        let mut with = |step: Step| {
            let mut script = steps.to_vec();
            script[at] = step;
            scripts.push(script);
        };
        match &steps[at] {
            Step::User(Saying::Unclear) => {
                with(Step::User(if yes { Saying::Yes } else { Saying::No }));
            }
            Step::Turn(proposals) => {
                for index in 0..proposals.len() {
                    let mut change = |change: &dyn Fn(&mut Proposal)| {
                        let mut proposals = proposals.clone();
                        change(&mut proposals[index]);
                        with(Step::Turn(proposals));
                    };
                    // A call without a key surely does not carry it, so keys are left alone.
                    for name in ["n", "s"] {
                        let Some(value) = arguments.get(name) else {
                            continue;
                        };
                        let add = |fields: &mut BTreeMap<String, Value>| {
                            fields
                                .entry(name.to_owned())
                                .or_insert_with(|| value.clone());
                        };
                        change(&|proposal| match &mut proposal.arguments {
                            Arguments::Read(fields) => add(fields),
                            unreadable => *unreadable = Arguments::Read(arguments.clone()),
                        });
                        change(&|proposal| {
                            if let Value::Object(fields) = &mut proposal.result {
                                add(fields);
                            }
                        });
                    }
                }
            }
            _ => {}
        }
    }
    scripts
}
