//! Talking to a model: one request, with its retries.
//!
//! Only this module makes an HTTP client. The library below already repeats a
//! request a few times at once where the server says 'later' (429, with its
//! `Retry-After`), fails (5xx) or cannot be reached; on top of that come a few
//! rounds with longer pauses, time limits, and the decision what an error is
//! worth: some end one sample, some end the whole run.

use crate::answer::shorten;
use crate::endpoint::Endpoint;
use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::error::Error as _;
use std::time::Duration;

/// A server that accepts no connection within this time is not there. With the
/// four attempts of the library below a dead one is given up within 30 s.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// This sample failed; others may do.
    Sample {
        /// A short name of what happened.
        code: &'static str,
        /// What happened.
        message: String,
    },
    /// The server is there and does not do its work.
    Unavailable(String),
    /// The server cannot be reached.
    Unreachable(String),
    /// The server will answer none of the requests.
    Refused(String),
}

/// A server to ask.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    client: Client<OpenAIConfig>,
    timeout: Duration,
    pauses: Vec<Duration>,
}

impl Server {
    /// Makes the HTTP client and installs the cryptography it needs.
    ///
    /// # Errors
    /// What the HTTP library says.
    pub(crate) fn new(endpoint: &Endpoint) -> Result<Server, String> {
        // An error means that it is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(endpoint.timeout);
        if endpoint.is_local() {
            // A proxy cannot know this machine by its own name.
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| root(&error))?;
        Ok(Server {
            client: Client::with_config(endpoint.config.clone()).with_http_client(http),
            timeout: endpoint.timeout,
            pauses: endpoint.pauses.clone(),
        })
    }

    /// Asks once, with retries, and gives the body of the answer.
    ///
    /// # Errors
    /// [`Failure`] says why there is none, and for whom that matters.
    pub(crate) async fn ask(&self, body: &RawValue) -> Result<Json, Failure> {
        let mut pauses = self.pauses.iter();
        loop {
            let failure = match self.round(body).await {
                Ok(answer) => return Ok(answer),
                Err((failure, false)) => return Err(failure),
                Err((failure, true)) => failure,
            };
            match pauses.next() {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(failure),
            }
        }
    }

    /// One round: the failure, and whether another round may help.
    async fn round(&self, body: &RawValue) -> Result<Json, (Failure, bool)> {
        let chat = self.client.chat();
        // The server may ask for any pause; beyond this limit it has failed.
        let limit = self.timeout.saturating_mul(2);
        match tokio::time::timeout(limit, chat.create_byot::<_, Json>(body)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(judge(&error)),
            Err(_) => Err((slow(), false)),
        }
    }
}

fn slow() -> Failure {
    Failure::Sample {
        code: "timeout",
        message: "the server did not answer in time".to_owned(),
    }
}

/// What an error means, and whether asking again may help.
fn judge(error: &OpenAIError) -> (Failure, bool) {
    match error {
        OpenAIError::ApiError(error) => {
            let status = error.status_code.as_u16();
            let said = shorten(&error.api_error.message);
            let said = if said.is_empty() {
                "without a reason".to_owned()
            } else {
                format!("`{said}`")
            };
            let quota = [&error.api_error.r#type, &error.api_error.code];
            let is_quota = quota
                .iter()
                .any(|it| it.as_deref() == Some("insufficient_quota"));
            let message = format!("the server answered {status}: {said}");
            match status {
                _ if is_quota => (Failure::Refused(message), false),
                401..=404 => (Failure::Refused(message), false),
                408 | 409 | 429 | 500.. => (Failure::Unavailable(message), true),
                _ => (
                    Failure::Sample {
                        code: "bad_request",
                        message,
                    },
                    false,
                ),
            }
        }
        OpenAIError::Reqwest(error) if error.is_connect() => {
            (Failure::Unreachable(root(error)), false)
        }
        OpenAIError::Reqwest(error) if error.is_timeout() => (slow(), true),
        OpenAIError::Reqwest(error) => {
            let message = format!("the answer did not arrive: {}", root(error));
            (
                Failure::Sample {
                    code: "connection",
                    message,
                },
                true,
            )
        }
        // The library below gives no status here: this may be a wrong address
        // as well as a proxy that asks for patience.
        OpenAIError::JSONDeserialize(_, content) => {
            let message = format!(
                "the server answered with something that is no answer: `{}`",
                shorten(content)
            );
            (Failure::Unavailable(message), true)
        }
        other => {
            let message = shorten(&other.to_string());
            (
                Failure::Sample {
                    code: "client",
                    message,
                },
                false,
            )
        }
    }
}

/// The innermost cause of an error: what went wrong, without the address,
/// which may hold a password.
fn root(error: &reqwest::Error) -> String {
    let mut cause: Option<&dyn std::error::Error> = error.source();
    let mut text = String::new();
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    if text.is_empty() {
        "the connection failed".to_owned()
    } else {
        shorten(&text)
    }
}
