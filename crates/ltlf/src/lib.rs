//! Temporal logic on finite traces: syntax, semantics, automata and decision procedures.
//!
//! The logic is LTLf with past. [`formula`] is its syntax, [`parse`](mod@parse) and [`print`](mod@print) its text form over the table of
//! [`operator`]; [`semantics`] is the meaning, straight from the definitions. [`progress`] turns a formula into an automaton
//! state by state, and [`dfa`] into the minimal one, modulo [`axioms`] about which letters can occur.

mod alphabet;
pub mod axioms;
mod bdd;
pub mod decide;
pub mod dfa;
mod expr;
pub mod formula;
mod hash;
pub mod limits;
mod minimize;
pub mod operator;
pub mod parse;
pub mod print;
pub mod progress;
mod row;
pub mod semantics;
mod simplify;

pub use alphabet::Letter;
pub use axioms::Axioms;
pub use decide::{
    Answer, Conjunction, core, equivalent, includes, satisfiable, satisfiable_all, valid,
};
pub use dfa::{Dfa, StateId};
pub use formula::Formula;
pub use limits::{Limits, TooLarge};
pub use parse::{ParseError, parse};
pub use progress::Progression;
