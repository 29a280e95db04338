//! A library made ready to run.

use crate::dispatch::Dispatch;
use crate::session::{Refusal, RefusalKind, Session};
use crate::track::Machine;
use crate::world::World;
use lictor_contract::alphabet::{Encoded, Literal, encode};
use lictor_contract::catalog::Effect;
use lictor_contract::contract::Contract;
use lictor_contract::event::{Call, EventKind};
use lictor_contract::language::{Mode, compile_pattern, parse_formula};
use lictor_contract::library::{Library, Unlisted};
use lictor_contract::names::Resolved;
use lictor_contract::predicate::{
    Atom, EventPredicate, Formula, Name, Pattern, Term, ToolPattern, ToolRef, observed_kinds,
};
use regex::Regex;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Why a library cannot be run. A gate that meets this refuses everything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}; compile the library again", place(contract))]
pub struct MonitorError {
    /// Which contract; empty for what the library declares for all of them.
    pub contract: String,
    /// Why.
    pub reason: String,
}

fn place(contract: &str) -> String {
    match contract {
        "" => "the library cannot be run: ".to_owned(),
        id => format!("contract `{id}` cannot be run: "),
    }
}

/// A library compiled for stepping; shared by any number of sessions.
#[derive(Debug)]
pub struct Monitor {
    pub(crate) programs: Vec<Program>,
    pub(crate) patterns: BTreeMap<Pattern, Regex>,
    pub(crate) dispatch: Dispatch,
    pub(crate) world: World,
    unlisted: Unlisted,
}

/// One contract compiled for stepping.
#[derive(Debug)]
pub(crate) struct Program {
    pub contract: Contract,
    pub steps_on: BTreeSet<EventKind>,
    pub guarantee: Machine,
    /// The strong reading of the assumption's negation; none for `true`.
    pub broken_assumption: Option<Machine>,
    /// The guarantee as the machine was made from it, for checking it.
    pub encoded: Encoded,
    pub needs_consent: bool,
    /// Both machines stay where they are on events that they do not name.
    pub idles: bool,
}

impl Monitor {
    /// Compiles a library.
    ///
    /// # Errors
    /// [`MonitorError`] names the first contract that cannot be run.
    pub fn new(library: &Library) -> Result<Monitor, MonitorError> {
        let world = World::new(library).map_err(|reason| MonitorError {
            contract: String::new(),
            reason,
        })?;
        let mut patterns = BTreeMap::new();
        let mut programs = Vec::new();
        for contract in &library.contracts {
            let program = Program::new(contract).map_err(|reason| MonitorError {
                contract: contract.id.clone(),
                reason,
            })?;
            for pattern in program.patterns() {
                let regex = compile_pattern(&pattern).map_err(|reason| MonitorError {
                    contract: contract.id.clone(),
                    reason: format!("its pattern `{}` does not compile: {reason}", pattern.0),
                })?;
                patterns.insert(pattern, regex);
            }
            programs.push(program);
        }
        Ok(Monitor {
            dispatch: Dispatch::new(&programs),
            programs,
            patterns,
            world,
            unlisted: library.settings.unlisted,
        })
    }

    /// A new session.
    pub fn session(&self) -> Session<'_> {
        Session::new(self, false)
    }

    /// A new session that keeps every letter its contracts stepped on, for
    /// checking the automata against the direct semantics.
    pub fn recording_session(&self) -> Session<'_> {
        Session::new(self, true)
    }

    /// The ids of the contracts in library order.
    pub fn contract_ids(&self) -> impl Iterator<Item = &str> {
        self.programs
            .iter()
            .map(|program| program.contract.id.as_str())
    }

    /// The call under the id of its tool, its arguments as the schema says.
    ///
    /// # Errors
    /// The refusal of a call whose tool the library does not know.
    pub(crate) fn known<'c>(&self, call: &'c Call) -> Result<Cow<'c, Call>, Refusal> {
        let refusal = |kind, reason| Refusal {
            contract: None,
            kind,
            reason,
        };
        match self.world.resolve(&call.tool) {
            Resolved::Tool(id) => Ok(self.world.read(call, id)),
            Resolved::Unknown if self.unlisted == Unlisted::Pass => Ok(Cow::Borrowed(call)),
            Resolved::Unknown => Err(refusal(
                RefusalKind::UnknownTool,
                format!("the library does not know the tool `{}`", call.tool),
            )),
            Resolved::Ambiguous(tools) => {
                let tools: Vec<String> = tools.iter().map(|id| format!("`{id}`")).collect();
                let reason = format!(
                    "cannot decide which tool is called: `{}` may be {}",
                    call.tool,
                    tools.join(" or ")
                );
                Err(refusal(RefusalKind::Undecidable, reason))
            }
        }
    }

    /// The id of the tool that an agent calls by this name; the name itself if
    /// it stands for none or for several.
    pub fn tool_id<'a>(&'a self, name: &'a str) -> &'a str {
        match self.world.resolve(name) {
            Resolved::Tool(id) => id,
            Resolved::Ambiguous(_) | Resolved::Unknown => name,
        }
    }

    /// Whether the tool may change something; a tool without a class may. One that
    /// the library refuses to know cannot have changed anything.
    pub fn is_write(&self, tool: &str) -> bool {
        match self.world.record(self.tool_id(tool)) {
            Some(record) => record.effect != Some(Effect::Read),
            None => self.unlisted == Unlisted::Pass,
        }
    }
}

impl Program {
    fn new(contract: &Contract) -> Result<Program, String> {
        let read = |text: &str| {
            parse_formula(text, Mode::Strict)
                .map(|parsed| parsed.value)
                .map_err(|error| format!("`{text}` is no formula: {}", error.message))
        };
        let guarantee = read(&contract.guarantee)?;
        let assumption = read(&contract.assumption)?;
        if let Some(open) = unexpanded(&guarantee).or_else(|| unexpanded(&assumption)) {
            return Err(format!(
                "it names `{open}`, which stands for no tool at run time"
            ));
        }
        let mut steps_on = observed_kinds(&guarantee);
        let broken_assumption = if assumption == Formula::True {
            None
        } else {
            steps_on.extend(observed_kinds(&assumption));
            let negated = encode(&Formula::not(assumption)).map_err(|error| error.to_string())?;
            Some(Machine::new(&negated).map_err(|error| error.to_string())?)
        };
        let encoded = encode(&guarantee).map_err(|error| error.to_string())?;
        let needs_consent = guarantee
            .atoms()
            .iter()
            .any(|atom| matches!(atom, Atom::Event(EventPredicate::Confirms)));
        let guarantee = Machine::new(&encoded).map_err(|error| error.to_string())?;
        let idles = guarantee.idles() && broken_assumption.as_ref().is_none_or(Machine::idles);
        Ok(Program {
            contract: contract.clone(),
            steps_on,
            guarantee,
            idles,
            broken_assumption,
            encoded,
            needs_consent,
        })
    }

    /// The atoms of both machines.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        let halves = [Some(&self.guarantee), self.broken_assumption.as_ref()];
        halves
            .into_iter()
            .flatten()
            .flat_map(|machine| machine.atoms())
    }

    fn patterns(&self) -> BTreeSet<Pattern> {
        let mut patterns = BTreeSet::new();
        for atom in self.atoms().flat_map(Atom::all_atoms) {
            match atom {
                Atom::Matches(_, pattern) => {
                    patterns.insert(pattern.clone());
                }
                Atom::Event(predicate) => patterns.extend(spoken(predicate)),
                _ => {}
            }
            for term in atom.all_terms() {
                patterns.extend(term.events().into_iter().filter_map(spoken));
            }
        }
        patterns
    }
}

/// A class of tools, or a name left open, that compiling should have replaced.
/// It would match nothing, so the rule would be off without a word.
fn unexpanded(formula: &Formula) -> Option<ToolPattern> {
    let atoms = formula.atoms();
    let of_event = |event: &EventPredicate| match event {
        EventPredicate::Tool(_, tools) => Some(tools.clone()),
        _ => None,
    };
    let mut patterns: Vec<ToolPattern> = Vec::new();
    for atom in atoms.into_iter().flat_map(Atom::all_atoms) {
        match atom {
            Atom::Event(event) => patterns.extend(of_event(event)),
            Atom::FromTool(_, tools) => patterns.push(tools.clone()),
            _ => {}
        }
        for term in atom.all_terms() {
            if let Term::Lookup(lookup) = term {
                patterns.push(lookup.tools.clone());
            }
            patterns.extend(term.events().into_iter().filter_map(of_event));
        }
    }
    patterns.into_iter().find(|pattern| {
        pattern
            .alternatives()
            .any(|tool| !matches!(tool, ToolRef::Tool(Name::Known(_)) | ToolRef::Any))
    })
}

fn spoken(predicate: &EventPredicate) -> Option<Pattern> {
    match predicate {
        EventPredicate::UserSays(pattern) | EventPredicate::AgentSays(pattern) => {
            Some(pattern.clone())
        }
        _ => None,
    }
}

/// A letter as a contract's machine saw it: the literals that held.
pub type Letter = BTreeSet<Literal>;
