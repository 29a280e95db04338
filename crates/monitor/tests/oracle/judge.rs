//! What a contract says to a call, and what it is worth, from all events so far.

use super::catalog::{Catalog, Rule};
use super::compare::plain;
use super::facts::{Called, Event, View, What};
use super::letters::names;
use super::logic::{Letter, Logic, Memory, State, T3};
use lictor_contract::event::EventKind;
use lictor_contract::language::{Mode, parse_formula};
use lictor_contract::predicate::{Atom, EventPredicate, Formula, Term, ToolEvent};
use lictor_contract::value::Value;
use lictor_monitor::{RefusalKind, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// Values of the first few parameters.
type Key = Vec<String>;

/// Where one instance of a contract stands.
#[derive(Clone, Debug)]
struct Standing {
    strong: State,
    /// What some assignment of the unknown leads to.
    open: BTreeSet<State>,
    broken: Option<State>,
    /// What some assignment of the unknown makes of it.
    broken_open: BTreeSet<State>,
    idle: bool,
    failed: bool,
}

/// All instances, and what the newest event did.
#[derive(Clone, Debug)]
struct Standings {
    instances: BTreeMap<Key, Standing>,
    /// The newest event broke the contract.
    broke: bool,
    /// An event came whose part in the contract the oracle cannot tell.
    lost_sight: bool,
}

/// Which instances an event reaches.
enum Reach {
    Prefix(Key),
    /// It has a parameter whose value is unknown.
    Unknown,
}

/// One contract.
#[derive(Debug)]
pub struct Judge {
    catalog: Catalog,
    for_each: Vec<&'static str>,
    guarantee: Logic,
    /// The negation of the assumption.
    broken: Option<Logic>,
    kinds: BTreeSet<EventKind>,
    /// Events that it does not name leave it where it is.
    idles: bool,
    memory: Memory,
    broken_memory: Memory,
    /// The events judged last, and the standings after each.
    past: Vec<(Event, Standings)>,
}

fn kind(event: &Event) -> Option<EventKind> {
    Some(match event.what {
        What::Call(_) => EventKind::Call,
        What::Return { .. } => EventKind::Return,
        What::User(..) => EventKind::User,
        What::Agent { .. } => EventKind::Agent,
        What::Context(..) => return None,
    })
}

pub fn observed(formula: &Formula) -> BTreeSet<EventKind> {
    let mut kinds = BTreeSet::new();
    let mut arguments = false;
    for atom in formula.atoms() {
        if let Atom::Event(predicate) = atom {
            kinds.insert(match predicate {
                EventPredicate::Tool(ToolEvent::Call, _) => EventKind::Call,
                EventPredicate::Tool(..) => EventKind::Return,
                EventPredicate::Agent | EventPredicate::AgentSays(_) => EventKind::Agent,
                _ => EventKind::User,
            });
        }
        for term in atom.all_terms() {
            arguments |= matches!(term, Term::Arg(_));
            if matches!(term, Term::Result(_)) {
                kinds.insert(EventKind::Return);
            }
        }
    }
    if kinds.is_empty() || arguments && !kinds.contains(&EventKind::Return) {
        kinds.insert(EventKind::Call);
    }
    kinds
}

pub fn parsed(text: &str) -> Formula {
    parse_formula(text, Mode::Strict).unwrap().value
}

impl Judge {
    /// None if nothing can keep the guarantee, since no call then enters failure, or if there are
    /// too many letters to go through.
    pub fn new(catalog: &Catalog, rule: &Rule) -> Option<Judge> {
        let (assumption, guarantee) = (parsed(&rule.assumption), parsed(&rule.guarantee));
        let mut kinds = observed(&guarantee);
        let mut broken = None;
        if assumption != Formula::True {
            kinds.extend(observed(&assumption));
            broken = Some(Logic::new(&Formula::Not(Box::new(assumption)))?);
        }
        let mut judge = Judge {
            catalog: catalog.clone(),
            for_each: rule.for_each.clone(),
            guarantee: Logic::new(&guarantee)?,
            broken,
            kinds,
            idles: true,
            memory: Memory::default(),
            broken_memory: Memory::default(),
            past: Vec::new(),
        };
        if !judge.for_each.is_empty() {
            let logics = [Some(&judge.guarantee), judge.broken.as_ref()];
            judge.idles = logics.into_iter().flatten().all(Logic::idles);
        }
        let start = judge.guarantee.start();
        (!judge.guarantee.is_lost(&start, &mut judge.memory)).then_some(judge)
    }

    fn start(&self) -> Standings {
        let start = self.guarantee.start();
        let root = Standing {
            open: BTreeSet::from([start.clone()]),
            strong: start,
            broken: self.broken.as_ref().map(Logic::start),
            broken_open: self.broken.iter().map(Logic::start).collect(),
            idle: false,
            failed: false,
        };
        Standings {
            instances: BTreeMap::from([(Key::new(), root)]),
            broke: false,
            lost_sight: false,
        }
    }

    /// Where the event leads an instance, and whether it would enter failure.
    fn step(&mut self, from: &Standing, letter: &Letter, view: &View<'_>) -> (Standing, bool) {
        let strong = self.guarantee.step(&from.strong, letter);
        let mut open = BTreeSet::new();
        for letter in self.guarantee.assignments(letter) {
            for state in &from.open {
                open.insert(self.guarantee.step(state, &letter));
            }
        }
        open.retain(|state| !self.guarantee.is_lost(state, &mut self.memory));
        let mut idle = from.idle;
        let mut broken_open = BTreeSet::new();
        let broken = self.broken.as_ref().zip(from.broken.as_ref());
        let broken = broken.map(|(logic, state)| {
            let letter = view.letter(&logic.atoms);
            for letter in logic.assignments(&letter) {
                for state in &from.broken_open {
                    broken_open.insert(logic.step(state, &letter));
                }
            }
            let state = logic.step(state, &letter);
            idle |= logic.is_won(&state, &mut self.broken_memory);
            state
        });
        let fails = !idle && self.guarantee.is_lost(&strong, &mut self.memory);
        let next = Standing {
            strong,
            open,
            broken,
            broken_open,
            idle,
            failed: from.failed,
        };
        (next, fails)
    }

    fn reach(&self, view: &View<'_>) -> Reach {
        let Some(call) = view.call() else {
            return Reach::Prefix(Key::new());
        };
        let mut carried = Key::new();
        for name in &self.for_each {
            let value = call.arguments.as_ref().and_then(|it| it.get(*name));
            match value {
                Some(Value::Text(id)) if self.catalog.is_id(name) => carried.push(plain(id)),
                Some(value) => carried.push(value.to_string()),
                None if self.catalog.parameters(&call.tool).contains_key(name) => {
                    return Reach::Unknown;
                }
                None => break,
            }
        }
        Reach::Prefix(carried)
    }

    /// Whether the contract speaks of calls or answers of the tool.
    fn names(&self, call: &Called) -> bool {
        let logics = [Some(&self.guarantee), self.broken.as_ref()];
        let mut atoms = logics.into_iter().flatten().flat_map(|it| &it.atoms);
        atoms.any(|atom| match atom {
            Atom::Event(EventPredicate::Tool(_, tools)) => names(tools, &call.tool),
            _ => false,
        })
    }

    /// The instances that the event reaches; a new one begins as its longest prefix stands.
    fn reached(from: &Standings, prefix: &Key) -> Vec<(Key, Standing)> {
        let mut reached: Vec<(Key, Standing)> = from
            .instances
            .iter()
            .filter(|(key, _)| key.starts_with(prefix))
            .map(|(key, standing)| (key.clone(), standing.clone()))
            .collect();
        if !from.instances.contains_key(prefix) {
            let mut shorter = (0..=prefix.len()).rev();
            let origin = shorter.find_map(|length| from.instances.get(&prefix[..length]));
            reached.push((prefix.clone(), origin.unwrap().clone()));
        }
        reached
    }

    fn after(&mut self, from: &Standings, events: &[Event], at: usize) -> Standings {
        let event = &events[at];
        let mut next = from.clone();
        next.broke = false;
        let Some(kind) = kind(event).filter(|_| !is_withheld(events, event)) else {
            return next;
        };
        let catalog = self.catalog.clone();
        let view = View::new(&catalog, &events[..at], event);
        let reach = self.reach(&view);
        if let Reach::Unknown = reach {
            let named = self.names(view.call().unwrap());
            next.lost_sight |= !named && !self.idles;
            // Whichever instance the call is about, it was refused.
            if named && kind == EventKind::Call {
                next.instances.get_mut(&Key::new()).unwrap().failed = true;
            }
        }
        let Reach::Prefix(prefix) = reach else {
            return next;
        };
        if !self.kinds.contains(&kind) {
            return next;
        }
        let letter = view.letter(&self.guarantee.atoms);
        for (key, standing) in Judge::reached(from, &prefix) {
            let (stepped, fails) = self.step(&standing, &letter, &view);
            // An event that breaks the contract is in the trace; the contract skips it.
            let standing = if fails {
                next.broke = true;
                Standing {
                    failed: true,
                    ..standing
                }
            } else {
                stepped
            };
            next.instances.insert(key, standing);
        }
        next
    }

    fn stand(&mut self, events: &[Event]) -> Standings {
        let known = self.past.iter().zip(events).take_while(|(a, b)| a.0 == **b);
        let known = known.count();
        self.past.truncate(known);
        for at in known..events.len() {
            let before = match self.past.last() {
                Some((_, standings)) => standings.clone(),
                None => self.start(),
            };
            let next = self.after(&before, events, at);
            self.past.push((events[at].clone(), next));
        }
        match self.past.last() {
            Some((_, standings)) => standings.clone(),
            None => self.start(),
        }
    }

    /// What the contract says to the call `now` after all these events; none where the oracle
    /// cannot tell.
    pub fn decide(&mut self, events: &[Event], now: &Event) -> Option<Option<RefusalKind>> {
        let standings = self.stand(events);
        if standings.lost_sight {
            return None;
        }
        let catalog = self.catalog.clone();
        let view = View::new(&catalog, events, now);
        let Reach::Prefix(prefix) = self.reach(&view) else {
            return match (self.names(view.call().unwrap()), self.idles) {
                (true, _) => Some(Some(RefusalKind::Undecidable)),
                (false, true) => Some(None),
                (false, false) => None,
            };
        };
        if !self.kinds.contains(&EventKind::Call) {
            return Some(None);
        }
        let letter = view.letter(&self.guarantee.atoms);
        let mut worst = None;
        for (_, standing) in Judge::reached(&standings, &prefix) {
            let (next, fails) = self.step(&standing, &letter, &view);
            if !fails {
                continue;
            }
            let logic = self.broken.as_ref();
            let may_be_idle = logic.is_some_and(|logic| {
                let mut open = next.broken_open.iter();
                open.any(|state| logic.is_won(state, &mut self.broken_memory))
            });
            let refusal = if next.open.is_empty() && !may_be_idle {
                RefusalKind::Violated
            } else {
                RefusalKind::Undecidable
            };
            worst = Some(worst.map_or(refusal, |it: RefusalKind| it.min(refusal)));
        }
        Some(worst)
    }

    /// Whether the newest event broke the contract; none where the oracle cannot tell.
    pub fn broke(&mut self, events: &[Event]) -> Option<bool> {
        let standings = self.stand(events);
        (!standings.lost_sight).then_some(standings.broke)
    }

    /// What the contract is worth after all these events; none where the oracle cannot tell.
    pub fn verdict(&mut self, events: &[Event]) -> Option<Verdict> {
        let standings = self.stand(events);
        if standings.lost_sight {
            return None;
        }
        let mut worst = Verdict::Idle;
        for (key, standing) in &standings.instances {
            let strong = &standing.strong;
            let root = key.is_empty() && !self.for_each.is_empty();
            worst = worst.min(if standing.failed {
                Verdict::Fail
            } else if standing.idle {
                Verdict::Idle
            } else if self.guarantee.is_won(strong, &mut self.memory) {
                Verdict::Satisfied
            } else if Logic::accepts(strong) || root {
                Verdict::Active
            } else {
                Verdict::Pending
            });
        }
        Some(worst)
    }

    /// Whether the end of the session leaves something owed; none where the oracle cannot tell.
    pub fn owes(&mut self, events: &[Event]) -> Option<bool> {
        let standings = self.stand(events);
        let owing = standings.instances.iter().any(|(key, standing)| {
            let counts = self.for_each.is_empty() || !key.is_empty();
            counts && !standing.idle && !Logic::accepts(&standing.strong)
        });
        (!standings.lost_sight).then_some(owing)
    }

    /// Gives everything unknown some value at each event that the contract takes (what is drawn
    /// from the seed), and tells whether there was something, and whether the guarantee is still
    /// within reach.
    pub fn completed(&mut self, events: &[Event], seed: u64) -> (bool, bool) {
        let catalog = self.catalog.clone();
        let mut state = self.guarantee.start();
        let (mut some, mut drawn) = (false, seed);
        for (at, event) in events.iter().enumerate() {
            let observed = kind(event).is_some_and(|kind| self.kinds.contains(&kind));
            if !observed || is_withheld(events, event) {
                continue;
            }
            let mut letter =
                View::new(&catalog, &events[..at], event).letter(&self.guarantee.atoms);
            for index in 0..letter.len() {
                // What calls in flight make of it is open, too.
                if matches!(letter[index], T3::Unknown | T3::Reserved) {
                    some = true;
                    letter[index] = T3::Unknown;
                    let told = self.guarantee.assignments(&letter);
                    let can = |truth| told.iter().any(|letter| letter[index] == truth);
                    let wish = T3::of(Some(drawn & 1 == 1));
                    drawn = drawn.rotate_right(1);
                    letter[index] = if can(wish) { wish } else { wish.not() };
                }
            }
            state = self.guarantee.step(&state, &letter);
        }
        (some, !self.guarantee.is_lost(&state, &mut self.memory))
    }

    /// What is known of the guarantee's atoms at a call.
    pub fn letter(&self, events: &[Event], now: &Event) -> Vec<(Atom, T3)> {
        let view = View::new(&self.catalog, events, now);
        let letter = view.letter(&self.guarantee.atoms);
        self.guarantee.atoms.iter().cloned().zip(letter).collect()
    }
}

/// Whether the event is, or answers, a call that a gate stopped.
fn is_withheld(events: &[Event], event: &Event) -> bool {
    let id = match &event.what {
        What::Call(call) => call.id,
        What::Return { call, .. } => *call,
        _ => return false,
    };
    events
        .iter()
        .any(|other| matches!(&other.what, What::Call(call) if call.id == id && call.withheld))
}
