//! Hash-consed formulas over a small core, as the translation sees them.
//!
//! Negation is a bit on the reference, so every operator and its dual share one node (`a R b` is `!(!a U !b)`), and the core
//! needs `X U Y S` only. In this form every atom and every temporal node is false on the empty trace.

use crate::alphabet::Alphabet;
use crate::formula::Formula;
use crate::hash::FastMap;
use crate::limits::{Bound, TooLarge};

/// A node number and, in the lowest bit, whether it is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Expr(u32);

impl Expr {
    pub(crate) const TRUE: Self = Self(0);
    pub(crate) const FALSE: Self = Self(1);

    pub(crate) fn negate(self) -> Self {
        Self(self.0 ^ 1)
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn regular(self) -> Self {
        Self(self.0 & !1)
    }

    pub(crate) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// What a node is. Conjunctions are binary; a long one is a balanced tree of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    True,
    Atom(u32),
    And(Expr, Expr),
    Iff(Expr, Expr),
    Next(Expr),
    Until(Expr, Expr),
    Yesterday(Expr),
    Since(Expr, Expr),
}

#[derive(Clone, Copy, Debug)]
struct Info {
    kind: Kind,
    on_empty: bool,
    past: u128,
}

/// The arena of nodes.
#[derive(Debug)]
pub(crate) struct Arena {
    infos: Vec<Info>,
    unique: FastMap<Kind, u32>,
    past: Vec<Expr>,
    max_nodes: usize,
}

impl Arena {
    pub(crate) fn new(max_nodes: usize) -> Self {
        let truth = Info {
            kind: Kind::True,
            on_empty: true,
            past: 0,
        };
        Self {
            infos: vec![truth],
            unique: FastMap::default(),
            past: Vec::new(),
            max_nodes: max_nodes.min((u32::MAX >> 1) as usize),
        }
    }

    fn info(&self, expr: Expr) -> Info {
        self.infos.get(expr.index()).copied().unwrap_or(Info {
            kind: Kind::True,
            on_empty: true,
            past: 0,
        })
    }

    pub(crate) fn kind(&self, expr: Expr) -> Kind {
        self.info(expr).kind
    }

    /// The value on the empty trace.
    pub(crate) fn on_empty(&self, expr: Expr) -> bool {
        self.info(expr).on_empty != expr.is_negated()
    }

    /// The `Y` and `S` nodes; their values at a position depend on the letters read before.
    pub(crate) fn past_nodes(&self) -> &[Expr] {
        &self.past
    }

    /// Which of the past nodes occur in an expression, as a bit set; all bits if there are too many to tell apart.
    pub(crate) fn past_of(&self, expr: Expr) -> u128 {
        self.info(expr).past
    }

    fn make(&mut self, kind: Kind) -> Result<Expr, TooLarge> {
        if let Some(index) = self.unique.get(&kind) {
            return Ok(Expr(index << 1));
        }
        if self.infos.len() >= self.max_nodes {
            return Err(TooLarge::new(Bound::Nodes, self.max_nodes));
        }
        let index = u32::try_from(self.infos.len())
            .map_err(|_| TooLarge::new(Bound::Nodes, self.max_nodes))?;
        let expr = Expr(index << 1);
        let (on_empty, mut past) = match kind {
            Kind::True => (true, 0),
            Kind::Atom(_) => (false, 0),
            Kind::And(a, b) => (
                self.on_empty(a) && self.on_empty(b),
                self.past_of(a) | self.past_of(b),
            ),
            Kind::Iff(a, b) => (
                self.on_empty(a) == self.on_empty(b),
                self.past_of(a) | self.past_of(b),
            ),
            Kind::Next(a) | Kind::Yesterday(a) => (false, self.past_of(a)),
            Kind::Until(a, b) | Kind::Since(a, b) => (false, self.past_of(a) | self.past_of(b)),
        };
        if matches!(kind, Kind::Yesterday(_) | Kind::Since(..)) {
            past |= 1u128
                .checked_shl(u32::try_from(self.past.len()).unwrap_or(u32::MAX))
                .unwrap_or(u128::MAX);
            self.past.push(expr);
        }
        self.infos.push(Info {
            kind,
            on_empty,
            past,
        });
        self.unique.insert(kind, index);
        Ok(expr)
    }

    /// Interns a formula whose depth was checked.
    pub(crate) fn intern<A: Ord + Clone>(
        &mut self,
        formula: &Formula<A>,
        alphabet: &Alphabet<A>,
    ) -> Result<Expr, TooLarge> {
        let mut go = |f: &Formula<A>| self.intern(f, alphabet);
        match formula {
            Formula::True => Ok(Expr::TRUE),
            Formula::False => Ok(Expr::FALSE),
            Formula::Atom(atom) => match alphabet.level(atom) {
                Some(level) => self.make(Kind::Atom(level)),
                None => Ok(Expr::FALSE),
            },
            Formula::Not(f) => Ok(go(f)?.negate()),
            Formula::And(all) => {
                let all: Vec<Expr> = all.iter().map(go).collect::<Result<_, _>>()?;
                self.conjunction(all)
            }
            Formula::Or(all) => {
                let all: Vec<Expr> = all
                    .iter()
                    .map(|f| Ok(go(f)?.negate()))
                    .collect::<Result<_, _>>()?;
                Ok(self.conjunction(all)?.negate())
            }
            Formula::Implies(f, g) => {
                let pair = vec![go(f)?, go(g)?.negate()];
                Ok(self.conjunction(pair)?.negate())
            }
            Formula::Iff(f, g) => {
                let (f, g) = (go(f)?, go(g)?);
                self.equivalence(f, g)
            }
            Formula::Next(f) => {
                let f = go(f)?;
                self.next(f)
            }
            Formula::WeakNext(f) => {
                let f = go(f)?;
                Ok(self.next(f.negate())?.negate())
            }
            Formula::Eventually(f) => {
                let f = go(f)?;
                self.until(Expr::TRUE, f)
            }
            Formula::Always(f) => {
                let f = go(f)?;
                Ok(self.until(Expr::TRUE, f.negate())?.negate())
            }
            Formula::Until(f, g) => {
                let (f, g) = (go(f)?, go(g)?);
                self.until(f, g)
            }
            Formula::Release(f, g) => {
                let (f, g) = (go(f)?, go(g)?);
                Ok(self.until(f.negate(), g.negate())?.negate())
            }
            Formula::WeakUntil(f, g) => {
                // `a W b` is `b R (a | b)`, which is `!(!b U (!a & !b))`.
                let (f, g) = (go(f)?, go(g)?);
                let neither = self.conjunction(vec![f.negate(), g.negate()])?;
                Ok(self.until(g.negate(), neither)?.negate())
            }
            Formula::StrongRelease(f, g) => {
                let (f, g) = (go(f)?, go(g)?);
                let both = self.conjunction(vec![f, g])?;
                self.until(g, both)
            }
            Formula::Yesterday(f) => {
                let f = go(f)?;
                self.yesterday(f)
            }
            Formula::WeakYesterday(f) => {
                let f = go(f)?;
                Ok(self.yesterday(f.negate())?.negate())
            }
            Formula::Once(f) => {
                let f = go(f)?;
                self.since(Expr::TRUE, f)
            }
            Formula::Historically(f) => {
                let f = go(f)?;
                Ok(self.since(Expr::TRUE, f.negate())?.negate())
            }
            Formula::Since(f, g) => {
                let (f, g) = (go(f)?, go(g)?);
                self.since(f, g)
            }
            Formula::Triggered(f, g) => {
                let (f, g) = (go(f)?, go(g)?);
                Ok(self.since(f.negate(), g.negate())?.negate())
            }
        }
    }

    pub(crate) fn conjunction(&mut self, mut all: Vec<Expr>) -> Result<Expr, TooLarge> {
        all.sort_unstable();
        all.dedup();
        // Sorting puts an expression next to its negation, and the constants first.
        let contradicts = all
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if *a == b.negate()));
        if contradicts || all.contains(&Expr::FALSE) {
            return Ok(Expr::FALSE);
        }
        all.retain(|expr| *expr != Expr::TRUE);
        while all.len() > 1 {
            let mut halved = Vec::with_capacity(all.len().div_ceil(2));
            for pair in all.chunks(2) {
                halved.push(match pair {
                    [a, b] => self.make(Kind::And(*a, *b))?,
                    [a] => *a,
                    _ => Expr::TRUE,
                });
            }
            all = halved;
        }
        Ok(all.pop().unwrap_or(Expr::TRUE))
    }

    fn equivalence(&mut self, a: Expr, b: Expr) -> Result<Expr, TooLarge> {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.regular(), b.regular());
        let plain = if a == b {
            Expr::TRUE
        } else if a == Expr::TRUE || b == Expr::TRUE {
            a.max(b)
        } else {
            self.make(Kind::Iff(a.min(b), a.max(b)))?
        };
        Ok(if negated { plain.negate() } else { plain })
    }

    fn next(&mut self, a: Expr) -> Result<Expr, TooLarge> {
        if a == Expr::FALSE {
            return Ok(Expr::FALSE);
        }
        self.make(Kind::Next(a))
    }

    fn yesterday(&mut self, a: Expr) -> Result<Expr, TooLarge> {
        if a == Expr::FALSE {
            return Ok(Expr::FALSE);
        }
        self.make(Kind::Yesterday(a))
    }

    pub(crate) fn until(&mut self, a: Expr, b: Expr) -> Result<Expr, TooLarge> {
        // Where `b` is false on the empty trace, as the until is, the until with nothing to wait for is `b` itself.
        if b == Expr::FALSE || (a == Expr::FALSE && !self.on_empty(b)) {
            return Ok(b);
        }
        if a == Expr::TRUE && !b.is_negated() && matches!(self.kind(b), Kind::Until(Expr::TRUE, _))
        {
            return Ok(b);
        }
        self.make(Kind::Until(a, b))
    }

    fn since(&mut self, a: Expr, b: Expr) -> Result<Expr, TooLarge> {
        if b == Expr::FALSE || (a == Expr::FALSE && !self.on_empty(b)) {
            return Ok(b);
        }
        if a == Expr::TRUE && !b.is_negated() && matches!(self.kind(b), Kind::Since(Expr::TRUE, _))
        {
            return Ok(b);
        }
        self.make(Kind::Since(a, b))
    }

    /// 'There is a position': true on every trace but the empty one.
    pub(crate) fn non_empty(&mut self) -> Result<Expr, TooLarge> {
        self.make(Kind::Until(Expr::TRUE, Expr::TRUE))
    }
}
