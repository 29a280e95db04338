//! What an atom reads of a call's arguments, also inside quantifiers and filters,
//! where an element of an argument has a name of its own.
//!
//! `any(arg.items as x, x.price < 10)` reads `arg.items` and, of each of its
//! elements, `price`: the path `arg.items[*].price`.

use crate::occurrence::{occurrences, signed};
use lictor_contract::predicate::{Atom, Condition, Path, Segment, Term};
use std::collections::BTreeSet;

/// One place at which an atom reads an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The path from the arguments, with `[*]` for an element that has a name.
    pub path: Path,
    /// Terms that have a value where it is read, as far as the atom itself asks.
    pub known: BTreeSet<Term>,
    /// Whether the atom only asks whether there is a value.
    pub asked: bool,
}

/// Everything that an atom reads of the arguments. What a `sum` adds up is read
/// from other calls and is no part of it.
pub fn reads(atom: &Atom) -> Vec<Read> {
    let mut reader = Reader::default();
    reader.atom(atom);
    reader.found
}

/// The terms whose value an atom needs before it can be true or false: not those
/// of a condition on elements, as there may be none.
pub fn needed_terms(atom: &Atom) -> Vec<&Term> {
    let mut needed = Vec::new();
    let mut open: Vec<&Term> = match atom {
        Atom::Quantified(_, list, _, _) => vec![list],
        other => other.terms(),
    };
    while let Some(term) = open.pop() {
        needed.push(term);
        match term {
            Term::Lookup(lookup) => open.extend(lookup.keys.iter().map(|key| &key.value)),
            Term::Count(count) | Term::Total(count, _) => {
                open.extend(count.keys.iter().map(|key| &key.value));
            }
            Term::Apply(_, inner) => open.push(inner),
            Term::Zip(left, right) | Term::Arithmetic(_, left, right) => {
                open.extend([&**left, &**right]);
            }
            _ => {}
        }
        let segments = term.path().map(|path| path.0.as_slice());
        open.extend(segments.unwrap_or_default().iter().filter_map(key_of));
    }
    needed
}

fn key_of(segment: &Segment) -> Option<&Term> {
    match segment {
        Segment::Computed(key) => Some(key),
        _ => None,
    }
}

/// Whether a path selects elements one by one, so that what it leads to is each
/// of them. A position right behind a filter takes one of what it keeps.
pub fn selects_elements(path: &Path) -> bool {
    let behind = path.0.iter().skip(1).map(Some).chain([None]);
    path.0
        .iter()
        .zip(behind)
        .any(|(segment, behind)| match segment {
            Segment::Every => true,
            Segment::Filter(_) => !matches!(behind, Some(Segment::Index(_))),
            _ => false,
        })
}

#[derive(Default)]
struct Reader<'a> {
    found: Vec<Read>,
    known: BTreeSet<Term>,
    asked: bool,
    /// The paths of the elements that quantifiers have named; none for elements
    /// of something else than an argument.
    variables: Vec<(&'a str, Option<Path>)>,
    /// The same for the `@` of filters.
    elements: Vec<Option<Path>>,
}

impl<'a> Reader<'a> {
    fn atom(&mut self, atom: &'a Atom) {
        match atom {
            Atom::Quantified(_, list, name, condition) => {
                self.term(list);
                let mut element = self.path(list);
                let is_list = !list.path().is_some_and(selects_elements);
                if let Some(path) = element.as_mut().filter(|_| is_list) {
                    path.0.push(Segment::Every);
                }
                self.variables.push((name, element));
                self.condition(condition);
                self.variables.pop();
            }
            Atom::Known(term) => {
                let before = std::mem::replace(&mut self.asked, true);
                self.term(term);
                self.asked = before;
            }
            other => other.terms().into_iter().for_each(|term| self.term(term)),
        }
    }

    /// The atoms of a condition, each with what is known beside it. A condition
    /// that cannot be put in negation normal form is read without.
    fn condition(&mut self, condition: &'a Condition) {
        let atoms = condition.formula().atoms();
        let Ok(signed) = signed(condition.formula()) else {
            atoms.into_iter().for_each(|atom| self.atom(atom));
            return;
        };
        let occurrences = occurrences(&signed);
        for atom in atoms {
            // An atom that stands at several places is guarded only if each is.
            let mut guards = occurrences
                .iter()
                .filter(|occurrence| occurrence.sign.atom == *atom)
                .map(|occurrence| &occurrence.context.known);
            let first = guards.next().cloned().unwrap_or_default();
            let everywhere = guards.fold(first, |all, other| {
                all.intersection(other).cloned().collect()
            });
            let before = self.known.clone();
            self.known.extend(everywhere);
            self.atom(atom);
            self.known = before;
        }
    }

    fn term(&mut self, term: &'a Term) {
        if let Some(path) = self.path(term) {
            self.found.push(Read {
                path,
                known: self.known.clone(),
                asked: self.asked,
            });
        }
        match term {
            Term::Lookup(lookup) => lookup.keys.iter().for_each(|key| self.term(&key.value)),
            Term::Count(count) | Term::Total(count, _) => {
                count.keys.iter().for_each(|key| self.term(&key.value));
            }
            Term::Apply(_, inner) => self.term(inner),
            Term::Zip(left, right) | Term::Arithmetic(_, left, right) => {
                self.term(left);
                self.term(right);
            }
            _ => {}
        }
        let base = self.path(term);
        let inside = term
            .path()
            .map(|path| path.0.as_slice())
            .unwrap_or_default();
        let before = base.as_ref().map_or(0, |base| base.0.len() - inside.len());
        for (index, segment) in inside.iter().enumerate() {
            match segment {
                Segment::Computed(key) => self.term(key),
                Segment::Filter(condition) => {
                    let element = base.as_ref().map(|base| {
                        let mut path = Path(base.0.iter().take(before + index).cloned().collect());
                        path.0.push(Segment::Every);
                        path
                    });
                    self.elements.push(element);
                    self.condition(condition);
                    self.elements.pop();
                }
                Segment::Field(_) | Segment::Index(_) | Segment::Every => {}
            }
        }
    }

    /// The path from the arguments that a term reads, if it reads one.
    fn path(&self, term: &Term) -> Option<Path> {
        let (base, path) = match term {
            Term::Arg(path) => return Some(path.clone()),
            Term::Variable(name, path) => {
                let mut named = self.variables.iter().rev();
                let (_, base) = named.find(|(known, _)| known == name)?;
                (base, path)
            }
            Term::Current(path) => (self.elements.last()?, path),
            _ => return None,
        };
        let mut whole = base.clone()?;
        whole.0.extend(path.0.iter().cloned());
        Some(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lictor_contract::language::{Mode, parse_formula};
    use lictor_contract::predicate::Formula;

    fn atom(text: &str) -> Atom {
        match parse_formula(text, Mode::Strict).unwrap().value {
            Formula::Atom(atom) => atom,
            other => panic!("{other:?} is no atom"),
        }
    }

    /// Each read as its path, `?` if it is only asked for, and what is known.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let shown: Vec<String> = reads(&atom(text))
            .iter()
            .map(|read| {
                let known: Vec<String> = read.known.iter().map(Term::to_string).collect();
                let path = Term::Arg(read.path.clone());
                let asked = if read.asked { "?" } else { "" };
                format!("{path}{asked} {}", known.join(" "))
                    .trim_end()
                    .to_owned()
            })
            .collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn elements_are_written_out() {
        check("arg.a == arg.b.c", &["arg.a", "arg.b.c"]);
        check(
            "any(arg.a as x, x.b == arg.c)",
            &["arg.a", "arg.a[*].b", "arg.c"],
        );
        check(
            "all(arg.a as x, any(x.b as y, y == x.c))",
            &["arg.a", "arg.a[*].b", "arg.a[*].b[*]", "arg.a[*].c"],
        );
        check(
            "any(arg.a[*].b as x, x == 1)",
            &["arg.a[*].b", "arg.a[*].b"],
        );
        check(
            "any(last(t, k = arg.k).a as x, x.b == arg.c)",
            &["arg.k", "arg.c"],
        );
        check(
            "arg.a[?@.b == arg.c].d == 1",
            &["arg.a[?@.b == arg.c].d", "arg.a[*].b", "arg.c"],
        );
        check(
            "any(arg.a as x, x.b[?@.c == 1] == [])",
            &["arg.a", "arg.a[*].b[?@.c == 1]", "arg.a[*].b[*].c"],
        );
        check("last(t)[arg.k].x == 1", &["arg.k"]);
        check(
            "sum(ok(t), arg.amount, k = arg.k) < len(arg.a)",
            &["arg.k", "arg.a"],
        );
    }

    #[test]
    fn guards_inside_a_condition_count_where_they_stand() {
        check(
            "any(arg.a as x, known(arg.b) & arg.b == x)",
            &["arg.a", "arg.b arg.b", "arg.a[*] arg.b", "arg.b? arg.b"],
        );
        check(
            "all(arg.a as x, known(arg.b) -> arg.b == x.c)",
            &["arg.a", "arg.b arg.b", "arg.a[*].c arg.b", "arg.b? arg.b"],
        );
        check(
            "any(arg.a as x, known(arg.b) & arg.b == 1 | arg.b == 1)",
            &["arg.a", "arg.b", "arg.b? arg.b"],
        );
        check("known(last(t, k = arg.k).x)", &["arg.k?"]);
    }

    #[test]
    fn a_condition_on_elements_needs_nothing() {
        let needed = |text: &str| -> Vec<String> {
            let atom = atom(text);
            let mut all: Vec<String> = needed_terms(&atom)
                .iter()
                .map(|it| it.to_string())
                .collect();
            all.sort();
            all
        };
        assert_eq!(needed("any(arg.a as x, last(t).y == x)"), ["arg.a"]);
        assert_eq!(
            needed("len(last(t, k = arg.b)[arg.c][?@.d == last(u).e]) > 1"),
            [
                "1",
                "arg.b",
                "arg.c",
                "last(t, k = arg.b)[arg.c][?@.d == last(u).e]",
                "len(last(t, k = arg.b)[arg.c][?@.d == last(u).e])"
            ]
        );
    }
}
