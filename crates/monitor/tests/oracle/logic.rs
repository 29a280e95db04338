//! Strong reading, stepping and 'can it still be met', straight from the definitions.
//!
//! A formula is brought to negation normal form over literals (atom, polarity). What is still
//! owed after a letter is kept as alternatives of sets of obligations, each an obligation on the
//! rest of the trace; formulas about the past are single bits that every letter updates. Whether
//! something owed can be met is a search through all letters there can be.

use super::letters::Letters;
use lictor_contract::predicate::{Atom, CompareOp, Formula, Term};
use lictor_contract::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of an atom at an event. `Reserved`: only calls in flight make the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum T3 {
    True,
    False,
    Unknown,
    Reserved,
}

impl T3 {
    pub fn of(known: Option<bool>) -> T3 {
        match known {
            Some(true) => T3::True,
            Some(false) => T3::False,
            None => T3::Unknown,
        }
    }

    pub fn not(self) -> T3 {
        match self {
            T3::True => T3::False,
            T3::False => T3::True,
            other => other,
        }
    }

    /// A reservation keeps a conjunction from holding, whatever the unknown is.
    pub fn and(self, other: T3) -> T3 {
        let either = |it| self == it || other == it;
        match () {
            () if either(T3::False) => T3::False,
            () if either(T3::Reserved) => T3::Reserved,
            () if either(T3::Unknown) => T3::Unknown,
            () => T3::True,
        }
    }

    /// What is unknown may make a disjunction hold, whatever is reserved.
    pub fn or(self, other: T3) -> T3 {
        let either = |it| self == it || other == it;
        match () {
            () if either(T3::True) => T3::True,
            () if either(T3::Unknown) => T3::Unknown,
            () if either(T3::Reserved) => T3::Reserved,
            () => T3::False,
        }
    }
}

/// The truth of every atom of one formula at one event.
pub type Letter = Vec<T3>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owed {
    Constant(bool),
    Literal(usize, bool),
    And(Vec<Owed>),
    Or(Vec<Owed>),
    Next(Box<Owed>),
    WeakNext(Box<Owed>),
    Until(Box<Owed>, Box<Owed>),
    Release(Box<Owed>, Box<Owed>),
    Past(usize),
}

#[derive(Debug)]
enum Past {
    Since(Owed, Owed),
    Triggered(Owed, Owed),
    /// `Y`, and `WY` if set.
    Before(Owed, bool),
}

/// Alternatives of obligations that all have to be met.
type Rest = BTreeSet<BTreeSet<Owed>>;

/// Where a formula stands after some events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    rest: Rest,
    past: Vec<bool>,
}

/// A formula ready to be stepped.
#[derive(Debug)]
pub struct Logic {
    pub atoms: Vec<Atom>,
    start: State,
    past: Vec<Past>,
    letters: Letters,
}

fn truth(value: bool) -> Rest {
    if value {
        BTreeSet::from([BTreeSet::new()])
    } else {
        BTreeSet::new()
    }
}

fn either(a: Rest, b: Rest) -> Rest {
    let all: Rest = a.into_iter().chain(b).collect();
    let weaker =
        |one: &BTreeSet<Owed>| all.iter().any(|other| other != one && other.is_subset(one));
    all.iter().filter(|one| !weaker(one)).cloned().collect()
}

fn both(a: &Rest, b: &Rest) -> Rest {
    let mut all = Rest::new();
    for one in a {
        for other in b {
            all.insert(one.union(other).cloned().collect());
        }
    }
    either(all, Rest::new())
}

fn owes(owed: Owed) -> Rest {
    BTreeSet::from([BTreeSet::from([owed])])
}

fn pair(make: fn(Box<Owed>, Box<Owed>) -> Owed, a: Owed, b: Owed) -> Owed {
    make(Box::new(a), Box::new(b))
}

/// `in` a list of constants is a disjunction of equalities.
fn spelt_out(formula: &Formula) -> Formula {
    formula.substitute(&mut |atom: &Atom| match atom {
        Atom::In(term, Term::Constant(Value::List(values))) => Formula::Or(
            values
                .iter()
                .map(|value| {
                    Formula::Atom(Atom::Compare(
                        CompareOp::Equal,
                        term.clone(),
                        Term::Constant(value.clone()),
                    ))
                })
                .collect(),
        ),
        _ => Formula::Atom(atom.clone()),
    })
}

struct Reader {
    atoms: Vec<Atom>,
    past: Vec<Past>,
}

impl Reader {
    fn before(&mut self, past: Past) -> Owed {
        self.past.push(past);
        Owed::Past(self.past.len() - 1)
    }

    fn read(&mut self, formula: &Formula, positive: bool) -> Owed {
        let top = Owed::Constant(true);
        let bottom = Owed::Constant(false);
        let all = |reader: &mut Self, parts: &[Formula]| -> Vec<Owed> {
            parts
                .iter()
                .map(|part| reader.read(part, positive))
                .collect()
        };
        let release = |a, b| pair(Owed::Release, a, b);
        let until = |a, b| pair(Owed::Until, a, b);
        match formula {
            Formula::True => Owed::Constant(positive),
            Formula::False => Owed::Constant(!positive),
            Formula::Atom(atom) => {
                let known = self.atoms.iter().position(|other| other == atom);
                let index = known.unwrap_or_else(|| {
                    self.atoms.push(atom.clone());
                    self.atoms.len() - 1
                });
                Owed::Literal(index, positive)
            }
            Formula::Not(f) => self.read(f, !positive),
            Formula::And(parts) if positive => Owed::And(all(self, parts)),
            Formula::And(parts) => Owed::Or(all(self, parts)),
            Formula::Or(parts) if positive => Owed::Or(all(self, parts)),
            Formula::Or(parts) => Owed::And(all(self, parts)),
            Formula::Implies(f, g) => {
                let parts = vec![self.read(f, !positive), self.read(g, positive)];
                if positive {
                    Owed::Or(parts)
                } else {
                    Owed::And(parts)
                }
            }
            Formula::Iff(f, g) => Owed::Or(vec![
                Owed::And(vec![self.read(f, true), self.read(g, positive)]),
                Owed::And(vec![self.read(f, false), self.read(g, !positive)]),
            ]),
            Formula::Next(f) if positive => Owed::Next(Box::new(self.read(f, true))),
            Formula::Next(f) => Owed::WeakNext(Box::new(self.read(f, false))),
            Formula::WeakNext(f) if positive => Owed::WeakNext(Box::new(self.read(f, true))),
            Formula::WeakNext(f) => Owed::Next(Box::new(self.read(f, false))),
            Formula::Eventually(f) if positive => until(top, self.read(f, true)),
            Formula::Eventually(f) => release(bottom, self.read(f, false)),
            Formula::Always(f) if positive => release(bottom, self.read(f, true)),
            Formula::Always(f) => until(top, self.read(f, false)),
            Formula::Until(f, g) if positive => until(self.read(f, true), self.read(g, true)),
            Formula::Until(f, g) => release(self.read(f, false), self.read(g, false)),
            Formula::Release(f, g) if positive => release(self.read(f, true), self.read(g, true)),
            Formula::Release(f, g) => until(self.read(f, false), self.read(g, false)),
            Formula::WeakUntil(f, g) => {
                let either = Formula::Or(vec![(**f).clone(), (**g).clone()]);
                self.read(&Formula::Release(g.clone(), Box::new(either)), positive)
            }
            Formula::StrongRelease(f, g) => {
                let both = Formula::And(vec![(**f).clone(), (**g).clone()]);
                self.read(&Formula::Until(g.clone(), Box::new(both)), positive)
            }
            Formula::Yesterday(f) => {
                let f = self.read(f, positive);
                self.before(Past::Before(f, !positive))
            }
            Formula::WeakYesterday(f) => {
                let f = self.read(f, positive);
                self.before(Past::Before(f, positive))
            }
            Formula::Once(f) => self.read(
                &Formula::Since(Box::new(Formula::True), f.clone()),
                positive,
            ),
            Formula::Historically(f) => self.read(
                &Formula::Triggered(Box::new(Formula::False), f.clone()),
                positive,
            ),
            Formula::Since(f, g) | Formula::Triggered(f, g) => {
                let since = matches!(formula, Formula::Since(..)) == positive;
                let (f, g) = (self.read(f, positive), self.read(g, positive));
                self.before(if since {
                    Past::Since(f, g)
                } else {
                    Past::Triggered(f, g)
                })
            }
        }
    }
}

fn now(owed: &Owed, letter: &Letter, past: &[bool]) -> bool {
    match owed {
        Owed::Constant(value) => *value,
        Owed::Literal(atom, true) => letter[*atom] == T3::True,
        Owed::Literal(atom, false) => letter[*atom] == T3::False,
        Owed::And(parts) => parts.iter().all(|part| now(part, letter, past)),
        Owed::Or(parts) => parts.iter().any(|part| now(part, letter, past)),
        Owed::Past(index) => past[*index],
        Owed::Next(_) | Owed::WeakNext(_) | Owed::Until(..) | Owed::Release(..) => {
            panic!("the oracle reads no future inside the past")
        }
    }
}

fn on_empty(owed: &Owed) -> bool {
    match owed {
        Owed::Constant(value) => *value,
        Owed::Literal(..) => false,
        Owed::Past(_) => false,
        Owed::And(parts) => parts.iter().all(on_empty),
        Owed::Or(parts) => parts.iter().any(on_empty),
        Owed::Next(_) | Owed::Until(..) => false,
        Owed::WeakNext(_) | Owed::Release(..) => true,
    }
}

fn after(owed: &Owed, letter: &Letter, past: &[bool]) -> Rest {
    let some_event = || pair(Owed::Until, Owed::Constant(true), Owed::Constant(true));
    let no_event = || pair(Owed::Release, Owed::Constant(false), Owed::Constant(false));
    match owed {
        Owed::Constant(_) | Owed::Literal(..) | Owed::Past(_) => truth(now(owed, letter, past)),
        Owed::And(parts) => parts.iter().fold(truth(true), |rest, part| {
            both(&rest, &after(part, letter, past))
        }),
        Owed::Or(parts) => parts.iter().fold(truth(false), |rest, part| {
            either(rest, after(part, letter, past))
        }),
        Owed::Next(f) => both(&owes((**f).clone()), &owes(some_event())),
        Owed::WeakNext(f) => either(owes((**f).clone()), owes(no_event())),
        Owed::Until(f, g) => either(
            after(g, letter, past),
            both(&after(f, letter, past), &owes(owed.clone())),
        ),
        Owed::Release(f, g) => both(
            &after(g, letter, past),
            &either(after(f, letter, past), owes(owed.clone())),
        ),
    }
}

impl Logic {
    /// None where there are too many letters to go through.
    pub fn new(formula: &Formula) -> Option<Logic> {
        let mut reader = Reader {
            atoms: Vec::new(),
            past: Vec::new(),
        };
        let owed = reader.read(&spelt_out(formula), true);
        let past = reader.past.iter().map(|past| match past {
            Past::Since(..) => false,
            Past::Triggered(..) => true,
            Past::Before(_, weak) => *weak,
        });
        Some(Logic {
            start: State {
                rest: owes(owed),
                past: past.collect(),
            },
            letters: Letters::of(&reader.atoms)?,
            atoms: reader.atoms,
            past: reader.past,
        })
    }

    /// The letter with each unknown atom true, false or left unknown.
    pub fn assignments(&self, letter: &Letter) -> Vec<Letter> {
        self.letters.assignments(letter)
    }

    pub fn start(&self) -> State {
        self.start.clone()
    }

    pub fn step(&self, state: &State, letter: &Letter) -> State {
        let mut past = state.past.clone();
        let mut kept = state.past.clone();
        for (index, formula) in self.past.iter().enumerate() {
            match formula {
                Past::Since(f, g) => {
                    past[index] = now(g, letter, &past) || now(f, letter, &past) && past[index];
                    kept[index] = past[index];
                }
                Past::Triggered(f, g) => {
                    past[index] = now(g, letter, &past) && (now(f, letter, &past) || past[index]);
                    kept[index] = past[index];
                }
                Past::Before(f, _) => kept[index] = now(f, letter, &past),
            }
        }
        let rest = state.rest.iter().fold(truth(false), |rest, alternative| {
            let next = alternative.iter().fold(truth(true), |rest, owed| {
                both(&rest, &after(owed, letter, &past))
            });
            either(rest, next)
        });
        State { rest, past: kept }
    }

    pub fn accepts(state: &State) -> bool {
        state
            .rest
            .iter()
            .any(|alternative| alternative.iter().all(on_empty))
    }

    /// Whether no event that it does not name moves it, wherever it stands.
    pub fn idles(&self) -> bool {
        let silent = |letter: &&Letter| {
            let mut each = self.atoms.iter().zip(letter.iter());
            each.all(|(atom, truth)| !matches!(atom, Atom::Event(_)) || *truth == T3::False)
        };
        let silent: Vec<&Letter> = self.letters.all.iter().filter(silent).collect();
        let moves = |state: &State| {
            let mut each = silent.iter();
            each.any(|letter| self.step(state, letter) != *state)
        };
        !self.reaches(&self.start, moves)
    }

    /// Whether some state that can be reached answers the question.
    fn reaches(&self, from: &State, question: impl Fn(&State) -> bool) -> bool {
        let mut seen = BTreeSet::from([from.clone()]);
        let mut open = vec![from.clone()];
        while let Some(state) = open.pop() {
            if question(&state) {
                return true;
            }
            for letter in &self.letters.all {
                let next = self.step(&state, letter);
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        false
    }

    /// Whether no continuation meets the formula.
    pub fn is_lost(&self, state: &State, memory: &mut Memory) -> bool {
        *memory
            .lost
            .entry(state.clone())
            .or_insert_with(|| !self.reaches(state, Logic::accepts))
    }

    /// Whether every continuation meets the formula.
    pub fn is_won(&self, state: &State, memory: &mut Memory) -> bool {
        *memory
            .won
            .entry(state.clone())
            .or_insert_with(|| !self.reaches(state, |state| !Logic::accepts(state)))
    }
}

/// Answers that were searched for before.
#[derive(Debug, Default)]
pub struct Memory {
    lost: BTreeMap<State, bool>,
    won: BTreeMap<State, bool>,
}
