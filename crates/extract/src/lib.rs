//! The one pass with a model: policy text to drafts.
//!
//! A policy is cut into clauses and sections; each section is asked about
//! several times; the answers are kept in a samples file; and a draft is what
//! the answers in that file say. Only `client` talks to a server: everything
//! else is a pure function, so a policy with recorded answers compiles the same
//! way anywhere, without a model.

mod answer;
mod clauses;
mod draft;
mod plan;
mod prompt;
mod quote;
mod request;
mod samples;

pub use draft::draft;
pub use plan::{Plan, PlanError, plan};
pub use request::Request;
pub use samples::SamplesFile;
pub use samples::pack::{Repacked, UnpackError, pack, unpack};
