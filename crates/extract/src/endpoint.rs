//! Which model is asked, and where.

use async_openai::config::OpenAIConfig;
use std::time::Duration;

/// Where requests go unless something else is said.
const OPENAI: &str = "https://api.openai.com/v1";

/// A model behind an OpenAI-compatible address. The key is kept inside the
/// client library, which never shows it.
#[derive(Clone)]
pub struct Endpoint {
    pub(crate) config: OpenAIConfig,
    pub(crate) model: String,
    pub(crate) parallel: usize,
    pub(crate) timeout: Duration,
    /// The pauses between rounds of attempts.
    pub(crate) pauses: Vec<Duration>,
    /// Scheme, host and port, for messages: an address may hold a password.
    pub(crate) server: String,
    is_local: bool,
}

/// Why no model can be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// No key and no server of one's own.
    #[error("OPENAI_API_KEY is not set; set it, or OPENAI_BASE_URL for a server that needs no key")]
    NoKey,
    /// A key that cannot be sent.
    #[error(
        "OPENAI_API_KEY holds a character that no key has; check it for line breaks and quotation marks"
    )]
    BadKey,
    /// No model.
    #[error("no model is named; set LICTOR_MODEL or `model` in lictor.toml")]
    NoModel,
    /// No address.
    #[error("OPENAI_BASE_URL is no http address; write it like `{OPENAI}`")]
    BadAddress,
}

impl Endpoint {
    /// The endpoint that `OPENAI_BASE_URL`, `OPENAI_API_KEY` and, unless a
    /// model is given, `LICTOR_MODEL` name.
    ///
    /// # Errors
    /// [`EndpointError`] says which of them is missing or wrong.
    pub fn from_environment(model: Option<String>) -> Result<Endpoint, EndpointError> {
        let read = |name: &str| {
            std::env::var(name)
                .ok()
                .filter(|text| !text.trim().is_empty())
        };
        let address = read("OPENAI_BASE_URL");
        let key = read("OPENAI_API_KEY");
        let model = model
            .or_else(|| read("LICTOR_MODEL"))
            .ok_or(EndpointError::NoModel)?;
        match (address, key) {
            (None, None) => Err(EndpointError::NoKey),
            (address, key) => Endpoint::new(
                address.as_deref().unwrap_or(OPENAI),
                key.as_deref().unwrap_or_default(),
                model,
            ),
        }
    }

    /// An endpoint; the key may be empty where the server wants none.
    ///
    /// # Errors
    /// [`EndpointError`] if address, key or model cannot be used.
    pub fn new(
        address: &str,
        key: &str,
        model: impl Into<String>,
    ) -> Result<Endpoint, EndpointError> {
        let (address, key, model) = (
            address.trim().trim_end_matches('/'),
            key.trim(),
            model.into(),
        );
        let url = reqwest::Url::parse(address).map_err(|_| EndpointError::BadAddress)?;
        let host = url.host_str().unwrap_or_default().to_owned();
        if !matches!(url.scheme(), "http" | "https") || host.is_empty() {
            return Err(EndpointError::BadAddress);
        }
        // The library below would give up on a header it cannot write.
        if !key.chars().all(|c| c.is_ascii_graphic()) {
            return Err(EndpointError::BadKey);
        }
        if model.trim().is_empty() {
            return Err(EndpointError::NoModel);
        }
        let port = url
            .port()
            .map(|port| format!(":{port}"))
            .unwrap_or_default();
        Ok(Endpoint {
            config: OpenAIConfig::new()
                .with_api_base(address)
                .with_api_key(key)
                .with_org_id("")
                .with_project_id(""),
            model,
            parallel: 4,
            timeout: Duration::from_secs(300),
            pauses: vec![Duration::from_secs(1), Duration::from_secs(4)],
            server: format!("{}://{host}{port}", url.scheme()),
            is_local: matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]"),
        })
    }

    /// Asks so many requests at once; 4 unless said otherwise.
    pub fn parallel(mut self, parallel: usize) -> Self {
        self.parallel = parallel.max(1);
        self
    }

    /// Waits so long for an answer; 300 s unless said otherwise, since local
    /// models are slow.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The name of the model.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Whether the server is this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.is_local
    }
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint")
            .field("server", &self.server)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_is_refused() {
        let new = |address: &str, key: &str, model: &str| {
            Endpoint::new(address, key, model).map(|it| it.server)
        };
        assert_eq!(
            new("http://user:pass@host:8080/v1/", "", "m"),
            Ok("http://host:8080".into())
        );
        assert_eq!(new("ftp://host", "", "m"), Err(EndpointError::BadAddress));
        assert_eq!(new("host:80", "", "m"), Err(EndpointError::BadAddress));
        assert_eq!(new("http://host", "a\nb", "m"), Err(EndpointError::BadKey));
        assert_eq!(
            new("http://host", "sk-ключ", "m"),
            Err(EndpointError::BadKey)
        );
        assert_eq!(
            new("http://host", "sk-1\n", " "),
            Err(EndpointError::NoModel)
        );
    }

    #[test]
    fn the_key_is_never_shown() {
        let endpoint = Endpoint::new("http://host", "sk-secret", "m").unwrap();
        assert!(!format!("{endpoint:?} {:?}", endpoint.config).contains("sk-secret"));
    }
}
