//! The minimal complete automaton of a formula, in canonical form.
//!
//! States are numbered breadth-first with letters in ascending order, rows are shared decision nodes over the atoms they
//! depend on, and letters that the axioms exclude leave no trace. Two formulas over the same atoms and axioms that have the
//! same language therefore have equal [`Dfa`] values, and [`Dfa::canonical_text`] is a name for the language.

mod export;

pub use export::Transition;

use std::collections::{BTreeMap, BTreeSet};

use crate::alphabet::Alphabet;
use crate::axioms::Axioms;
use crate::bdd::Edge;
use crate::formula::Formula;
use crate::limits::{Limits, TooLarge};
use crate::minimize::{Table, drop_excluded, minimize, support};
use crate::progress::Explorer;
use crate::row::{Row, Rows};

/// The number of a state; the initial state is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(u32);

impl StateId {
    /// The number.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The state with a number, for callers that keep states as numbers; [`Dfa::contains`] tells whether it is one.
    #[must_use]
    pub fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// Where a decision leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Target {
    State(u32),
    Node(u32),
}

/// Asks the atom with this index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    atom: u32,
    when_false: Target,
    when_true: Target,
}

/// A minimal complete deterministic automaton over sets of atoms; see the [module](self).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dfa<A> {
    atoms: Vec<A>,
    nodes: Vec<Node>,
    rows: Vec<Target>,
    accepting: Vec<bool>,
}

/// What can still become of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// No continuation satisfies the formula.
    Dead,
    /// Every continuation satisfies the formula.
    Safe,
    /// It depends on what comes.
    Open,
}

impl<A: Ord + Clone> Dfa<A> {
    /// The minimal automaton of a formula, modulo letter axioms.
    ///
    /// The initial state accepts iff the empty trace satisfies the formula. Atoms on which no transition depends do not
    /// appear in it.
    ///
    /// # Errors
    /// [`TooLarge`] if a limit is met.
    pub fn translate(
        formula: &Formula<A>,
        axioms: &Axioms<A>,
        limits: &Limits,
    ) -> Result<Self, TooLarge> {
        let mut explorer = Explorer::new(formula, axioms, limits)?;
        let mut roots = Vec::new();
        let mut accepting = Vec::new();
        let mut state = 0;
        while state < explorer.discovered() {
            roots.push(explorer.row(state)?);
            accepting.push(explorer.is_accepting(state));
            state += 1;
        }
        let restricted = explorer.care != Edge::TRUE;
        let table = Table {
            rows: explorer.rows,
            roots,
            accepting,
        };
        let mut table = minimize(&table, limits)?;
        if restricted {
            drop_excluded(&mut table)?;
        }
        Ok(Self::canonical(&table, &explorer.alphabet))
    }

    /// Renumbers states and nodes in the order of a walk from the initial state.
    fn canonical(table: &Table, alphabet: &Alphabet<A>) -> Self {
        let mut order = vec![0u32];
        let mut numbers = BTreeMap::from([(0u32, 0u32)]);
        let mut levels = BTreeSet::new();
        let mut next = 0;
        while let Some(state) = order.get(next) {
            next += 1;
            let Some(root) = table.roots.get(*state as usize) else {
                continue;
            };
            levels.extend(support(&table.rows, *root));
            for successor in table.rows.successors(*root) {
                let fresh = u32::try_from(order.len()).unwrap_or(u32::MAX);
                if *numbers.entry(successor).or_insert(fresh) == fresh {
                    order.push(successor);
                }
            }
        }
        // Levels run against the order of atoms; the last level is the first atom.
        let indices: BTreeMap<u32, u32> = levels.iter().rev().copied().zip(0..).collect();
        let mut copier = Copier {
            rows: &table.rows,
            numbers: &numbers,
            indices: &indices,
            nodes: Vec::new(),
            known: BTreeMap::new(),
        };
        let mut rows = Vec::new();
        let mut accepting = Vec::new();
        for state in &order {
            let root = table.roots.get(*state as usize).copied();
            rows.push(copier.copy(root.unwrap_or(Row::BLOCKED)));
            accepting.push(
                table
                    .accepting
                    .get(*state as usize)
                    .copied()
                    .unwrap_or(false),
            );
        }
        Self {
            atoms: levels
                .iter()
                .rev()
                .filter_map(|level| alphabet.atom(*level).cloned())
                .collect(),
            nodes: copier.nodes,
            rows,
            accepting,
        }
    }
}

impl<A> Dfa<A> {
    /// The state before the first letter.
    #[must_use]
    pub fn initial(&self) -> StateId {
        StateId(0)
    }

    /// Every state, in order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<A> {
        (0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX)).map(StateId)
    }

    /// The number of states.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.rows.len()
    }

    /// Whether a state number belongs to this automaton.
    #[must_use]
    pub fn contains(&self, state: StateId) -> bool {
        state.index() < self.rows.len()
    }

    /// The atoms that some transition depends on, sorted.
    #[must_use]
    pub fn atoms(&self) -> &[A] {
        &self.atoms
    }

    /// The atoms that the transition from this state may depend on, in the order they are asked on some path.
    #[must_use]
    pub fn atoms_of(&self, state: StateId) -> BTreeSet<&A>
    where
        A: Ord,
    {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<Target> = self.rows.get(state.index()).copied().into_iter().collect();
        while let Some(target) = open.pop() {
            if let Some(node) = self.node(target)
                && seen.insert(target)
            {
                found.extend(self.atoms.get(node.atom as usize));
                open.extend([node.when_false, node.when_true]);
            }
        }
        found
    }

    fn node(&self, target: Target) -> Option<&Node> {
        match target {
            Target::State(_) => None,
            Target::Node(index) => self.nodes.get(index as usize),
        }
    }

    /// The state after a letter; `holds` is asked only the atoms that matter from here.
    ///
    /// A state that does not belong to this automaton stays where it is.
    pub fn step(&self, state: StateId, holds: &mut dyn FnMut(&A) -> bool) -> StateId {
        let Some(mut target) = self.rows.get(state.index()).copied() else {
            return state;
        };
        while let Some(node) = self.node(target) {
            let truth = self.atoms.get(node.atom as usize).is_some_and(&mut *holds);
            target = if truth {
                node.when_true
            } else {
                node.when_false
            };
        }
        match target {
            Target::State(next) => StateId(next),
            Target::Node(_) => state,
        }
    }

    /// The set of states after a letter of which `holds` knows only some atoms (`None` for the others).
    pub fn step_unknown(
        &self,
        state: StateId,
        holds: &mut dyn FnMut(&A) -> Option<bool>,
    ) -> BTreeSet<StateId> {
        let mut reached = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<Target> = self.rows.get(state.index()).copied().into_iter().collect();
        while let Some(target) = open.pop() {
            if !seen.insert(target) {
                continue;
            }
            match (target, self.node(target)) {
                (Target::State(next), _) => {
                    reached.insert(StateId(next));
                }
                (_, Some(node)) => {
                    let truth = self.atoms.get(node.atom as usize).and_then(&mut *holds);
                    if truth != Some(true) {
                        open.push(node.when_false);
                    }
                    if truth != Some(false) {
                        open.push(node.when_true);
                    }
                }
                _ => {}
            }
        }
        reached
    }

    /// Whether a trace may end in this state.
    #[must_use]
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting.get(state.index()).copied().unwrap_or(false)
    }

    /// Whether the state is left by no letter. In a minimal automaton all states with an empty language are one state that
    /// leads to itself, and so are all with the full one; so these are the two that are irrecoverable.
    fn is_final(&self, state: StateId) -> bool {
        self.rows.get(state.index()) == Some(&Target::State(state.0))
    }

    /// Whether no allowed continuation, the empty one included, is accepted.
    #[must_use]
    pub fn is_dead(&self, state: StateId) -> bool {
        self.is_final(state) && !self.is_accepting(state)
    }

    /// Whether every allowed continuation, the empty one included, is accepted.
    #[must_use]
    pub fn is_safe(&self, state: StateId) -> bool {
        self.is_final(state) && self.is_accepting(state)
    }

    /// Dead, safe, or still open.
    #[must_use]
    pub fn outlook(&self, state: StateId) -> Outlook {
        match (self.is_final(state), self.is_accepting(state)) {
            (false, _) => Outlook::Open,
            (true, true) => Outlook::Safe,
            (true, false) => Outlook::Dead,
        }
    }

    /// Whether a trace is accepted.
    pub fn accepts<T>(&self, trace: &[T], valuation: impl Fn(&T, &A) -> bool) -> bool {
        let end = trace.iter().fold(self.initial(), |state, letter| {
            self.step(state, &mut |atom| valuation(letter, atom))
        });
        self.is_accepting(end)
    }

    /// The same automaton with its atoms replaced by others in the same order; `None` if the order changes.
    pub fn map_atoms<B: Ord>(&self, replace: impl FnMut(&A) -> B) -> Option<Dfa<B>> {
        let atoms: Vec<B> = self.atoms.iter().map(replace).collect();
        atoms.is_sorted_by(|a, b| a < b).then(|| Dfa {
            atoms,
            nodes: self.nodes.clone(),
            rows: self.rows.clone(),
            accepting: self.accepting.clone(),
        })
    }

    /// The row of a state over the levels of another alphabet, for the product search.
    pub(crate) fn rows_over(&self, level: impl Fn(&A) -> Option<u32>) -> Result<Table, TooLarge> {
        let mut rows = Rows::default();
        let mut known: BTreeMap<Target, Row> = BTreeMap::new();
        let mut roots = Vec::new();
        for root in &self.rows {
            roots.push(self.copy_over(*root, &level, &mut rows, &mut known)?);
        }
        Ok(Table {
            rows,
            roots,
            accepting: self.accepting.clone(),
        })
    }

    fn copy_over(
        &self,
        target: Target,
        level: &dyn Fn(&A) -> Option<u32>,
        rows: &mut Rows,
        known: &mut BTreeMap<Target, Row>,
    ) -> Result<Row, TooLarge> {
        if let Target::State(state) = target {
            return Ok(Row::leaf(state));
        }
        if let Some(row) = known.get(&target) {
            return Ok(*row);
        }
        let Some(node) = self.node(target).copied() else {
            return Ok(Row::BLOCKED);
        };
        let lo = self.copy_over(node.when_false, level, rows, known)?;
        let hi = self.copy_over(node.when_true, level, rows, known)?;
        let atom = self.atoms.get(node.atom as usize).and_then(level);
        let row = match atom {
            Some(atom) => rows.node(atom, lo, hi)?,
            None => lo,
        };
        known.insert(target, row);
        Ok(row)
    }
}

struct Copier<'a> {
    rows: &'a Rows,
    numbers: &'a BTreeMap<u32, u32>,
    indices: &'a BTreeMap<u32, u32>,
    nodes: Vec<Node>,
    known: BTreeMap<Row, Target>,
}

impl Copier<'_> {
    /// Numbers nodes in the order in which a walk finishes them.
    fn copy(&mut self, row: Row) -> Target {
        if let Some(target) = self.known.get(&row) {
            return *target;
        }
        let target = match self.rows.decision(row) {
            None => {
                let number = row.state().and_then(|state| self.numbers.get(&state));
                Target::State(number.copied().unwrap_or(0))
            }
            Some(node) => {
                let when_false = self.copy(node.lo);
                let when_true = self.copy(node.hi);
                let number = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
                self.nodes.push(Node {
                    atom: self.indices.get(&node.level).copied().unwrap_or(0),
                    when_false,
                    when_true,
                });
                Target::Node(number)
            }
        };
        self.known.insert(row, target);
        target
    }
}
