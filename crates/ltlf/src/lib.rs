//! Temporal logic on finite traces: syntax, semantics, automata and decision procedures.
//!
//! The logic is LTLf with past. [`formula`] is its syntax, [`parse`](mod@parse) and [`print`] its text form over the table of
//! [`operator`]; [`semantics`] is the meaning, straight from the definitions.

pub mod formula;
pub mod limits;
pub mod operator;
pub mod parse;
pub mod print;
pub mod semantics;

pub use formula::Formula;
pub use limits::{Limits, TooLarge};
pub use parse::{ParseError, parse};
