//! The instances of a contract: one, or one for each value of its parameters.
//!
//! An event carries none of the `for_each` parameters or the first few of them.
//! It reaches the instances whose values extend what it carries; the root, which
//! has no values, only if it carries none. A new instance begins where the
//! longest existing prefix of it stands, so that an earlier login is not
//! forgotten (DESIGN section 5).

use crate::ground::Now;
use crate::program::{Letter, Program};
use crate::track::Track;
use crate::truth::Verdict;
use crate::world::World;
use lictor_contract::event::Arguments;
use lictor_contract::value::Value;
use std::collections::BTreeMap;

/// Values of the first few parameters.
pub type InstanceKey = Vec<Value>;

/// What one instance of a contract is up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub guarantee: Track,
    pub broken_assumption: Option<Track>,
    pub idle: bool,
    pub failed: bool,
    pub letters: Vec<Letter>,
}

impl State {
    /// An instance to which nothing has happened.
    pub fn start(program: &Program) -> State {
        State {
            guarantee: program.guarantee.start(),
            broken_assumption: program
                .broken_assumption
                .as_ref()
                .map(|machine| machine.start()),
            idle: false,
            failed: false,
            letters: Vec::new(),
        }
    }

    /// Its value.
    pub fn verdict(&self, program: &Program) -> Verdict {
        let strong = self.guarantee.strong;
        if self.failed {
            Verdict::Fail
        } else if self.idle {
            Verdict::Idle
        } else if program.guarantee.is_safe(strong) {
            Verdict::Satisfied
        } else if program.guarantee.is_accepting(strong) {
            Verdict::Active
        } else {
            Verdict::Pending
        }
    }
}

/// Which instances an event reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Those that extend these values; all of them for none.
    Prefix(InstanceKey),
    /// It has a parameter whose value is unknown.
    Unknown(String),
}

impl Reach {
    /// What an event carries of a contract's parameters.
    pub fn of(program: &Program, world: &World, now: &Now<'_>) -> Reach {
        let parameters = &program.contract.for_each;
        let (tool, arguments): (&str, &Arguments) = match now {
            Now::Call(call) => (&call.tool, &call.arguments),
            Now::Return { record, .. } | Now::Counted { record, .. } => {
                (&record.tool, &record.arguments)
            }
            Now::User { .. } | Now::Agent { .. } => return Reach::Prefix(Vec::new()),
        };
        if parameters.is_empty() {
            return Reach::Prefix(Vec::new());
        }
        let mut carried = Vec::new();
        for name in parameters {
            let has = world
                .record(tool)
                .is_some_and(|record| record.parameters.contains_key(name));
            match arguments.get(name) {
                Some(value) => carried.push(world.canonical(name, value)),
                None if has => return Reach::Unknown(name.clone()),
                None => break,
            }
        }
        Reach::Prefix(carried)
    }
}

/// All instances of one contract. The root has the empty key and is always there.
#[derive(Clone, Debug)]
pub struct Instances(BTreeMap<InstanceKey, State>);

impl Instances {
    /// The root alone.
    pub fn start(program: &Program) -> Instances {
        Instances(BTreeMap::from([(Vec::new(), State::start(program))]))
    }

    /// The instance that a new one of this key would begin as; its own state if
    /// it exists.
    fn origin(&self, key: &[Value]) -> Option<&State> {
        let lengths = (0..=key.len()).rev();
        lengths
            .filter_map(|length| self.0.get(key.get(..length)?))
            .next()
    }

    /// The states that an event reaches, with their keys. For values without an
    /// instance of their own that is the one it would begin as.
    pub fn reached<'s>(&'s self, prefix: &InstanceKey) -> Vec<(&'s [Value], &'s State)> {
        let existing = self.extending(prefix);
        let mut reached: Vec<(&[Value], &State)> = existing.collect();
        if !self.0.contains_key(prefix)
            && let Some(origin) = self.origin(prefix)
        {
            reached.insert(0, (&[], origin));
        }
        reached
    }

    fn extending<'s>(
        &'s self,
        prefix: &InstanceKey,
    ) -> impl Iterator<Item = (&'s [Value], &'s State)> {
        let prefix = prefix.clone();
        self.0
            .range(prefix.clone()..)
            .take_while(move |(key, _)| key.starts_with(&prefix))
            .map(|(key, state)| (key.as_slice(), state))
    }

    /// Makes the instance with exactly these values if it is not there.
    pub fn begin(&mut self, prefix: &InstanceKey) {
        if !self.0.contains_key(prefix)
            && let Some(origin) = self.origin(prefix).cloned()
        {
            self.0.insert(prefix.clone(), origin);
        }
    }

    /// The same for stepping: the instance with exactly these values is made if
    /// it is not there.
    pub fn reached_mut<'s>(
        &'s mut self,
        prefix: &'s InstanceKey,
    ) -> impl Iterator<Item = (&'s InstanceKey, &'s mut State)> {
        self.begin(prefix);
        self.0
            .range_mut(prefix.clone()..)
            .take_while(move |(key, _)| key.starts_with(prefix))
    }

    /// Something broke the contract for an instance that nobody can tell.
    pub fn fail_root(&mut self) {
        if let Some(root) = self.0.get_mut([].as_slice()) {
            root.failed = true;
        }
    }

    /// Every instance.
    pub fn all(&self) -> impl Iterator<Item = (&InstanceKey, &State)> {
        self.0.iter()
    }

    /// Every instance, for changing.
    pub fn all_mut(&mut self) -> impl Iterator<Item = (&InstanceKey, &mut State)> {
        self.0.iter_mut()
    }

    /// The contract's value: the meet of its instances'. The root of a contract
    /// with parameters counts for what is irrecoverable, never for what is owed.
    pub fn verdict(&self, program: &Program) -> Verdict {
        let verdicts = self.0.iter().map(|(key, state)| {
            let verdict = state.verdict(program);
            match owes(program, key) {
                false if verdict == Verdict::Pending => Verdict::Active,
                _ => verdict,
            }
        });
        verdicts.min().unwrap_or(Verdict::Active)
    }
}

/// Whether what an instance owes counts: that of the root does only where there
/// are no parameters.
pub fn owes(program: &Program, key: &[Value]) -> bool {
    !key.is_empty() || program.contract.for_each.is_empty()
}
