use serde::{Deserialize, Serialize};

use super::Shared;
use crate::http_client::HttpClient;

/// Sign in with others: what concerns all providers. Which there are is said in
/// [`social_providers`](super::EngineOptions::social_providers).
///
/// ```
/// use std::sync::Arc;
/// use housekey_engine::options::{EngineOptions, Shared, SocialOptions};
/// use housekey_engine::social::{FakeProviders, Provider, SocialProviders};
///
/// // In a test: no request leaves the machine.
/// let options = EngineOptions {
///     social_providers: SocialProviders::from([Provider::google("id", "secret")]),
///     social: SocialOptions { http_client: Shared::new(Arc::new(FakeProviders::new())), ..Default::default() },
///     ..Default::default()
/// };
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SocialOptions {
    /// Speaks to providers. Unset: a [`TlsClient`](crate::http_client::TlsClient).
    pub http_client: Shared<dyn HttpClient>,
    /// Lets the client ask addresses of one's own network, and there without TLS: for a provider inside a company, and for
    /// development. Whoever can set the address of a provider can then make the server ask its neighbours.
    pub allow_private_addresses: bool,
    /// Where somebody is sent who has to give a second factor after signing in with a provider. Unset: to the callback
    /// address, with `twoFactorRedirect=true`.
    #[serde(rename = "secondFactorURL")]
    pub second_factor_url: Option<String>,
}
