//! Bounds on work, and the one error that says a bound was met.
//!
//! Automata for temporal formulas can be doubly exponential in the formula, so every construction here takes [`Limits`] and
//! stops with [`TooLarge`] instead of running on.

use std::fmt;

/// How much a construction may build before it gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The largest number of automaton states, counted before minimisation.
    pub max_states: usize,
    /// The largest number of decision nodes and remembered operations; this bounds time as well as memory.
    pub max_nodes: usize,
}

impl Limits {
    /// The nesting that every function of this crate accepts; a formula that is deeper is refused with [`TooLarge`].
    pub const MAX_DEPTH: usize = 500;

    /// The largest number of propositions and pending obligations in one construction.
    pub const MAX_LEVELS: usize = 4096;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_states: 200_000,
            max_nodes: 4_000_000,
        }
    }
}

/// Which bound was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// [`Limits::max_states`].
    States,
    /// [`Limits::max_nodes`].
    Nodes,
    /// The number of propositions and obligations.
    Variables,
    /// [`Limits::MAX_DEPTH`].
    Depth,
    /// The number of nodes of a formula that a rewriting would produce.
    Size,
}

/// The formula needs more than the limits allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// Which bound was met.
    pub bound: Bound,
    /// Its value.
    pub limit: usize,
}

impl TooLarge {
    pub(crate) fn new(bound: Bound, limit: usize) -> Self {
        Self { bound, limit }
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.bound {
            Bound::States => "automaton states",
            Bound::Nodes => "decision nodes",
            Bound::Variables => "propositions and obligations",
            Bound::Depth => "levels of nesting",
            Bound::Size => "operators after rewriting",
        };
        write!(
            out,
            "the formula needs more than {} {what}; split it into smaller formulas or raise the limit",
            self.limit
        )
    }
}

impl std::error::Error for TooLarge {}
