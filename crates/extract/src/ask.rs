//! Asking a model everything that has no good answer yet.
//!
//! Requests run side by side; each answer, good or failed, is written down as
//! it arrives. What would fail for every request ends the run at once, so a
//! wrong key or a dead server costs seconds and not one round for each sample.

use crate::client::{Failure, Server};
use crate::endpoint::Endpoint;
use crate::plan::Plan;
use crate::request::Request;
use crate::samples::sink::{AnswerLine, Failure as Written, Response, SamplesSink};
use serde_json::Value as Json;
use serde_json::value::RawValue;
use tokio::task::JoinSet;

/// So many requests in a row that a server does not answer end the run.
const PATIENCE: usize = 3;

/// How far a run has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Requests with an answer or a failure.
    pub done: usize,
    /// Requests of this run.
    pub total: usize,
    /// The request that was answered last; none at the start.
    pub last: Option<Request>,
    /// Why it failed; none if it did not.
    pub failure: Option<String>,
}

/// What a run brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskReport {
    /// Requests that were asked.
    pub asked: usize,
    /// Good answers among them.
    pub answered: usize,
    /// The others, with the reason.
    pub failed: Vec<(Request, String)>,
}

/// Why a run ended before all was asked. What was answered is written down.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// Nobody listens.
    #[error(
        "the server {server} cannot be reached: {reason}; check OPENAI_BASE_URL and the network"
    )]
    Unreachable {
        /// The server.
        server: String,
        /// What the system says.
        reason: String,
    },
    /// Wrong key, unknown model, no credit.
    #[error("{reason}; check OPENAI_API_KEY, OPENAI_BASE_URL and the model `{model}`")]
    Refused {
        /// What the server says.
        reason: String,
        /// The model that was asked for.
        model: String,
    },
    /// The server is there and answers nothing.
    #[error(
        "the server {server} gives no answer: {reason}; check OPENAI_BASE_URL, or try again later"
    )]
    Unavailable {
        /// The server.
        server: String,
        /// What it says.
        reason: String,
    },
    /// An answer could not be kept.
    #[error("an answer could not be written to the samples file: {0}")]
    Write(#[from] std::io::Error),
    /// No client could be made; a mistake in Lictor or its surroundings.
    #[error("no HTTP client could be made: {0}")]
    Client(String),
}

/// Asks every request of the plan that has no good answer in the sink, writes
/// the answers there, and tells `on_progress` of each.
///
/// # Errors
/// [`AskError`] says what ended the run early.
pub async fn ask(
    plan: &Plan,
    sink: &mut SamplesSink,
    endpoint: &Endpoint,
    on_progress: &dyn Fn(Progress),
) -> Result<AskReport, AskError> {
    let server = Server::new(endpoint).map_err(AskError::Client)?;
    let mut open = Vec::new();
    for request in plan.missing(sink.samples()) {
        let body = plan
            .body(request, Some(&endpoint.model))
            .map(|body| serde_json::value::to_raw_value(&body));
        if let Some(Ok(body)) = body {
            open.push((request.clone(), body));
        }
    }
    let mut run = Run {
        endpoint,
        total: open.len(),
        on_progress,
        report: AskReport::default(),
        unanswered: 0,
    };
    run.tell(None, None);
    // Dropping the set, also on an early return, stops what still runs.
    let mut tasks = JoinSet::new();
    let mut open = open.into_iter();
    for (request, body) in open.by_ref().take(endpoint.parallel) {
        tasks.spawn(one(server.clone(), request, body));
    }
    while let Some(joined) = tasks.join_next().await {
        let (request, outcome) = joined.map_err(|error| AskError::Client(error.to_string()))?;
        run.take(sink, request, outcome)?;
        if let Some((request, body)) = open.next() {
            tasks.spawn(one(server.clone(), request, body));
        }
    }
    Ok(run.report)
}

async fn one(
    server: Server,
    request: Request,
    body: Box<RawValue>,
) -> (Request, Result<Json, Failure>) {
    let outcome = server.ask(&body).await;
    (request, outcome)
}

struct Run<'a> {
    endpoint: &'a Endpoint,
    total: usize,
    on_progress: &'a dyn Fn(Progress),
    report: AskReport,
    /// Requests in a row that the server did not answer.
    unanswered: usize,
}

impl Run<'_> {
    /// Writes an outcome down and decides whether the run goes on.
    fn take(
        &mut self,
        sink: &mut SamplesSink,
        request: Request,
        outcome: Result<Json, Failure>,
    ) -> Result<(), AskError> {
        let server = self.endpoint.server.clone();
        let failed = |code: &str, message: String| {
            (
                None,
                Some(Written {
                    code: code.to_owned(),
                    message,
                }),
            )
        };
        let is_down = matches!(outcome, Err(Failure::Unavailable(_)));
        let (response, error) = match outcome {
            Ok(body) => {
                let response = Response {
                    status_code: 200,
                    request_id: String::new(),
                    body,
                };
                (Some(response), None)
            }
            Err(Failure::Unreachable(reason)) => {
                return Err(AskError::Unreachable { server, reason });
            }
            Err(Failure::Refused(reason)) => {
                let model = self.endpoint.model.clone();
                return Err(AskError::Refused { reason, model });
            }
            Err(Failure::Unavailable(message)) => failed("unavailable", message),
            Err(Failure::Sample { code, message }) => failed(code, message),
        };
        let id = response
            .as_ref()
            .and_then(|it| it.body.get("id"))
            .and_then(Json::as_str);
        let line = AnswerLine {
            id: id.unwrap_or_default().to_owned(),
            custom_id: &request.custom_id,
            response,
            error,
        };
        sink.append(&line)?;
        let kept = sink.samples().get(&request.custom_id);
        let failure = kept.and_then(|kept| kept.outcome.as_ref().err()).cloned();
        self.report.asked += 1;
        match &failure {
            None => self.report.answered += 1,
            Some(reason) => self.report.failed.push((request.clone(), reason.clone())),
        }
        self.unanswered = if is_down { self.unanswered + 1 } else { 0 };
        self.tell(Some(request), failure.clone());
        match failure {
            Some(reason) if self.unanswered >= PATIENCE => {
                Err(AskError::Unavailable { server, reason })
            }
            _ => Ok(()),
        }
    }

    fn tell(&self, last: Option<Request>, failure: Option<String>) {
        (self.on_progress)(Progress {
            done: self.report.asked,
            total: self.total,
            last,
            failure,
        });
    }
}

#[cfg(test)]
mod tests;
