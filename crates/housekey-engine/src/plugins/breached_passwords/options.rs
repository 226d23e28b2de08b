use std::sync::Arc;
use std::time::Duration;

use crate::http_client::{HttpClient, TlsClient, WhenUnavailable};
use crate::options::Shared;

#[derive(Clone, Debug)]
pub struct BreachedPasswordsOptions {
    /// Where ranges are asked for; the five letters are put behind it.
    pub range_url: String,
    /// What is said about a password that is known, instead of the reference's words.
    pub message: Option<String>,
    /// What happens while the service cannot be asked.
    pub when_unavailable: WhenUnavailable,
    pub timeout: Duration,
    pub keep_answers_for: Duration,
    /// Whether the address may be of one's own network, and there without TLS: for tests, and for a copy of the list of one's own.
    pub allow_private_addresses: bool,
    /// Speaks to the service. Unset: a [`TlsClient`].
    pub http_client: Shared<dyn HttpClient>,
}

impl Default for BreachedPasswordsOptions {
    fn default() -> Self {
        Self {
            range_url: "https://api.pwnedpasswords.com/range/".into(),
            message: None,
            when_unavailable: WhenUnavailable::Refuse,
            timeout: Duration::from_secs(10),
            keep_answers_for: Duration::from_secs(600),
            allow_private_addresses: false,
            http_client: Shared::unset(),
        }
    }
}

impl BreachedPasswordsOptions {
    pub(super) fn client(&self) -> Arc<dyn HttpClient> {
        match &*self.http_client {
            Some(client) => Arc::clone(client),
            None => Arc::new(TlsClient::new(self.allow_private_addresses).with_timeout(self.timeout)),
        }
    }
}
