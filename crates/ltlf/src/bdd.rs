//! Reduced ordered binary decision diagrams with complemented edges.
//!
//! One diagram space holds both the letters (the upper levels) and the pending obligations (the lower levels). A state of
//! the automaton is a diagram over obligations alone; what a state becomes after reading a letter is a diagram over both,
//! whose parts below the letters are the successor states. Equal functions are equal edges, which is what makes the
//! translation finite. Bryant 1986; complemented edges after Brace, Rudell and Bryant 1990.

use std::collections::BTreeSet;

use crate::hash::FastMap;
use crate::limits::{Bound, TooLarge};

/// A function: a node number and, in the lowest bit, whether it is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Edge(u32);

impl Edge {
    pub(crate) const TRUE: Self = Self(0);
    pub(crate) const FALSE: Self = Self(1);

    pub(crate) fn negate(self) -> Self {
        Self(self.0 ^ 1)
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The same node without negation.
    pub(crate) fn regular(self) -> Self {
        Self(self.0 & !1)
    }

    pub(crate) fn negated_if(self, negated: bool) -> Self {
        Self(self.0 ^ u32::from(negated))
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// Invariant: `hi` is never negated, so that each function has one representation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    level: u32,
    lo: Edge,
    hi: Edge,
}

/// Below every variable: the level of the constants.
pub(crate) const BOTTOM: u32 = u32::MAX;

const TERMINAL: Node = Node {
    level: BOTTOM,
    lo: Edge::TRUE,
    hi: Edge::TRUE,
};

/// The space of diagrams, with its unique table and its memo of conjunctions.
#[derive(Debug)]
pub(crate) struct Bdd {
    nodes: Vec<Node>,
    unique: FastMap<Node, u32>,
    conjunctions: FastMap<(Edge, Edge), Edge>,
    max_nodes: usize,
}

impl Bdd {
    pub(crate) fn new(max_nodes: usize) -> Self {
        Self {
            nodes: vec![TERMINAL],
            unique: FastMap::default(),
            conjunctions: FastMap::default(),
            max_nodes: max_nodes.min((u32::MAX >> 1) as usize),
        }
    }

    /// Nodes and remembered operations: the measure that [`crate::Limits::max_nodes`] bounds.
    pub(crate) fn work(&self) -> usize {
        self.nodes.len() + self.conjunctions.len()
    }

    fn at(&self, edge: Edge) -> Node {
        self.nodes.get(edge.index()).copied().unwrap_or(TERMINAL)
    }

    /// The variable that the function tests first, or [`BOTTOM`].
    pub(crate) fn level(&self, edge: Edge) -> u32 {
        self.at(edge).level
    }

    /// The function where the variable of `level` is false and where it is true.
    pub(crate) fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        let node = self.at(edge);
        if node.level != level {
            return (edge, edge);
        }
        let negated = edge.is_negated();
        (node.lo.negated_if(negated), node.hi.negated_if(negated))
    }

    /// The function that tests `level` and is `lo` or `hi`, both of which test deeper levels only.
    pub(crate) fn node(&mut self, level: u32, lo: Edge, hi: Edge) -> Result<Edge, TooLarge> {
        if lo == hi {
            return Ok(lo);
        }
        let negated = hi.is_negated();
        let node = Node {
            level,
            lo: lo.negated_if(negated),
            hi: hi.negated_if(negated),
        };
        if let Some(index) = self.unique.get(&node) {
            return Ok(Edge(index << 1).negated_if(negated));
        }
        if self.work() >= self.max_nodes {
            return Err(TooLarge::new(Bound::Nodes, self.max_nodes));
        }
        let index = u32::try_from(self.nodes.len())
            .map_err(|_| TooLarge::new(Bound::Nodes, self.max_nodes))?;
        self.nodes.push(node);
        self.unique.insert(node, index);
        Ok(Edge(index << 1).negated_if(negated))
    }

    /// The variable itself.
    pub(crate) fn variable(&mut self, level: u32) -> Result<Edge, TooLarge> {
        self.node(level, Edge::FALSE, Edge::TRUE)
    }

    pub(crate) fn and(&mut self, f: Edge, g: Edge) -> Result<Edge, TooLarge> {
        if f == Edge::FALSE || g == Edge::FALSE || f == g.negate() {
            return Ok(Edge::FALSE);
        }
        if f == Edge::TRUE || f == g {
            return Ok(g);
        }
        if g == Edge::TRUE {
            return Ok(f);
        }
        let key = (f.min(g), f.max(g));
        if let Some(known) = self.conjunctions.get(&key) {
            return Ok(*known);
        }
        if self.work() >= self.max_nodes {
            return Err(TooLarge::new(Bound::Nodes, self.max_nodes));
        }
        let level = self.level(f).min(self.level(g));
        let (f0, f1) = self.cofactors(f, level);
        let (g0, g1) = self.cofactors(g, level);
        let lo = self.and(f0, g0)?;
        let hi = self.and(f1, g1)?;
        let result = self.node(level, lo, hi)?;
        self.conjunctions.insert(key, result);
        Ok(result)
    }

    pub(crate) fn or(&mut self, f: Edge, g: Edge) -> Result<Edge, TooLarge> {
        Ok(self.and(f.negate(), g.negate())?.negate())
    }

    pub(crate) fn iff(&mut self, f: Edge, g: Edge) -> Result<Edge, TooLarge> {
        self.choose(f, g, g.negate())
    }

    /// `then` where `condition` holds, `otherwise` elsewhere.
    pub(crate) fn choose(
        &mut self,
        condition: Edge,
        then: Edge,
        otherwise: Edge,
    ) -> Result<Edge, TooLarge> {
        if then == otherwise {
            return Ok(then);
        }
        let then = self.and(condition, then)?;
        let otherwise = self.and(condition.negate(), otherwise)?;
        self.or(then, otherwise)
    }

    /// Whether the function holds for some value of the variable of `level`.
    pub(crate) fn exists(&mut self, edge: Edge, level: u32) -> Result<Edge, TooLarge> {
        self.exists_memo(edge, level, &mut FastMap::default())
    }

    fn exists_memo(
        &mut self,
        edge: Edge,
        level: u32,
        memo: &mut FastMap<Edge, Edge>,
    ) -> Result<Edge, TooLarge> {
        let top = self.level(edge);
        if top > level {
            return Ok(edge);
        }
        let (lo, hi) = self.cofactors(edge, top);
        if top == level {
            return self.or(lo, hi);
        }
        if let Some(known) = memo.get(&edge) {
            return Ok(*known);
        }
        let lo = self.exists_memo(lo, level, memo)?;
        let hi = self.exists_memo(hi, level, memo)?;
        let result = self.node(top, lo, hi)?;
        memo.insert(edge, result);
        Ok(result)
    }

    /// The conjunction of all, joined from the most restrictive on.
    ///
    /// Order matters: many implications whose conclusions exclude each other are small only once that exclusion is joined.
    pub(crate) fn and_all(&mut self, all: &[Edge]) -> Result<Edge, TooLarge> {
        let mut memo = FastMap::default();
        let mut ordered: Vec<(f64, Edge)> = all
            .iter()
            .map(|edge| (self.density(*edge, &mut memo), *edge))
            .collect();
        ordered.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut joined = Edge::TRUE;
        for (_, edge) in ordered {
            joined = self.and(joined, edge)?;
        }
        Ok(joined)
    }

    /// The share of all assignments that satisfy the function, as nearly as floating point tells.
    fn density(&self, edge: Edge, memo: &mut FastMap<Edge, f64>) -> f64 {
        if edge.is_constant() {
            return f64::from(u8::from(edge == Edge::TRUE));
        }
        if let Some(known) = memo.get(&edge) {
            return *known;
        }
        let (lo, hi) = self.cofactors(edge, self.level(edge));
        let density = f64::midpoint(self.density(lo, memo), self.density(hi, memo));
        memo.insert(edge, density);
        density
    }

    /// The value where exactly the variables that `is_true` names are true.
    pub(crate) fn evaluate(&self, edge: Edge, is_true: impl Fn(u32) -> bool) -> bool {
        let mut at = edge;
        while !at.is_constant() {
            let level = self.level(at);
            let (lo, hi) = self.cofactors(at, level);
            at = if is_true(level) { hi } else { lo };
        }
        at == Edge::TRUE
    }

    /// The levels that the function depends on.
    pub(crate) fn support(&self, edge: Edge) -> BTreeSet<u32> {
        let mut levels = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![edge.regular()];
        while let Some(edge) = open.pop() {
            if edge.is_constant() || !seen.insert(edge) {
                continue;
            }
            let node = self.at(edge);
            levels.insert(node.level);
            open.push(node.lo.regular());
            open.push(node.hi.regular());
        }
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_are_equal_edges() {
        let mut bdd = Bdd::new(10_000);
        let [a, b, c] = [0, 1, 2].map(|level| bdd.variable(level).unwrap());
        let left = bdd.or(b, c).unwrap();
        let left = bdd.and(a, left).unwrap();
        let ab = bdd.and(a, b).unwrap();
        let ac = bdd.and(a, c).unwrap();
        assert_eq!(left, bdd.or(ab, ac).unwrap());
        assert_eq!(bdd.iff(left, left.negate()).unwrap(), Edge::FALSE);
        assert_eq!(bdd.exists(ab, 0).unwrap(), b);
        assert_eq!(bdd.exists(ab, 1).unwrap(), a);
        assert_eq!(bdd.support(left), BTreeSet::from([0, 1, 2]));
        assert!(bdd.evaluate(left, |level| level != 1));
        assert!(!bdd.evaluate(left, |level| level != 0));
    }

    #[test]
    fn the_bound_is_an_error() {
        let mut bdd = Bdd::new(4);
        let all: Result<Vec<Edge>, TooLarge> = (0..9).map(|level| bdd.variable(level)).collect();
        assert_eq!(all, Err(TooLarge::new(Bound::Nodes, 4)));
    }
}
