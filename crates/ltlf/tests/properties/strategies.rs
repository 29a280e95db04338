//! Random formulas, traces and axioms over three atoms.

use std::collections::BTreeSet;

use lictor_ltlf::{Axioms, Formula, semantics};
use proptest::collection::vec;
use proptest::prelude::*;

pub type F = Formula<String>;
pub type Trace = Vec<BTreeSet<String>>;

pub const ATOMS: [&str; 3] = ["a", "b", "c"];

/// All operators, up to four levels.
pub fn formulas() -> impl Strategy<Value = F> {
    grow(4)
}

fn grow(depth: u32) -> BoxedStrategy<F> {
    let leaf = prop_oneof![
        1 => Just(Formula::True),
        1 => Just(Formula::False),
        8 => (0..ATOMS.len()).prop_map(|index| Formula::Atom(ATOMS.get(index).unwrap().to_string())),
    ];
    leaf.prop_recursive(depth, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            8 => (0usize..9, inner.clone()).prop_map(|(operator, f)| unary(operator, f)),
            10 => (0usize..8, two).prop_map(|(operator, (f, g))| binary(operator, f, g)),
            2 => vec(inner.clone(), 2..4).prop_map(Formula::and),
            2 => vec(inner, 2..4).prop_map(Formula::or),
        ]
    })
    .boxed()
}

pub fn unary(operator: usize, f: F) -> F {
    match operator {
        0 => Formula::not(f),
        1 => Formula::next(f),
        2 => Formula::weak_next(f),
        3 => Formula::eventually(f),
        4 => Formula::always(f),
        5 => Formula::yesterday(f),
        6 => Formula::weak_yesterday(f),
        7 => Formula::once(f),
        _ => Formula::historically(f),
    }
}

pub fn binary(operator: usize, f: F, g: F) -> F {
    match operator {
        0 => Formula::implies(f, g),
        1 => Formula::iff(f, g),
        2 => Formula::until(f, g),
        3 => Formula::release(f, g),
        4 => Formula::weak_until(f, g),
        5 => Formula::strong_release(f, g),
        6 => Formula::since(f, g),
        _ => Formula::triggered(f, g),
    }
}

/// The letter whose bit `i` says whether atom `i` is true.
pub fn letter(bits: usize) -> BTreeSet<String> {
    ATOMS
        .iter()
        .enumerate()
        .filter(|(index, _)| bits >> index & 1 == 1)
        .map(|(_, atom)| atom.to_string())
        .collect()
}

pub fn traces() -> impl Strategy<Value = Trace> {
    vec((0usize..8).prop_map(letter), 0..7)
}

/// Propositional formulas, a group of at most one and a group of exactly one, each in half of the cases.
pub fn axioms() -> impl Strategy<Value = Axioms<String>> {
    let atom =
        (0..ATOMS.len()).prop_map(|index| Formula::Atom(ATOMS.get(index).unwrap().to_string()));
    let propositional = atom.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(Formula::not),
            (inner.clone(), inner.clone()).prop_map(|(f, g)| Formula::implies(f, g)),
            (inner.clone(), inner).prop_map(|(f, g)| Formula::or([f, g])),
        ]
    });
    (vec(propositional, 0..3), any::<bool>(), any::<bool>()).prop_map(|(all, some, exactly)| {
        let mut axioms = Axioms::none();
        for formula in all {
            axioms.require(formula).unwrap();
        }
        if some {
            axioms.at_most_one(["a", "b", "d"].map(String::from));
        }
        if exactly {
            axioms.exactly_one(["b", "c", "d", "e"].map(String::from));
        }
        axioms
    })
}

/// The letters over the three atoms that some choice of `d` and `e` completes to an allowed one.
pub fn allowed_letters(axioms: &Axioms<String>) -> Vec<BTreeSet<String>> {
    (0..8)
        .map(letter)
        .filter(|letter| {
            (0..4).any(|extra| {
                let mut full = letter.clone();
                full.extend((extra & 1 == 1).then(|| "d".to_owned()));
                full.extend((extra & 2 == 2).then(|| "e".to_owned()));
                axioms.allow(&full)
            })
        })
        .collect()
}

pub fn holds(formula: &F, trace: &Trace) -> bool {
    semantics::holds(formula, trace, |letter, atom| letter.contains(atom))
}
