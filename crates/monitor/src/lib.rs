//! The runtime: session state, grounding of predicates, stepping and decisions.
//!
//! Verdict logic exists once, here; replay and the gate are shells over it. A
//! [`Monitor`] is a compiled library, a [`Session`] the state of one
//! conversation under it. There is no I/O and no clock: whatever happens
//! arrives as an event.
//!
//! ```text
//! event ─▶ history (facts, counters, words) ─▶ ground (atoms to true, false, unknown)
//!       ─▶ track (one automaton a contract half) ─▶ session (decision, verdict)
//! ```

pub mod consent;
mod dispatch;
mod ground;
mod history;
mod program;
mod reason;
mod session;
mod track;
mod truth;
mod world;

pub use program::{Monitor, MonitorError};
pub use session::{Decision, Falsified, Pending, Refusal, RefusalKind, Session};
pub use truth::Verdict;
