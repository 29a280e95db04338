//! What will be asked about a policy: its sections and the requests for them.

use crate::clauses::{Cut, cut};
use crate::prompt::{Message, messages};
use crate::request::{Body, Request};
use crate::samples::SamplesFile;
use lictor_contract::catalog::Catalog;
use lictor_contract::draft::{Clause, Section};
use lictor_contract::source::Source;

/// Everything that is asked about a policy.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) policy: Source,
    pub(crate) cut: Cut,
    pub(crate) samples: usize,
    /// The messages of each section.
    messages: Vec<[Message; 2]>,
    requests: Vec<Request>,
}

/// Why nothing can be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The policy has no text to make rules of.
    #[error(
        "the policy `{0}` has no clauses; give a text or Markdown file with at least one sentence"
    )]
    NoClauses(String),
    /// Nobody is asked.
    #[error("the number of samples is 0; ask for at least one")]
    NoSamples,
    /// A prompt could not be written; a mistake in Lictor itself.
    #[error("a prompt could not be written: {0}")]
    Prompt(String),
}

/// Plans the requests for a policy: one for each section and sample.
///
/// # Errors
/// [`PlanError`] says why nothing can be asked.
pub fn plan(policy: &Source, catalog: &Catalog, samples: usize) -> Result<Plan, PlanError> {
    if samples == 0 {
        return Err(PlanError::NoSamples);
    }
    let cut = cut(policy);
    if cut.clauses.is_empty() {
        return Err(PlanError::NoClauses(policy.name().to_owned()));
    }
    let messages =
        messages(policy, catalog, &cut).map_err(|error| PlanError::Prompt(error.to_string()))?;
    let mut requests = Vec::new();
    for (section, messages) in messages.iter().enumerate() {
        for sample in 0..samples {
            let custom_id = Body::new(None, messages, sample)
                .and_then(|body| body.custom_id())
                .map_err(|error| PlanError::Prompt(error.to_string()))?;
            requests.push(Request {
                section,
                sample,
                custom_id,
            });
        }
    }
    Ok(Plan {
        policy: policy.clone(),
        cut,
        samples,
        messages,
        requests,
    })
}

impl Plan {
    /// The sections, in order.
    pub fn sections(&self) -> &[Section] {
        &self.cut.sections
    }

    /// The clauses, in order.
    pub fn clauses(&self) -> &[Clause] {
        &self.cut.clauses
    }

    /// The requests, in order of section and sample.
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// The requests that have no good answer yet, in order.
    pub fn missing(&self, samples: &SamplesFile) -> Vec<&Request> {
        self.requests
            .iter()
            .filter(|request| !samples.is_answered(&request.custom_id))
            .collect()
    }

    /// A batch input file with the requests that have no good answer yet. It
    /// names no model, since whoever answers them chooses one.
    pub fn write_requests(&self, samples: &SamplesFile) -> String {
        self.write_requests_for(samples, None)
    }

    /// The same for a batch endpoint that wants the model named in each line.
    pub fn write_requests_for(&self, samples: &SamplesFile, model: Option<&str>) -> String {
        let mut out = String::new();
        for request in self.missing(samples) {
            let line = self
                .body(request, model)
                .and_then(|body| body.batch_line(&request.custom_id).ok());
            if let Some(line) = line {
                out.push_str(&line);
                out.push('\n');
            }
        }
        out
    }

    /// The body of a request of this plan.
    pub(crate) fn body<'a>(
        &'a self,
        request: &Request,
        model: Option<&'a str>,
    ) -> Option<Body<'a>> {
        let messages = self.messages.get(request.section)?;
        Body::new(model, messages, request.sample).ok()
    }
}
