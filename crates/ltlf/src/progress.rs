//! Progression: the automaton of a formula, one state and one symbolic row at a time.
//!
//! After some letters, what remains to be true of the rest of the trace is a Boolean combination of obligations 'this
//! subformula holds of the rest', kept as a binary decision diagram, so propositionally equal remainders are
//! one state and there are finitely many. Reading a letter replaces each obligation by its expansion: `a U b` becomes
//! `b | (a & the same obligation)`, an atom becomes its value in the letter. This is Bacchus and Kabanza's formula
//! progression (2000), with the rows made symbolic in the way of multi-terminal decision diagrams.
//!
//! **Past.** For each subformula `Y g` and `a S b` the state also holds a *residual*: what must be true of the rest of the
//! trace for `g`, or for `a S b`, to have held at the last position read. It is a constant when the subformula speaks of the
//! past alone, and an ordinary remainder when a future operator stands inside a past one. The value of `Y g` at a new
//! position is the residual of `g` progressed through the new letter, and `a S b` is `b | (a & Y (a S b))`. A residual
//! mentions only proper subformulas' obligations, so this is well-founded, and it is exact for every mixture of past and
//! future.

use std::collections::BTreeSet;

use crate::alphabet::{Alphabet, Letter};
use crate::axioms::Axioms;
use crate::bdd::{Bdd, Edge};
use crate::expr::{Arena, Expr, Kind};
use crate::formula::Formula;
use crate::hash::FastMap;
use crate::limits::{Bound, Limits, TooLarge};
use crate::row::{Row, Rows};

/// The number of an interned vector of residuals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct PastId(u32);

/// A vector of residuals, one for each past node of the arena.
type Residuals = std::rc::Rc<[Edge]>;

/// Interned vectors of residuals; vector 0 is all false, which is how a trace begins.
#[derive(Debug, Default)]
struct Pasts {
    vectors: Vec<Residuals>,
    unique: FastMap<Residuals, PastId>,
}

impl Pasts {
    fn intern(&mut self, vector: Vec<Edge>) -> PastId {
        if let Some(id) = self.unique.get(vector.as_slice()) {
            return *id;
        }
        let id = PastId(u32::try_from(self.vectors.len()).unwrap_or(u32::MAX));
        let vector = Residuals::from(vector);
        self.vectors.push(vector.clone());
        self.unique.insert(vector, id);
        id
    }

    fn get(&self, id: PastId) -> Residuals {
        self.vectors
            .get(id.0 as usize)
            .cloned()
            .unwrap_or_else(|| Residuals::from([]))
    }
}

/// The lazily explored automaton of one formula under letter axioms.
#[derive(Debug)]
pub(crate) struct Explorer<A> {
    pub(crate) alphabet: Alphabet<A>,
    pub(crate) rows: Rows,
    bdd: Bdd,
    /// Which letters over the formula's atoms can occur.
    pub(crate) care: Edge,
    arena: Arena,
    limits: Limits,

    /// The obligation at each level below the letters.
    obligations: Vec<Expr>,
    /// The remainder that says that an expression holds of the rest, by node.
    of_rest: FastMap<Expr, Edge>,
    /// The expansion of each node at the present position, with the residuals it was computed for.
    of_now: FastMap<Expr, (PastId, Edge)>,
    /// The progressed remainders, for the present residuals.
    progressed: FastMap<Edge, Edge>,
    present: PastId,
    pasts: Pasts,

    states: Vec<(Edge, PastId)>,
    numbers: FastMap<(Edge, PastId), u32>,
    known_rows: FastMap<u32, Row>,
    row_memo: FastMap<(Edge, Edge, PastId), Row>,
    past_needed: FastMap<Edge, u128>,
}

impl<A: Ord + Clone> Explorer<A> {
    pub(crate) fn new(
        formula: &Formula<A>,
        axioms: &Axioms<A>,
        limits: &Limits,
    ) -> Result<Self, TooLarge> {
        let alphabet = Alphabet::new(formula.atoms().into_iter().chain(axioms.atoms()))?;
        Self::over(alphabet, formula, axioms, limits)
    }

    /// The automaton over an alphabet that has at least the atoms of the formula and the axioms.
    pub(crate) fn over(
        alphabet: Alphabet<A>,
        formula: &Formula<A>,
        axioms: &Axioms<A>,
        limits: &Limits,
    ) -> Result<Self, TooLarge> {
        formula.check_depth()?;
        let keep: BTreeSet<u32> = formula
            .atoms()
            .into_iter()
            .filter_map(|atom| alphabet.level(atom))
            .collect();
        let mut bdd = Bdd::new(limits.max_nodes);
        let care = axioms
            .project(&mut bdd, &alphabet, &keep)?
            .joined(&mut bdd)?;
        let mut arena = Arena::new(limits.max_nodes);
        let root = arena.intern(formula, &alphabet)?;
        arena.non_empty()?;
        let mut pasts = Pasts::default();
        let present = pasts.intern(vec![Edge::FALSE; arena.past_nodes().len()]);
        let mut explorer = Self {
            alphabet,
            rows: Rows::default(),
            bdd,
            care,
            arena,
            limits: *limits,
            obligations: Vec::new(),
            of_rest: FastMap::default(),
            of_now: FastMap::default(),
            progressed: FastMap::default(),
            present,
            pasts,
            states: Vec::new(),
            numbers: FastMap::default(),
            known_rows: FastMap::default(),
            row_memo: FastMap::default(),
            past_needed: FastMap::default(),
        };
        let initial = explorer.rest(root)?;
        explorer.intern_state(initial, present)?;
        Ok(explorer)
    }

    /// How many states have been discovered; state 0 is the initial one.
    pub(crate) fn discovered(&self) -> u32 {
        u32::try_from(self.states.len()).unwrap_or(u32::MAX)
    }

    /// Whether the trace may end in this state.
    pub(crate) fn is_accepting(&self, state: u32) -> bool {
        // The rest is empty, and every obligation is false of the empty trace.
        self.remainder(state)
            .is_some_and(|edge| self.bdd.evaluate(edge, |_| false))
    }

    /// Whether nothing can satisfy the remainder, as far as propositional reasoning tells.
    pub(crate) fn is_false(&self, state: u32) -> bool {
        self.remainder(state) == Some(Edge::FALSE)
    }

    fn remainder(&self, state: u32) -> Option<Edge> {
        self.states.get(state as usize).map(|(edge, _)| *edge)
    }

    /// The transition row of a state; discovers its successors.
    pub(crate) fn row(&mut self, state: u32) -> Result<Row, TooLarge> {
        if let Some(row) = self.known_rows.get(&state) {
            return Ok(*row);
        }
        let Some((remainder, past)) = self.states.get(state as usize).copied() else {
            return Ok(Row::BLOCKED);
        };
        self.enter(past);
        let next = self.progress(remainder)?;
        let needed = self.past_needed(remainder);
        let mut residuals = Vec::new();
        for index in 0..self.arena.past_nodes().len() {
            let residual = match self.arena.past_nodes().get(index) {
                Some(node) if is_in(needed, index) => match self.arena.kind(*node) {
                    Kind::Yesterday(inner) => self.now(inner)?,
                    _ => self.now(*node)?,
                },
                _ => Edge::FALSE,
            };
            residuals.push(residual);
        }
        let residuals = self.pasts.intern(residuals);
        let row = self.build_row(self.care, next, residuals)?;
        self.known_rows.insert(state, row);
        Ok(row)
    }

    /// Makes a vector of residuals the one that expansions refer to.
    fn enter(&mut self, past: PastId) {
        if self.present != past {
            self.present = past;
            self.progressed.clear();
        }
    }

    /// The remainder 'this expression holds of the rest of the trace', which may be empty.
    fn rest(&mut self, expr: Expr) -> Result<Edge, TooLarge> {
        let node = expr.regular();
        if let Some(edge) = self.of_rest.get(&node) {
            return Ok(edge.negated_if(expr.is_negated()));
        }
        let edge = match self.arena.kind(node) {
            Kind::True => Edge::TRUE,
            Kind::And(a, b) => {
                // The right operand first: later names are tested earlier in a letter, and obligations in the same order
                // as the atoms they wait for make progression build its diagrams from the bottom.
                let (b, a) = (self.rest(b)?, self.rest(a)?);
                self.bdd.and(a, b)?
            }
            Kind::Iff(a, b) => {
                let (a, b) = (self.rest(a)?, self.rest(b)?);
                self.bdd.iff(a, b)?
            }
            _ => {
                let count = self.obligations.len() + self.alphabet.len() as usize;
                let level = u32::try_from(count)
                    .ok()
                    .filter(|_| count < Limits::MAX_LEVELS)
                    .ok_or(TooLarge::new(Bound::Variables, Limits::MAX_LEVELS))?;
                self.obligations.push(node);
                self.bdd.variable(level)?
            }
        };
        self.of_rest.insert(node, edge);
        Ok(edge.negated_if(expr.is_negated()))
    }

    /// The expansion of an expression at the present position: a function of the letter there and of the rest behind it.
    fn now(&mut self, expr: Expr) -> Result<Edge, TooLarge> {
        let node = expr.regular();
        let timeless = self.arena.past_of(node) == 0;
        if let Some((past, edge)) = self.of_now.get(&node)
            && (timeless || *past == self.present)
        {
            return Ok(edge.negated_if(expr.is_negated()));
        }
        let edge = match self.arena.kind(node) {
            Kind::True => Edge::TRUE,
            Kind::Atom(level) => self.bdd.variable(level)?,
            Kind::And(a, b) => {
                let (a, b) = (self.now(a)?, self.now(b)?);
                self.bdd.and(a, b)?
            }
            Kind::Iff(a, b) => {
                let (a, b) = (self.now(a)?, self.now(b)?);
                self.bdd.iff(a, b)?
            }
            Kind::Next(a) => {
                let rest = self.rest(a)?;
                if self.arena.on_empty(a) {
                    let some = self.arena.non_empty()?;
                    let some = self.rest(some)?;
                    self.bdd.and(some, rest)?
                } else {
                    rest
                }
            }
            Kind::Until(a, b) => {
                let again = self.rest(node)?;
                let (a, b) = (self.now(a)?, self.now(b)?);
                let going_on = self.bdd.and(a, again)?;
                self.bdd.or(b, going_on)?
            }
            Kind::Yesterday(_) => self.residual(node)?,
            Kind::Since(a, b) => {
                let before = self.residual(node)?;
                let (a, b) = (self.now(a)?, self.now(b)?);
                let going_on = self.bdd.and(a, before)?;
                self.bdd.or(b, going_on)?
            }
        };
        self.of_now.insert(node, (self.present, edge));
        Ok(edge.negated_if(expr.is_negated()))
    }

    /// Whether a past node's operand (or the node itself, for `S`) held at the position before, seen from the present one.
    fn residual(&mut self, node: Expr) -> Result<Edge, TooLarge> {
        let index = self.arena.past_nodes().binary_search(&node);
        let residuals = self.pasts.get(self.present);
        let edge = index.ok().and_then(|index| residuals.get(index).copied());
        self.progress(edge.unwrap_or(Edge::FALSE))
    }

    /// Replaces every obligation in a remainder by its expansion.
    fn progress(&mut self, remainder: Edge) -> Result<Edge, TooLarge> {
        if remainder.is_constant() {
            return Ok(remainder);
        }
        let node = remainder.regular();
        if let Some(edge) = self.progressed.get(&node) {
            return Ok(edge.negated_if(remainder.is_negated()));
        }
        let level = self.bdd.level(node);
        let (lo, hi) = self.bdd.cofactors(node, level);
        let expr = level
            .checked_sub(self.alphabet.len())
            .and_then(|index| self.obligations.get(index as usize))
            .copied()
            .unwrap_or(Expr::FALSE);
        let (lo, hi) = (self.progress(lo)?, self.progress(hi)?);
        let condition = self.now(expr)?;
        let edge = self.bdd.choose(condition, hi, lo)?;
        self.progressed.insert(node, edge);
        Ok(edge.negated_if(remainder.is_negated()))
    }

    /// Splits functions of letter and rest into a row over the letter whose leaves are the remainders.
    fn build_row(&mut self, care: Edge, next: Edge, past: PastId) -> Result<Row, TooLarge> {
        if care == Edge::FALSE {
            return Ok(Row::BLOCKED);
        }
        let residuals = self.pasts.get(past);
        let letters = self.alphabet.len();
        let level = residuals
            .iter()
            .chain([&care, &next])
            .map(|edge| self.bdd.level(*edge))
            .min()
            .unwrap_or(u32::MAX);
        if level >= letters {
            return Ok(Row::leaf(self.intern_state(next, past)?));
        }
        let key = (care, next, past);
        if let Some(row) = self.row_memo.get(&key) {
            return Ok(*row);
        }
        let (care0, care1) = self.bdd.cofactors(care, level);
        let (next0, next1) = self.bdd.cofactors(next, level);
        let (past0, past1) = if residuals.is_empty() {
            (past, past)
        } else {
            let (lo, hi) = residuals
                .iter()
                .map(|edge| self.bdd.cofactors(*edge, level))
                .unzip();
            (self.pasts.intern(lo), self.pasts.intern(hi))
        };
        let lo = self.build_row(care0, next0, past0)?;
        let hi = self.build_row(care1, next1, past1)?;
        let row = self.rows.node(level, lo, hi)?;
        if self.rows.len() + self.row_memo.len() > self.limits.max_nodes {
            return Err(TooLarge::new(Bound::Nodes, self.limits.max_nodes));
        }
        self.row_memo.insert(key, row);
        Ok(row)
    }

    fn intern_state(&mut self, remainder: Edge, past: PastId) -> Result<u32, TooLarge> {
        let past = self.forget(remainder, past);
        if let Some(state) = self.numbers.get(&(remainder, past)) {
            return Ok(*state);
        }
        if self.states.len() >= self.limits.max_states {
            return Err(TooLarge::new(Bound::States, self.limits.max_states));
        }
        let state = self.discovered();
        self.states.push((remainder, past));
        self.numbers.insert((remainder, past), state);
        Ok(state)
    }

    /// Drops the residuals that the remainder will never ask for, so that they tell no states apart.
    fn forget(&mut self, remainder: Edge, past: PastId) -> PastId {
        let residuals = self.pasts.get(past);
        if residuals.is_empty() {
            return past;
        }
        let needed = self.past_needed(remainder);
        let kept = residuals
            .iter()
            .enumerate()
            .map(|(index, edge)| {
                if is_in(needed, index) {
                    *edge
                } else {
                    Edge::FALSE
                }
            })
            .collect();
        self.pasts.intern(kept)
    }

    /// The past nodes that occur in the obligations of a remainder.
    fn past_needed(&mut self, remainder: Edge) -> u128 {
        if self.arena.past_nodes().is_empty() {
            return 0;
        }
        let node = remainder.regular();
        if let Some(needed) = self.past_needed.get(&node) {
            return *needed;
        }
        let letters = self.alphabet.len();
        let needed = self
            .bdd
            .support(node)
            .into_iter()
            .filter_map(|level| self.obligations.get(level.checked_sub(letters)? as usize))
            .fold(0, |needed, expr| needed | self.arena.past_of(*expr));
        self.past_needed.insert(node, needed);
        needed
    }
}

/// Bit sets have 128 bits; a set that had to give up on telling nodes apart is all ones, so a higher index is in it.
fn is_in(set: u128, index: usize) -> bool {
    match u32::try_from(index)
        .ok()
        .and_then(|index| 1u128.checked_shl(index))
    {
        Some(bit) => set & bit != 0,
        None => set == u128::MAX,
    }
}

/// A formula progressed letter by letter, for a single trace, without building its automaton.
///
/// For watching many traces, [`crate::Dfa`] is faster; this is for formulas whose automaton is too large to build.
#[derive(Debug)]
pub struct Progression<A> {
    explorer: Explorer<A>,
    state: u32,
}

impl<A: Ord + Clone> Progression<A> {
    /// Starts before the first letter.
    ///
    /// # Errors
    /// [`TooLarge`] if the formula is too deep or has too many atoms.
    pub fn new(formula: &Formula<A>, limits: &Limits) -> Result<Self, TooLarge> {
        Ok(Self {
            explorer: Explorer::new(formula, &Axioms::none(), limits)?,
            state: 0,
        })
    }

    /// Reads a letter.
    ///
    /// # Errors
    /// [`TooLarge`] if a limit is met; the progression then stays where it was.
    pub fn step(&mut self, letter: &Letter<A>) -> Result<(), TooLarge> {
        let mut row = self.explorer.row(self.state)?;
        while let Some(node) = self.explorer.rows.decision(row) {
            let holds = self
                .explorer
                .alphabet
                .atom(node.level)
                .is_some_and(|atom| letter.contains(atom));
            row = if holds { node.hi } else { node.lo };
        }
        if let Some(state) = row.state() {
            self.state = state;
        }
        Ok(())
    }

    /// Whether the trace read so far satisfies the formula.
    #[must_use]
    pub fn is_satisfied(&self) -> bool {
        self.explorer.is_accepting(self.state)
    }
}
