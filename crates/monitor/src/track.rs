//! One automaton stepping through a session, and the states it could be in.
//!
//! The strong state is what is known: an unknown literal never counts as held.
//! Beside it runs the set of states that some assignment of the unknown atoms
//! would have led to, so that a refusal can say whether the rule is broken or
//! merely cannot be decided (DESIGN section 3).

use crate::truth::Truth;
use lictor_contract::alphabet::{Encoded, Literal, axioms, letter_constraints, literals};
use lictor_contract::predicate::{Atom, EventPredicate};
use lictor_ltlf::{Dfa, Formula, Limits, StateId, TooLarge};
use std::collections::BTreeSet;

/// Most assignments of unknown atoms that are tried from one state. Beyond it
/// the call counts as undecidable, which refuses it all the same.
const MAX_ASSIGNMENTS: usize = 4096;

/// Most transitions that are looked at to see whether a machine idles. A larger
/// one is stepped on every event.
const MAX_PATHS: usize = 20_000;

/// A compiled half of a contract. Its automaton works on numbers of literals, so
/// that stepping compares no syntax trees.
#[derive(Debug)]
pub struct Machine {
    dfa: Dfa<u32>,
    literals: Vec<Slot>,
    atoms: Vec<Atom>,
    constraints: Vec<Formula<u32>>,
}

/// A literal: which atom, and whether it is `p+` or `p-`.
#[derive(Clone, Copy, Debug)]
struct Slot {
    atom: usize,
    positive: bool,
}

/// Where a machine is in one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// The state that is known.
    pub strong: StateId,
    /// States that some assignment of unknown atoms leads to, dead ones left
    /// out; none while that is just the strong state.
    open: Option<BTreeSet<StateId>>,
}

impl Track {
    /// Whether some assignment of unknown atoms keeps the formula alive.
    pub fn is_open(&self, machine: &Machine) -> bool {
        match &self.open {
            Some(open) => !open.is_empty(),
            None => !machine.is_dead(self.strong),
        }
    }

    /// Whether some assignment of unknown atoms meets the formula for good.
    pub fn may_be_safe(&self, machine: &Machine) -> bool {
        match &self.open {
            Some(open) => open.iter().any(|state| machine.is_safe(*state)),
            None => machine.is_safe(self.strong),
        }
    }
}

/// The truth of the atoms that were asked for so far at one event.
struct Known<'t> {
    truth: &'t mut dyn FnMut(usize) -> Truth,
    values: Vec<Option<Truth>>,
    unknown: bool,
}

impl Known<'_> {
    fn get(&mut self, atom: usize) -> Truth {
        if let Some(Some(value)) = self.values.get(atom) {
            return *value;
        }
        let value = (self.truth)(atom);
        if let Some(slot) = self.values.get_mut(atom) {
            *slot = Some(value);
        }
        self.unknown |= value == Truth::Unknown;
        value
    }
}

impl Machine {
    /// Translates an encoded formula.
    ///
    /// # Errors
    /// [`TooLarge`] if the automaton exceeds the default limits.
    pub fn new(formula: &Encoded) -> Result<Machine, TooLarge> {
        // Automata ask the atom with the highest number first. In descending
        // order event predicates come last, hence are asked first, so that an
        // event a contract does not speak of costs no look-up of facts.
        let literals: Vec<Literal> = literals(formula).into_iter().rev().collect();
        let number = |literal: &Literal| {
            // Every literal of the formula and of its axioms is in the list.
            let found = literals.binary_search_by(|other| literal.cmp(other));
            found
                .ok()
                .and_then(|index| u32::try_from(index).ok())
                .unwrap_or(u32::MAX)
        };
        let mut atoms: Vec<Atom> = literals
            .iter()
            .map(|literal| literal.atom.clone())
            .collect();
        atoms.dedup();
        let slots = literals.iter().filter_map(|literal| {
            let atom = atoms.iter().position(|atom| *atom == literal.atom)?;
            Some(Slot {
                atom,
                positive: literal.positive,
            })
        });
        let slots = slots.collect();
        // That what is known of a term needs it to have a value is left out: it
        // holds of every real letter, and an assignment gives the truth of an
        // unknown atom while `known` stays what it is.
        let related: BTreeSet<Literal> = literals
            .iter()
            .filter(|literal| !matches!(literal.atom, Atom::Known(_)))
            .cloned()
            .collect();
        let constraints: Vec<Formula<u32>> = letter_constraints(&related)
            .iter()
            .map(|constraint| constraint.map_atoms(number))
            .collect();
        let dfa = Dfa::translate(
            &formula.map_atoms(number),
            &axioms(constraints.clone()),
            &Limits::default(),
        )?;
        Ok(Machine {
            dfa,
            literals: slots,
            atoms,
            constraints,
        })
    }

    /// The track of a session without events.
    pub fn start(&self) -> Track {
        let initial = self.dfa.initial();
        Track {
            strong: initial,
            open: None,
        }
    }

    /// Whether no continuation meets the formula.
    pub fn is_dead(&self, state: StateId) -> bool {
        self.dfa.is_dead(state)
    }

    /// Whether every continuation meets the formula.
    pub fn is_safe(&self, state: StateId) -> bool {
        self.dfa.is_safe(state)
    }

    /// Whether the events so far meet the formula if nothing follows.
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.dfa.is_accepting(state)
    }

    /// Whether it can be in a state in which something is owed and not yet lost.
    pub fn may_owe(&self) -> bool {
        let owes = |state| !self.dfa.is_accepting(state) && !self.dfa.is_dead(state);
        self.dfa.states().any(owes)
    }

    /// The atoms of the formula, in the order of their numbers.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The literals that hold at an event.
    pub fn letter(&self, truth: &mut dyn FnMut(usize) -> Truth) -> BTreeSet<Literal> {
        let mut letter = BTreeSet::new();
        for slot in &self.literals {
            if held(slot.positive, truth(slot.atom)) {
                letter.extend(self.atoms.get(slot.atom).map(|atom| Literal {
                    atom: atom.clone(),
                    positive: slot.positive,
                }));
            }
        }
        letter
    }

    /// Where an event leads, given the truth of atoms at it.
    pub fn advance(&self, track: &Track, truth: &mut dyn FnMut(usize) -> Truth) -> Track {
        let mut known = Known {
            truth,
            values: vec![None; self.atoms.len()],
            unknown: false,
        };
        let strong = self.dfa.step(track.strong, &mut |literal| {
            self.slot(*literal)
                .is_some_and(|slot| held(slot.positive, known.get(slot.atom)))
        });
        if track.open.is_none() && !known.unknown {
            return Track { strong, open: None };
        }
        let mut open = BTreeSet::new();
        match &track.open {
            Some(states) => {
                for state in states {
                    self.assign(*state, &mut known, &mut open);
                }
            }
            None => self.assign(track.strong, &mut known, &mut open),
        }
        open.retain(|state| !self.dfa.is_dead(*state));
        let settled = open.len() == 1 && open.contains(&strong);
        Track {
            strong,
            open: (!settled).then_some(open),
        }
    }

    /// The atoms the strong state asks for at an event and what they are, in
    /// the order they are asked.
    pub fn asked(
        &self,
        track: &Track,
        truth: &mut dyn FnMut(usize) -> Truth,
    ) -> Vec<(usize, Truth)> {
        let mut asked: Vec<(usize, Truth)> = Vec::new();
        self.dfa.step(track.strong, &mut |literal| {
            let Some(slot) = self.slot(*literal) else {
                return false;
            };
            let value = truth(slot.atom);
            if !asked.contains(&(slot.atom, value)) {
                asked.push((slot.atom, value));
            }
            held(slot.positive, value)
        });
        asked
    }

    /// Of the atoms that were asked for, the first whose other truth alone would
    /// have kept the formula alive: the one to name in a reason. What is unknown
    /// could be either.
    pub fn decisive(
        &self,
        track: &Track,
        asked: &[(usize, Truth)],
        truth: &mut dyn FnMut(usize) -> Truth,
        candidate: &dyn Fn(&Atom, Truth) -> bool,
    ) -> Option<(usize, Truth)> {
        let candidates = asked.iter().filter(|(atom, value)| {
            self.atoms
                .get(*atom)
                .is_some_and(|atom| candidate(atom, *value))
        });
        let mut saves = |changed: usize, other: Truth| {
            let next = self.dfa.step(track.strong, &mut |literal| {
                let Some(slot) = self.slot(*literal) else {
                    return false;
                };
                let value = match slot.atom == changed {
                    true => other,
                    false => truth(slot.atom),
                };
                held(slot.positive, value)
            });
            !self.dfa.is_dead(next)
        };
        let mut found = candidates.filter(|(atom, value)| match value {
            Truth::True => saves(*atom, Truth::False),
            Truth::False | Truth::Reserved => saves(*atom, Truth::True),
            Truth::Unknown => saves(*atom, Truth::True) || saves(*atom, Truth::False),
        });
        found.next().copied()
    }

    /// Whether the machine stays in every state on an event that none of its
    /// event predicates is true at, whatever its other atoms are.
    pub fn idles(&self) -> bool {
        let silent = |literal: u32| {
            let slot = self.slot(literal)?;
            match self.atoms.get(slot.atom) {
                // Known to be false off user turns, which is what `p-` says.
                Some(Atom::Event(EventPredicate::Confirms)) => Some(!slot.positive),
                Some(Atom::Event(_)) => Some(false),
                _ => None,
            }
        };
        let mut paths = 0;
        self.dfa.transitions().all(|transition| {
            paths += 1;
            let possible = transition
                .cube
                .iter()
                .all(|(literal, value)| silent(**literal).is_none_or(|fixed| fixed == *value));
            paths <= MAX_PATHS && (!possible || transition.from == transition.to)
        })
    }

    fn slot(&self, literal: u32) -> Option<Slot> {
        self.literals.get(usize::try_from(literal).ok()?).copied()
    }

    /// Adds the states that some assignment of the unknown atoms leads to from
    /// `state`. The row is walked again for each assignment of the atoms it asks
    /// for, in binary order.
    fn assign(&self, state: StateId, known: &mut Known<'_>, open: &mut BTreeSet<StateId>) {
        let mut choices: Vec<(usize, bool)> = Vec::new();
        for _ in 0..MAX_ASSIGNMENTS {
            let next = self.dfa.step(state, &mut |literal| {
                let Some(slot) = self.slot(*literal) else {
                    return false;
                };
                let value = known.get(slot.atom);
                if value != Truth::Unknown {
                    return held(slot.positive, value);
                }
                let chosen = choices.iter().find(|(atom, _)| *atom == slot.atom);
                let chosen = chosen.map(|(_, chosen)| *chosen).unwrap_or_else(|| {
                    choices.push((slot.atom, false));
                    false
                });
                chosen == slot.positive
            });
            if self.is_possible(known, &choices) {
                open.insert(next);
            }
            // The next assignment: turn the last `false` into `true` and drop what follows it.
            while choices.last().is_some_and(|(_, chosen)| *chosen) {
                choices.pop();
            }
            let Some((_, chosen)) = choices.last_mut() else {
                return;
            };
            *chosen = true;
        }
        open.insert(state);
    }

    /// Whether no axiom is known to be broken under these choices. The automaton
    /// leaves out what the axioms imply, so atoms that it does not ask for count.
    fn is_possible(&self, known: &mut Known<'_>, choices: &[(usize, bool)]) -> bool {
        let mut literal = |literal: u32| {
            let slot = self.slot(literal)?;
            if let Some((_, chosen)) = choices.iter().find(|(atom, _)| *atom == slot.atom) {
                return Some(*chosen == slot.positive);
            }
            match known.get(slot.atom) {
                Truth::Unknown | Truth::Reserved => None,
                value => Some(held(slot.positive, value)),
            }
        };
        choices.is_empty()
            || self
                .constraints
                .iter()
                .all(|axiom| propositional(axiom, &mut literal) != Some(false))
    }
}

/// Whether a literal is known to hold.
fn held(positive: bool, value: Truth) -> bool {
    match value {
        Truth::True => positive,
        Truth::False => !positive,
        Truth::Unknown | Truth::Reserved => false,
    }
}

/// The three-valued truth of a letter axiom; its shape is bounded by
/// [`letter_constraints`].
fn propositional(
    formula: &Formula<u32>,
    literal: &mut dyn FnMut(u32) -> Option<bool>,
) -> Option<bool> {
    match formula {
        Formula::True => Some(true),
        Formula::False => Some(false),
        Formula::Atom(atom) => literal(*atom),
        Formula::Not(inner) => propositional(inner, literal).map(|value| !value),
        Formula::And(all) => {
            let mut known = true;
            for inner in all {
                match propositional(inner, literal) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => known = false,
                }
            }
            known.then_some(true)
        }
        Formula::Implies(from, to) => {
            match (propositional(from, literal), propositional(to, literal)) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), Some(false)) => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}
