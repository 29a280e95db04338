//! The order of the atoms of a letter.
//!
//! Atoms are sorted, and the *last* one is tested first, so that reading a decision diagram with 'false' before 'true'
//! lists letters in ascending order when they are written as numbers with the first atom in the lowest bit.

use std::collections::BTreeSet;

use crate::limits::{Bound, Limits, TooLarge};

/// What holds at one position of a trace: the set of its true atoms.
pub type Letter<A> = BTreeSet<A>;

/// Sorted atoms, each with its level in decision diagrams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Alphabet<A> {
    atoms: Vec<A>,
}

impl<A: Ord + Clone> Alphabet<A> {
    pub(crate) fn new<'a>(atoms: impl IntoIterator<Item = &'a A>) -> Result<Self, TooLarge>
    where
        A: 'a,
    {
        let sorted: BTreeSet<&A> = atoms.into_iter().collect();
        if sorted.len() > Limits::MAX_LEVELS {
            return Err(TooLarge::new(Bound::Variables, Limits::MAX_LEVELS));
        }
        Ok(Self {
            atoms: sorted.into_iter().cloned().collect(),
        })
    }

    pub(crate) fn len(&self) -> u32 {
        // The constructor bounds the number far below.
        u32::try_from(self.atoms.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn level(&self, atom: &A) -> Option<u32> {
        let index = self.atoms.binary_search(atom).ok()?;
        u32::try_from(self.atoms.len() - 1 - index).ok()
    }

    pub(crate) fn atom(&self, level: u32) -> Option<&A> {
        let index = self.atoms.len().checked_sub(1 + level as usize)?;
        self.atoms.get(index)
    }

    /// The letter whose true atoms have these levels.
    pub(crate) fn letter(&self, levels: &BTreeSet<u32>) -> Letter<A> {
        levels
            .iter()
            .filter_map(|level| self.atom(*level).cloned())
            .collect()
    }
}
