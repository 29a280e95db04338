//! Recorded transcripts to events; evaluation, preflight and their statistics.
//!
//! Ingestion runs in three steps, each of which knows nothing of the next:
//! [`recordings`] finds files and cuts them into JSON texts, `format` recognises
//! what a text is by its shape, and `session` turns messages into the events of
//! DESIGN section 2. [`mod@replay`] takes a run through a library, and the two
//! reports read what it gives. Verdicts come from `lictor-monitor` alone.

pub mod evaluate;
pub mod expectation;
pub mod infer;
pub mod preflight;
pub mod recordings;
pub mod replay;
pub mod run;
pub mod statistics;

mod format;
mod json;
mod learn;
mod session;
mod source;

pub use learn::learn_results;
pub use recordings::{FileReport, ReadError, Recordings};
pub use replay::Mode;
pub use run::{Format, Label, Name, Oddity, Recorded, Run};

#[cfg(test)]
mod specimen;
