use serde::{Deserialize, Serialize};

/// `config/http_client.rs`: how an app asks other hosts, unless a request says otherwise.
///
/// ```
/// use housekey_http_client::HttpClientConfig;
///
/// pub fn http_client() -> HttpClientConfig {
///     HttpClientConfig { timeout: 5, ..HttpClientConfig::default() }
/// }
/// # http_client();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HttpClientConfig {
    /// Seconds until an answer must be there, for each try.
    pub timeout: u64,
    pub redirects: usize,
    /// The most bytes of an answer that are read into memory.
    pub max_response_size: usize,
    /// Whether hosts of one's own network may be asked, and without TLS.
    pub allow_private_addresses: bool,
    /// What requests say in `User-Agent`.
    pub user_agent: String,
}

impl Default for HttpClientConfig {
    fn default() -> Self {
        Self {
            timeout: 10,
            redirects: 5,
            max_response_size: 10 * 1024 * 1024,
            allow_private_addresses: false,
            user_agent: "housekey".into(),
        }
    }
}
