//! Recorded transcripts to events; evaluation, preflight and their statistics.
//!
//! Ingestion runs in three steps, each of which knows nothing of the next:
//! [`recordings`] finds files and cuts them into JSON texts, [`mod@format`]
//! recognises what a text is by its shape, and [`session`] turns messages into
//! the events of DESIGN section 2. Verdicts come from `lictor-monitor` alone.

pub mod format;
pub mod recordings;
pub mod run;
pub mod session;
pub mod statistics;

mod json;
mod source;

pub use recordings::{FileReport, ReadError, Recordings};
pub use run::{Format, Label, Name, Oddity, Recorded, Run};
