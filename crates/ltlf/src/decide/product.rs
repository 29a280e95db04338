//! The search for a shortest trace through a product of automata.
//!
//! Parts that share no atom, directly or through an axiom, form separate groups. A group is searched breadth-first over
//! tuples of states; the successors of a tuple come from walking the rows of all its parts at once. With several groups only
//! the *length* of the trace ties them together, so each group is advanced in layers (all tuples reachable in exactly n
//! letters) until one n suits all of them. The layers of finitely many tuples repeat at last, which ends an impossible search.

use std::collections::{BTreeMap, BTreeSet};

use crate::bdd::{Bdd, Edge};
use crate::formula::Formula;
use crate::hash::FastMap;
use crate::limits::{Bound, Limits, TooLarge};
use crate::minimize::{Table, support};
use crate::progress::Explorer;
use crate::row::{Row, Rows};

/// One automaton of the product.
#[derive(Debug)]
pub(super) enum Part<A> {
    /// All rows are there.
    Built {
        table: Table,
        dead: Vec<bool>,
        levels: BTreeSet<u32>,
    },
    /// Rows are made when they are asked for.
    Lazy {
        explorer: Box<Explorer<A>>,
        levels: BTreeSet<u32>,
    },
}

impl<A: Ord + Clone> Part<A> {
    pub(super) fn built(table: Table, dead: Vec<bool>) -> Self {
        let levels = table
            .roots
            .iter()
            .flat_map(|root| support(&table.rows, *root))
            .collect();
        Self::Built {
            table,
            dead,
            levels,
        }
    }

    pub(super) fn lazy(explorer: Explorer<A>, formula: &Formula<A>) -> Self {
        let levels = formula
            .atoms()
            .into_iter()
            .filter_map(|atom| explorer.alphabet.level(atom))
            .collect();
        Self::Lazy {
            explorer: Box::new(explorer),
            levels,
        }
    }

    fn levels(&self) -> &BTreeSet<u32> {
        match self {
            Self::Built { levels, .. } | Self::Lazy { levels, .. } => levels,
        }
    }

    fn row(&mut self, state: u32) -> Result<Row, TooLarge> {
        match self {
            Self::Built { table, .. } => {
                let root = table.roots.get(state as usize).copied();
                Ok(root.unwrap_or(Row::BLOCKED))
            }
            Self::Lazy { explorer, .. } => explorer.row(state),
        }
    }

    fn rows(&self) -> &Rows {
        match self {
            Self::Built { table, .. } => &table.rows,
            Self::Lazy { explorer, .. } => &explorer.rows,
        }
    }

    fn is_accepting(&self, state: u32) -> bool {
        match self {
            Self::Built { table, .. } => table
                .accepting
                .get(state as usize)
                .copied()
                .unwrap_or(false),
            Self::Lazy { explorer, .. } => explorer.is_accepting(state),
        }
    }

    /// Whether a trace of letters, given by the levels of their true atoms, leads from a state to an accepting one.
    pub(super) fn accepts(&mut self, start: u32, letters: &[Levels]) -> Result<bool, TooLarge> {
        let mut state = start;
        for letter in letters {
            let mut row = self.row(state)?;
            while let Some(node) = self.rows().decision(row) {
                row = if letter.contains(&node.level) {
                    node.hi
                } else {
                    node.lo
                };
            }
            match row.state() {
                Some(next) => state = next,
                None => return Ok(false),
            }
        }
        Ok(self.is_accepting(state))
    }

    fn is_dead(&self, state: u32) -> bool {
        match self {
            Self::Built { dead, .. } => dead.get(state as usize).copied().unwrap_or(true),
            Self::Lazy { explorer, .. } => explorer.is_false(state),
        }
    }
}

/// A letter as the set of levels of its true atoms.
type Levels = BTreeSet<u32>;
type Tuple = Box<[u32]>;
/// What is left of the walk through the rows of a tuple: which letters are allowed, and each part's row.
type Walk = (Edge, Box<[Row]>);

/// A shortest non-empty trace on which every started part accepts.
pub(super) fn shortest<A: Ord + Clone>(
    parts: &mut [Part<A>],
    bdd: &mut Bdd,
    constraints: &[Edge],
    starts: &[(usize, u32)],
    limits: &Limits,
) -> Result<Option<Vec<Levels>>, TooLarge> {
    let (groups, idle) = split(parts, bdd, constraints, starts)?;
    let mut search = Search {
        parts,
        bdd,
        limits,
        work: 0,
    };
    let Some(idle) = search.cheapest(&[], idle, &[])? else {
        return Ok(None);
    };
    let mut traces = Vec::new();
    let mut groups: Vec<Group> = groups;
    if let [group] = groups.as_mut_slice() {
        match search.breadth_first(group)? {
            Some(trace) => traces.push(trace),
            None => return Ok(None),
        }
    } else {
        match search.in_step(&mut groups)? {
            Some(found) => traces = found,
            None => return Ok(None),
        }
    }
    let length = traces.iter().map(Vec::len).max().unwrap_or(1);
    let mut letters = vec![idle; length];
    for trace in traces {
        for (letter, levels) in letters.iter_mut().zip(trace) {
            letter.extend(levels);
        }
    }
    Ok(Some(letters))
}

/// Parts that depend on each other's atoms, and what has been found out about their product.
struct Group {
    members: Vec<usize>,
    care: Edge,
    start: Tuple,
    tuples: Vec<Tuple>,
    numbers: FastMap<Tuple, usize>,
    successors: BTreeMap<usize, Vec<usize>>,
}

impl Group {
    fn new(members: &[(usize, u32)], care: Edge) -> Self {
        Self {
            members: members.iter().map(|(part, _)| *part).collect(),
            care,
            start: members.iter().map(|(_, state)| *state).collect(),
            tuples: Vec::new(),
            numbers: FastMap::default(),
            successors: BTreeMap::new(),
        }
    }

    /// The number of a tuple and whether it is new.
    fn intern(&mut self, tuple: Tuple, limits: &Limits) -> Result<(usize, bool), TooLarge> {
        if let Some(number) = self.numbers.get(&tuple) {
            return Ok((*number, false));
        }
        let number = self.tuples.len();
        if number >= limits.max_states {
            return Err(TooLarge::new(Bound::States, limits.max_states));
        }
        self.tuples.push(tuple.clone());
        self.numbers.insert(tuple, number);
        Ok((number, true))
    }

    fn tuple(&self, number: usize) -> Tuple {
        self.tuples.get(number).cloned().unwrap_or_default()
    }
}

/// Splits parts and constraints into groups that share no atom; the constraints that touch no part come back joined.
fn split<A: Ord + Clone>(
    parts: &[Part<A>],
    bdd: &mut Bdd,
    constraints: &[Edge],
    starts: &[(usize, u32)],
) -> Result<(Vec<Group>, Edge), TooLarge> {
    let mut clusters = Clusters::default();
    for (part, state) in starts {
        if let Some(automaton) = parts.get(*part) {
            let cluster = clusters.join(automaton.levels().iter().copied());
            clusters
                .members
                .entry(cluster)
                .or_default()
                .push((*part, *state));
        }
    }
    for constraint in constraints {
        let cluster = clusters.join(bdd.support(*constraint));
        clusters
            .constraints
            .entry(cluster)
            .or_default()
            .push(*constraint);
    }
    let mut joined: BTreeMap<usize, Cluster> = BTreeMap::new();
    for (cluster, members) in std::mem::take(&mut clusters.members) {
        joined
            .entry(clusters.root(cluster))
            .or_default()
            .0
            .extend(members);
    }
    for (cluster, constraints) in std::mem::take(&mut clusters.constraints) {
        joined
            .entry(clusters.root(cluster))
            .or_default()
            .1
            .extend(constraints);
    }
    let mut groups = Vec::new();
    let mut idle = Vec::new();
    for (mut members, constraints) in joined.into_values() {
        if members.is_empty() {
            idle.extend(constraints);
        } else {
            members.sort_unstable();
            groups.push(Group::new(&members, bdd.and_all(&constraints)?));
        }
    }
    let idle = bdd.and_all(&idle)?;
    groups.sort_by(|a, b| a.members.cmp(&b.members));
    Ok((groups, idle))
}

/// Parts with the states they start in, and constraints.
type Cluster = (Vec<(usize, u32)>, Vec<Edge>);

/// Disjoint sets of levels (union-find), with what belongs to each.
#[derive(Default)]
struct Clusters {
    parents: Vec<usize>,
    of_level: BTreeMap<u32, usize>,
    members: BTreeMap<usize, Vec<(usize, u32)>>,
    constraints: BTreeMap<usize, Vec<Edge>>,
}

impl Clusters {
    /// A cluster that has all these levels.
    fn join(&mut self, levels: impl IntoIterator<Item = u32>) -> usize {
        let cluster = self.parents.len();
        self.parents.push(cluster);
        for level in levels {
            let other = *self.of_level.entry(level).or_insert(cluster);
            let other = self.root(other);
            if let Some(parent) = self.parents.get_mut(other) {
                *parent = cluster;
            }
        }
        cluster
    }

    fn root(&mut self, cluster: usize) -> usize {
        let mut at = cluster;
        while let Some(parent) = self.parents.get(at).copied()
            && parent != at
        {
            // Halving the path keeps later walks short.
            let grandparent = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(slot) = self.parents.get_mut(at) {
                *slot = grandparent;
            }
            at = grandparent;
        }
        at
    }
}

struct Search<'a, A> {
    parts: &'a mut [Part<A>],
    bdd: &'a Bdd,
    limits: &'a Limits,
    /// Walks looked at, bounded by the node limit.
    work: usize,
}

impl<A: Ord + Clone> Search<'_, A> {
    fn spend(&mut self) -> Result<(), TooLarge> {
        self.work += 1;
        if self.work > self.limits.max_nodes {
            return Err(TooLarge::new(Bound::Nodes, self.limits.max_nodes));
        }
        Ok(())
    }

    fn breadth_first(&mut self, group: &mut Group) -> Result<Option<Vec<Levels>>, TooLarge> {
        // The start is not interned, so that coming back to it counts as a trace that ends there.
        let mut parents: Vec<Option<usize>> = Vec::new();
        let mut next = 0;
        let mut from = None;
        loop {
            let tuple = match from {
                None => group.start.clone(),
                Some(number) => group.tuple(number),
            };
            for successor in self.successors(group, &tuple)? {
                let (number, new) = group.intern(successor, self.limits)?;
                if new {
                    parents.push(from);
                    if self.accepts(group, number) {
                        return self.trace_back(group, &parents, number).map(Some);
                    }
                }
            }
            if next >= parents.len() {
                return Ok(None);
            }
            from = Some(next);
            next += 1;
        }
    }

    fn trace_back(
        &mut self,
        group: &Group,
        parents: &[Option<usize>],
        end: usize,
    ) -> Result<Vec<Levels>, TooLarge> {
        let mut path = vec![group.tuple(end)];
        let mut at = end;
        while let Some(Some(parent)) = parents.get(at) {
            path.push(group.tuple(*parent));
            at = *parent;
        }
        path.push(group.start.clone());
        path.reverse();
        self.letters(group, &path)
    }

    /// The cheapest letter for each step of a path of tuples.
    fn letters(&mut self, group: &Group, path: &[Tuple]) -> Result<Vec<Levels>, TooLarge> {
        let mut letters = Vec::new();
        for pair in path.windows(2) {
            if let [from, to] = pair {
                let rows = self.row_tuple(group, from)?;
                let letter = self.cheapest(&group.members, group.care, &rows_to(&rows, to))?;
                letters.push(letter.unwrap_or_default());
            }
        }
        Ok(letters)
    }

    fn accepts(&self, group: &Group, number: usize) -> bool {
        let tuple = group.tuple(number);
        group.members.iter().zip(&tuple).all(|(part, state)| {
            self.parts
                .get(*part)
                .is_some_and(|part| part.is_accepting(*state))
        })
    }

    fn row_tuple(&mut self, group: &Group, tuple: &[u32]) -> Result<Box<[Row]>, TooLarge> {
        let mut rows = Vec::with_capacity(tuple.len());
        for (part, state) in group.members.iter().zip(tuple) {
            rows.push(match self.parts.get_mut(*part) {
                Some(part) => part.row(*state)?,
                None => Row::BLOCKED,
            });
        }
        Ok(rows.into())
    }

    /// The tuples that some allowed letter leads to and in which no part is dead, by ascending smallest letter.
    fn successors(&mut self, group: &Group, tuple: &[u32]) -> Result<Vec<Tuple>, TooLarge> {
        let mut found = Vec::new();
        let mut seen: FastMap<Walk, ()> = FastMap::default();
        let mut open: Vec<Walk> = vec![(group.care, self.row_tuple(group, tuple)?)];
        while let Some((care, rows)) = open.pop() {
            if care == Edge::FALSE || self.is_hopeless(group, &rows) {
                continue;
            }
            self.spend()?;
            if let Some(states) = rows
                .iter()
                .map(|row| row.state())
                .collect::<Option<Tuple>>()
            {
                if seen.insert((Edge::TRUE, rows), ()).is_none() {
                    found.push(states);
                }
                continue;
            }
            let (lo, hi) = self.branch(&group.members, care, &rows);
            if seen.insert((care, rows), ()).is_none() {
                open.push(hi);
                open.push(lo);
            }
        }
        Ok(found)
    }

    fn is_hopeless(&self, group: &Group, rows: &[Row]) -> bool {
        group.members.iter().zip(rows).any(|(part, row)| {
            *row == Row::BLOCKED
                || row.state().is_some_and(|state| {
                    self.parts.get(*part).is_none_or(|part| part.is_dead(state))
                })
        })
    }

    fn top(&self, members: &[usize], care: Edge, rows: &[Row]) -> u32 {
        let levels = members.iter().zip(rows).filter_map(|(part, row)| {
            let part = self.parts.get(*part)?;
            Some(part.rows().level(*row))
        });
        levels.min().unwrap_or(u32::MAX).min(self.bdd.level(care))
    }

    fn branch(&self, members: &[usize], care: Edge, rows: &[Row]) -> (Walk, Walk) {
        let level = self.top(members, care, rows);
        let (care0, care1) = self.bdd.cofactors(care, level);
        let (lo, hi): (Vec<Row>, Vec<Row>) = members
            .iter()
            .zip(rows)
            .map(|(part, row)| match self.parts.get(*part) {
                Some(part) => part.rows().cofactors(*row, level),
                None => (*row, *row),
            })
            .unzip();
        ((care0, lo.into()), (care1, hi.into()))
    }

    /// An allowed letter with the fewest true atoms that leads each row to its goal; the smallest one among equals.
    fn cheapest(
        &mut self,
        members: &[usize],
        care: Edge,
        goals: &[(Row, u32)],
    ) -> Result<Option<Levels>, TooLarge> {
        let rows: Box<[Row]> = goals.iter().map(|(row, _)| *row).collect();
        let goals: Vec<u32> = goals.iter().map(|(_, goal)| *goal).collect();
        let mut memo = FastMap::default();
        let mut walk = (care, rows);
        if self.cost(members, &walk, &goals, &mut memo)?.is_none() {
            return Ok(None);
        }
        let mut letter = Levels::new();
        loop {
            let level = self.top(members, walk.0, &walk.1);
            if level == u32::MAX {
                return Ok(Some(letter));
            }
            let (lo, hi) = self.branch(members, walk.0, &walk.1);
            let when_false = self.cost(members, &lo, &goals, &mut memo)?;
            let when_true = self.cost(members, &hi, &goals, &mut memo)?;
            let choose_true = match (when_false, when_true) {
                (Some(less), Some(more)) => more + 1 < less,
                (None, _) => true,
                (_, None) => false,
            };
            if choose_true {
                letter.insert(level);
            }
            walk = if choose_true { hi } else { lo };
        }
    }

    fn cost(
        &mut self,
        members: &[usize],
        walk: &Walk,
        goals: &[u32],
        memo: &mut FastMap<Walk, Option<u32>>,
    ) -> Result<Option<u32>, TooLarge> {
        let (care, rows) = walk;
        let missed = rows
            .iter()
            .zip(goals)
            .any(|(row, goal)| *row == Row::BLOCKED || row.state().is_some_and(|s| s != *goal));
        if *care == Edge::FALSE || missed {
            return Ok(None);
        }
        let level = self.top(members, *care, rows);
        if level == u32::MAX {
            return Ok(Some(0));
        }
        if let Some(known) = memo.get(walk) {
            return Ok(*known);
        }
        self.spend()?;
        let (lo, hi) = self.branch(members, *care, rows);
        let when_false = self.cost(members, &lo, goals, memo)?;
        let when_true = self.cost(members, &hi, goals, memo)?.map(|cost| cost + 1);
        let cost = match (when_false, when_true) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        memo.insert(walk.clone(), cost);
        Ok(cost)
    }

    /// Advances all groups letter by letter until one length suits each of them.
    fn in_step(&mut self, groups: &mut [Group]) -> Result<Option<Vec<Vec<Levels>>>, TooLarge> {
        // A group that accepts nothing ends the search at once, however the lengths of the others repeat.
        for group in groups.iter_mut() {
            if self.breadth_first(group)?.is_none() {
                return Ok(None);
            }
        }
        let mut history: Vec<Vec<Vec<usize>>> = Vec::new();
        let mut layers = Vec::new();
        for group in groups.iter_mut() {
            let (start, _) = group.intern(group.start.clone(), self.limits)?;
            layers.push(vec![start]);
        }
        let mut seen = BTreeSet::new();
        while seen.insert(layers.clone()) {
            history.push(layers.clone());
            let mut next = Vec::new();
            for (group, layer) in groups.iter_mut().zip(&layers) {
                let layer = self.advance(group, layer)?;
                if layer.is_empty() {
                    return Ok(None);
                }
                next.push(layer);
            }
            layers = next;
            let ends: Option<Vec<usize>> = groups
                .iter()
                .zip(&layers)
                .map(|(group, layer)| layer.iter().copied().find(|n| self.accepts(group, *n)))
                .collect();
            if let Some(ends) = ends {
                let mut traces = Vec::new();
                for (index, (group, end)) in groups.iter().zip(ends).enumerate() {
                    let path = path_back(group, &history, index, end);
                    traces.push(self.letters(group, &path)?);
                }
                return Ok(Some(traces));
            }
        }
        Ok(None)
    }

    fn advance(&mut self, group: &mut Group, layer: &[usize]) -> Result<Vec<usize>, TooLarge> {
        let mut next = BTreeSet::new();
        for number in layer {
            if !group.successors.contains_key(number) {
                let tuple = group.tuple(*number);
                let mut numbers = Vec::new();
                for successor in self.successors(group, &tuple)? {
                    numbers.push(group.intern(successor, self.limits)?.0);
                }
                group.successors.insert(*number, numbers);
            }
            self.spend()?;
            next.extend(group.successors.get(number).into_iter().flatten());
        }
        Ok(next.into_iter().collect())
    }
}

fn rows_to(rows: &[Row], goal: &[u32]) -> Vec<(Row, u32)> {
    rows.iter().copied().zip(goal.iter().copied()).collect()
}

/// A path through the layers of one group that ends in a given tuple.
fn path_back(group: &Group, history: &[Vec<Vec<usize>>], index: usize, end: usize) -> Vec<Tuple> {
    let mut path = vec![group.tuple(end)];
    let mut at = end;
    for layers in history.iter().rev() {
        let before = layers
            .get(index)
            .into_iter()
            .flatten()
            .copied()
            .find(|number| {
                group
                    .successors
                    .get(number)
                    .is_some_and(|next| next.contains(&at))
            });
        if let Some(before) = before {
            path.push(group.tuple(before));
            at = before;
        }
    }
    path.reverse();
    path
}
