//! The one pass with a model: policy text to drafts.
//!
//! A policy is cut into clauses and sections; each section is asked about
//! several times; the answers are kept in a samples file; and a draft is what
//! the answers in that file say. Only [`ask()`] talks to a server and only
//! [`SamplesSink`] to the disk: everything else is a pure function, so a policy
//! with recorded answers compiles the same way anywhere, without a model.

mod answer;
mod ask;
mod clauses;
mod client;
mod draft;
mod endpoint;
mod plan;
mod prompt;
mod quote;
mod request;
mod samples;

pub use ask::{AskError, AskReport, Progress, ask};
pub use draft::draft;
pub use endpoint::{Endpoint, EndpointError};
pub use plan::{Plan, PlanError, plan};
pub use request::Request;
pub use samples::pack::{PackError, has_packed_texts, pack, unpack};
pub use samples::sink::SamplesSink;
pub use samples::{SamplesError, SamplesFile};
