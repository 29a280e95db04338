//! Laws that hold of random formulas and traces, with the direct semantics as the judge.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that fails"
)]

mod automata;
mod decisions;
mod rewriting;
mod strategies;
