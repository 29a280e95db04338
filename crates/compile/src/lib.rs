//! Resolve, verify and vote: pure passes from drafts and a catalog to a verified library.
//!
//! [`compile`] takes what extraction learned about a policy; [`check`] takes a
//! rule file that people wrote. Both resolve and verify alike; a draft is voted
//! on, a rule file is taken at its word. Stages are types: only the verify pass
//! makes a `Verified`, and only sealing a set of them makes a library.

mod check;
mod compile;
mod coverage;
mod described;
mod domain;
mod finding;
mod instances;
mod meaning;
mod names;
mod occurrence;
mod part;
mod reads;
pub mod report;
mod resolve;
mod schema;
mod seal;
mod supply;
mod unbind;
mod verify;
mod vote;

pub use check::{Checked, check};
pub use compile::{Compiled, Options, compile};
pub use report::CompileReport;
pub use unbind::{UnbindError, unbind};
pub use verify::checks;
pub use vote::Majority;
