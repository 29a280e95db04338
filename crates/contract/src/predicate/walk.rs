//! Going through the terms of atoms, and rebuilding them.
//!
//! The amount of a `sum` over events is no part of either: its `arg` and
//! `result` are those of another event.

use super::atom::{Atom, Condition};
use super::term::{Count, Key, Lookup, Path, Segment, Term};

impl Atom {
    /// The terms directly under the atom, those inside a quantifier's condition
    /// included.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Atom::Event(_) => Vec::new(),
            Atom::Compare(_, left, right)
            | Atom::In(left, right)
            | Atom::Subset(left, right)
            | Atom::Contains(left, right)
            | Atom::Under(left, right) => vec![left, right],
            Atom::Matches(term, _)
            | Atom::Known(term)
            | Atom::Listed(term)
            | Atom::Permitted(term)
            | Atom::FromUser(term)
            | Atom::FromTool(term, _)
            | Atom::Untrusted(term) => vec![term],
            Atom::Quantified(_, list, _, condition) => {
                let mut terms = vec![list];
                terms.extend(condition.terms());
                terms
            }
        }
    }

    /// Every term of the atom, nested ones included, outermost first.
    pub fn all_terms(&self) -> Vec<&Term> {
        let mut all = Vec::new();
        let mut open: Vec<&Term> = self.terms();
        open.reverse();
        while let Some(term) = open.pop() {
            all.push(term);
            let mut inner = term.inner();
            inner.reverse();
            open.extend(inner);
        }
        all
    }

    /// Every atom inside it, itself first: those of quantifiers and filters.
    pub fn all_atoms(&self) -> Vec<&Atom> {
        let mut all = Vec::new();
        let mut open = vec![self];
        while let Some(atom) = open.pop() {
            all.push(atom);
            if let Atom::Quantified(_, _, _, condition) = atom {
                open.extend(condition.formula().atoms());
            }
            let own = match atom {
                Atom::Quantified(_, list, _, _) => vec![list],
                other => other.terms(),
            };
            let mut terms = own;
            while let Some(term) = terms.pop() {
                if let Term::Total(_, amount) = term {
                    terms.push(amount);
                }
                for segment in term
                    .path()
                    .map(|path| path.0.as_slice())
                    .unwrap_or_default()
                {
                    if let Segment::Filter(condition) = segment {
                        open.extend(condition.formula().atoms());
                    }
                }
                // Filters are gone through above, atom by atom.
                terms.extend(term.inner_outside_filters());
            }
        }
        all
    }

    /// The atom with each term directly under it replaced.
    pub fn map_terms(&self, map: &mut dyn FnMut(&Term) -> Term) -> Atom {
        match self {
            Atom::Event(_) => self.clone(),
            Atom::Compare(op, left, right) => Atom::Compare(*op, map(left), map(right)),
            Atom::In(left, right) => Atom::In(map(left), map(right)),
            Atom::Subset(left, right) => Atom::Subset(map(left), map(right)),
            Atom::Contains(left, right) => Atom::Contains(map(left), map(right)),
            Atom::Under(left, right) => Atom::Under(map(left), map(right)),
            Atom::Matches(term, pattern) => Atom::Matches(map(term), pattern.clone()),
            Atom::Quantified(quantifier, list, name, condition) => Atom::Quantified(
                *quantifier,
                map(list),
                name.clone(),
                condition.map_terms(map),
            ),
            Atom::Known(term) => Atom::Known(map(term)),
            Atom::Listed(term) => Atom::Listed(map(term)),
            Atom::Permitted(term) => Atom::Permitted(map(term)),
            Atom::FromUser(term) => Atom::FromUser(map(term)),
            Atom::FromTool(term, tools) => Atom::FromTool(map(term), tools.clone()),
            Atom::Untrusted(term) => Atom::Untrusted(map(term)),
        }
    }
}

impl Condition {
    /// The terms directly under its atoms.
    pub fn terms(&self) -> Vec<&Term> {
        let atoms = self.formula().atoms();
        atoms.into_iter().flat_map(Atom::terms).collect()
    }

    /// The condition with each term directly under its atoms replaced.
    pub fn map_terms(&self, map: &mut dyn FnMut(&Term) -> Term) -> Condition {
        self.map_atoms(&mut |atom| atom.map_terms(map))
    }
}

impl Path {
    /// The terms inside its computed keys and filters.
    pub fn terms(&self) -> Vec<&Term> {
        let mut terms = Vec::new();
        for segment in &self.0 {
            match segment {
                Segment::Computed(term) => terms.push(&**term),
                Segment::Filter(condition) => terms.extend(condition.terms()),
                Segment::Field(_) | Segment::Index(_) | Segment::Every => {}
            }
        }
        terms
    }

    /// The path with each term inside it replaced.
    pub fn map_terms(&self, map: &mut dyn FnMut(&Term) -> Term) -> Path {
        let segments = self.0.iter().map(|segment| match segment {
            Segment::Computed(term) => Segment::Computed(Box::new(map(term))),
            Segment::Filter(condition) => Segment::Filter(condition.map_terms(map)),
            Segment::Field(_) | Segment::Index(_) | Segment::Every => segment.clone(),
        });
        Path(segments.collect())
    }
}

impl Term {
    /// The terms directly under this one: keys, operands, and those inside its
    /// path.
    pub fn inner(&self) -> Vec<&Term> {
        let mut inner = self.inner_outside_path();
        if let Some(path) = self.path() {
            inner.extend(path.terms());
        }
        inner
    }

    fn inner_outside_path(&self) -> Vec<&Term> {
        match self {
            Term::Lookup(lookup) => lookup.keys.iter().map(|key| &key.value).collect(),
            Term::Count(count) | Term::Total(count, _) => {
                count.keys.iter().map(|key| &key.value).collect()
            }
            Term::Apply(_, term) => vec![term],
            Term::Zip(left, right) | Term::Arithmetic(_, left, right) => vec![left, right],
            Term::Arg(_)
            | Term::Result(_)
            | Term::Context(_)
            | Term::Since(_)
            | Term::Gauge(_)
            | Term::Variable(..)
            | Term::Current(_)
            | Term::Constant(_)
            | Term::Duration(_) => Vec::new(),
        }
    }

    /// The terms directly under this one but for those inside filters, which
    /// speak of an element that only the filter knows.
    pub fn inner_outside_filters(&self) -> Vec<&Term> {
        let mut inner = self.inner_outside_path();
        for segment in self
            .path()
            .map(|path| path.0.as_slice())
            .unwrap_or_default()
        {
            if let Segment::Computed(term) = segment {
                inner.push(term);
            }
        }
        inner
    }

    /// The term with each term directly under it replaced.
    pub fn map_inner(&self, map: &mut dyn FnMut(&Term) -> Term) -> Term {
        match self {
            Term::Arg(path) => Term::Arg(path.map_terms(map)),
            Term::Result(path) => Term::Result(path.map_terms(map)),
            Term::Variable(name, path) => Term::Variable(name.clone(), path.map_terms(map)),
            Term::Current(path) => Term::Current(path.map_terms(map)),
            Term::Lookup(lookup) => Term::Lookup(Lookup {
                which: lookup.which,
                tools: lookup.tools.clone(),
                keys: map_keys(&lookup.keys, map),
                path: lookup.path.map_terms(map),
            }),
            Term::Count(count) => Term::Count(Box::new(count.map_terms(map))),
            Term::Total(count, amount) => {
                Term::Total(Box::new(count.map_terms(map)), amount.clone())
            }
            Term::Apply(function, term) => Term::Apply(*function, Box::new(map(term))),
            Term::Zip(left, right) => Term::Zip(Box::new(map(left)), Box::new(map(right))),
            Term::Arithmetic(op, left, right) => {
                Term::Arithmetic(*op, Box::new(map(left)), Box::new(map(right)))
            }
            Term::Context(_)
            | Term::Since(_)
            | Term::Gauge(_)
            | Term::Constant(_)
            | Term::Duration(_) => self.clone(),
        }
    }
}

impl Count {
    fn map_terms(&self, map: &mut dyn FnMut(&Term) -> Term) -> Count {
        Count {
            keys: map_keys(&self.keys, map),
            ..self.clone()
        }
    }
}

fn map_keys(keys: &[Key], map: &mut dyn FnMut(&Term) -> Term) -> Vec<Key> {
    let mapped = keys.iter().map(|key| Key {
        name: key.name.clone(),
        value: map(&key.value),
    });
    mapped.collect()
}
