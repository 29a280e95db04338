//! Minimisation of an explored automaton, and the removal of questions that no allowed letter makes matter.
//!
//! States are merged by partition refinement (Moore 1956): two states stay together while their rows lead to the same
//! classes. With hash-consed rows a row's signature is one number, so a round costs one pass over the decision nodes. All
//! rows exclude the same letters, so refinement is exact under letter axioms, too.

use std::collections::BTreeSet;

use crate::hash::FastMap;
use crate::limits::{Bound, Limits, TooLarge};
use crate::row::{Row, Rows};

/// A complete automaton; state 0 is the initial one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Rows,
    pub(crate) roots: Vec<Row>,
    pub(crate) accepting: Vec<bool>,
}

/// How many passes' worth of the node limit the refinement may spend before it gives up.
const PASSES: usize = 16;

/// The quotient by language equality.
pub(crate) fn minimize(table: &Table, limits: &Limits) -> Result<Table, TooLarge> {
    let mut classes: Vec<u32> = table
        .accepting
        .iter()
        .map(|flag| u32::from(*flag))
        .collect();
    let mut count =
        1 + usize::from(table.accepting.contains(&true) && table.accepting.contains(&false));
    let budget = limits.max_nodes.saturating_mul(PASSES);
    let mut spent = 0usize;
    loop {
        let mut renaming = Renaming::default();
        let mut signatures: FastMap<(u32, Row), u32> = FastMap::default();
        let mut refined = Vec::with_capacity(classes.len());
        let mut quotient = Table::default();
        for ((root, class), accepting) in table.roots.iter().zip(&classes).zip(&table.accepting) {
            let row = renaming.apply(&table.rows, *root, &|state| class_of(&classes, state))?;
            let fresh = u32::try_from(signatures.len()).unwrap_or(u32::MAX);
            let refined_class = *signatures.entry((*class, row)).or_insert(fresh);
            if refined_class == fresh {
                quotient.roots.push(row);
                quotient.accepting.push(*accepting);
            }
            refined.push(refined_class);
        }
        if signatures.len() == count {
            // The classes are stable; the rows still name them by their old numbers, so rename once more.
            let mut last = Renaming::default();
            let mut roots = vec![Row::BLOCKED; count];
            for (root, class) in table.roots.iter().zip(&refined) {
                let row = last.apply(&table.rows, *root, &|state| class_of(&refined, state))?;
                if let Some(slot) = roots.get_mut(*class as usize) {
                    *slot = row;
                }
            }
            quotient.rows = last.rows;
            quotient.roots = roots;
            return Ok(quotient);
        }
        count = signatures.len();
        classes = refined;
        spent = spent.saturating_add(renaming.memo.len() + classes.len());
        if spent > budget {
            return Err(TooLarge::new(Bound::Nodes, limits.max_nodes));
        }
    }
}

fn class_of(classes: &[u32], state: u32) -> u32 {
    classes.get(state as usize).copied().unwrap_or(0)
}

/// Copies rows into a fresh arena with their leaves renamed.
#[derive(Default)]
struct Renaming {
    rows: Rows,
    memo: FastMap<Row, Row>,
}

impl Renaming {
    fn apply(
        &mut self,
        from: &Rows,
        row: Row,
        rename: &dyn Fn(u32) -> u32,
    ) -> Result<Row, TooLarge> {
        if let Some(state) = row.state() {
            return Ok(Row::leaf(rename(state)));
        }
        let Some(node) = from.decision(row) else {
            return Ok(Row::BLOCKED);
        };
        if let Some(known) = self.memo.get(&row) {
            return Ok(*known);
        }
        let lo = self.apply(from, node.lo, rename)?;
        let hi = self.apply(from, node.hi, rename)?;
        let renamed = self.rows.node(node.level, lo, hi)?;
        self.memo.insert(row, renamed);
        Ok(renamed)
    }
}

/// Rewrites each row so that it asks as little as the allowed letters need, in a way that depends only on what the row does
/// on allowed letters.
///
/// First each atom, the last one first, is dropped if no two allowed letters that differ in it alone lead to different
/// states. Then a decision with an excluded side is replaced by its other side.
pub(crate) fn drop_excluded(table: &mut Table) -> Result<(), TooLarge> {
    let rows = &mut table.rows;
    let mut collapsed = FastMap::default();
    for (state, root) in (0u32..).zip(&mut table.roots) {
        for level in support(rows, *root) {
            if let Some(without) = forget(rows, *root, level, &mut FastMap::default())? {
                *root = without;
            }
        }
        *root = collapse(rows, *root, &mut collapsed)?;
        if *root == Row::BLOCKED {
            // The axioms allow no letter at all: any completion will do, and staying is the simplest.
            *root = Row::leaf(state);
        }
    }
    Ok(())
}

/// The levels that a row asks, in ascending order.
pub(crate) fn support(rows: &Rows, root: Row) -> BTreeSet<u32> {
    let mut levels = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![root];
    while let Some(row) = open.pop() {
        if let Some(node) = rows.decision(row)
            && seen.insert(row)
        {
            levels.insert(node.level);
            open.extend([node.lo, node.hi]);
        }
    }
    levels
}

/// The row that does not ask `level`, if there is one that agrees on all allowed letters.
fn forget(
    rows: &mut Rows,
    row: Row,
    level: u32,
    memo: &mut FastMap<Row, Row>,
) -> Result<Option<Row>, TooLarge> {
    let Some(node) = rows.decision(row).filter(|node| node.level <= level) else {
        return Ok(Some(row));
    };
    if let Some(known) = memo.get(&row) {
        return Ok(Some(*known));
    }
    let result = if node.level == level {
        merge(rows, node.lo, node.hi, &mut FastMap::default())?
    } else {
        let Some(lo) = forget(rows, node.lo, level, memo)? else {
            return Ok(None);
        };
        let Some(hi) = forget(rows, node.hi, level, memo)? else {
            return Ok(None);
        };
        Some(rows.node(node.level, lo, hi)?)
    };
    if let Some(result) = result {
        memo.insert(row, result);
    }
    Ok(result)
}

/// The row that agrees with both, each where it is not excluded.
fn merge(
    rows: &mut Rows,
    a: Row,
    b: Row,
    memo: &mut FastMap<(Row, Row), Row>,
) -> Result<Option<Row>, TooLarge> {
    if a == b || b == Row::BLOCKED {
        return Ok(Some(a));
    }
    if a == Row::BLOCKED {
        return Ok(Some(b));
    }
    let level = rows.level(a).min(rows.level(b));
    if level == u32::MAX {
        return Ok(None);
    }
    if let Some(known) = memo.get(&(a, b)) {
        return Ok(Some(*known));
    }
    let (a0, a1) = rows.cofactors(a, level);
    let (b0, b1) = rows.cofactors(b, level);
    let Some(lo) = merge(rows, a0, b0, memo)? else {
        return Ok(None);
    };
    let Some(hi) = merge(rows, a1, b1, memo)? else {
        return Ok(None);
    };
    let merged = rows.node(level, lo, hi)?;
    memo.insert((a, b), merged);
    Ok(Some(merged))
}

fn collapse(rows: &mut Rows, row: Row, memo: &mut FastMap<Row, Row>) -> Result<Row, TooLarge> {
    let Some(node) = rows.decision(row) else {
        return Ok(row);
    };
    if let Some(known) = memo.get(&row) {
        return Ok(*known);
    }
    let lo = collapse(rows, node.lo, memo)?;
    let hi = collapse(rows, node.hi, memo)?;
    let result = if lo == Row::BLOCKED {
        hi
    } else if hi == Row::BLOCKED {
        lo
    } else {
        rows.node(node.level, lo, hi)?
    };
    memo.insert(row, result);
    Ok(result)
}
