//! Transition rows: shared decision nodes over letters whose leaves are states.
//!
//! A row maps each letter to a state by asking atoms in a fixed order. Rows of all states live in one arena, so common parts
//! are stored once. The leaf `BLOCKED` stands for letters that the axioms exclude.

use crate::hash::FastMap;
use crate::limits::{Bound, TooLarge};

/// A reference to a decision node or a leaf.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Row(u32);

const LEAF: u32 = 1 << 31;

impl Row {
    /// The leaf for letters that never occur.
    pub(crate) const BLOCKED: Self = Self(u32::MAX);

    pub(crate) fn leaf(state: u32) -> Self {
        Self(state | LEAF)
    }

    /// The state, if this is a leaf for letters that can occur.
    pub(crate) fn state(self) -> Option<u32> {
        (self.0 & LEAF != 0 && self != Self::BLOCKED).then_some(self.0 & !LEAF)
    }
}

/// A decision: ask the atom of `level`, go to `lo` if it is false and to `hi` if it is true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Decision {
    pub(crate) level: u32,
    pub(crate) lo: Row,
    pub(crate) hi: Row,
}

/// The arena.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    nodes: Vec<Decision>,
    unique: FastMap<Decision, u32>,
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The decision, unless the row is a leaf.
    pub(crate) fn decision(&self, row: Row) -> Option<Decision> {
        self.nodes.get(row.0 as usize).copied()
    }

    /// The level asked first; leaves are below every level.
    pub(crate) fn level(&self, row: Row) -> u32 {
        self.decision(row).map_or(u32::MAX, |node| node.level)
    }

    /// The row where the atom of `level` is false and where it is true.
    pub(crate) fn cofactors(&self, row: Row, level: u32) -> (Row, Row) {
        match self.decision(row) {
            Some(node) if node.level == level => (node.lo, node.hi),
            _ => (row, row),
        }
    }

    pub(crate) fn node(&mut self, level: u32, lo: Row, hi: Row) -> Result<Row, TooLarge> {
        if lo == hi {
            return Ok(lo);
        }
        let node = Decision { level, lo, hi };
        if let Some(index) = self.unique.get(&node) {
            return Ok(Row(*index));
        }
        let index = u32::try_from(self.nodes.len())
            .ok()
            .filter(|index| *index < LEAF)
            .ok_or(TooLarge::new(Bound::Nodes, LEAF as usize))?;
        self.nodes.push(node);
        self.unique.insert(node, index);
        Ok(Row(index))
    }

    /// The states at the leaves, in ascending order of the smallest letter that leads to each.
    pub(crate) fn successors(&self, row: Row) -> Vec<u32> {
        let mut states = Vec::new();
        let mut seen: FastMap<Row, ()> = FastMap::default();
        let mut open = vec![row];
        while let Some(row) = open.pop() {
            if seen.insert(row, ()).is_some() {
                continue;
            }
            if let Some(state) = row.state() {
                states.push(state);
            } else if let Some(node) = self.decision(row) {
                open.push(node.hi);
                open.push(node.lo);
            }
        }
        states
    }
}
