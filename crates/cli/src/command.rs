//! One module a command; each reads its inputs, calls the passes, renders.

pub mod catalog;
pub mod check;
pub mod compile;
pub mod evaluate;
pub mod explain;
pub mod ltlf;
pub mod preflight;
pub mod samples;
pub mod transcripts;
