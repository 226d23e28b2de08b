use serde::{Deserialize, Serialize};

use crate::cors::CorsConfig;

/// `config/http.rs`: the server and the limits of a request.
///
/// ```
/// use housekey_core::{env, env_list};
/// use housekey_http::HttpConfig;
///
/// pub fn http() -> HttpConfig {
///     HttpConfig {
///         host: env("HOST", "127.0.0.1"),
///         port: env("PORT", 3000_u16),
///         trusted_proxies: env_list("TRUSTED_PROXIES"),
///         ..HttpConfig::default()
///     }
/// }
/// # http();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HttpConfig {
    pub host: String,
    /// The port to listen on; 0 lets the system choose.
    pub port: u16,
    /// The largest request body, in bytes. A route can say otherwise.
    pub body_limit: usize,
    /// Seconds a request may take, from its head to the head of the answer; 0 for no limit.
    pub request_timeout: u64,
    /// Seconds a client may take to send a request's head, and how long a connection may idle between two
    /// requests; 0 for no limit.
    pub header_timeout: u64,
    /// Seconds a client may take none of what is sent to it before its connection is closed; 0 for no limit.
    pub write_timeout: u64,
    /// Whether a connection serves more than one request.
    pub keep_alive: bool,
    /// How many connections are served at the same time; the next ones wait to be accepted.
    pub max_connections: usize,
    /// How many connections one client may have open; more are closed at once. 0 for no limit. This machine and
    /// `trusted_proxies` may have any number, and an IPv6 network (/64) is one client.
    pub max_connections_per_address: usize,
    /// Seconds that requests in flight get to finish when the server stops.
    pub shutdown_grace: u64,
    /// Proxies whose `x-forwarded-for` and `x-forwarded-proto` count: addresses (`127.0.0.1`, `::1`) or networks
    /// (`10.0.0.0/8`).
    pub trusted_proxies: Vec<String>,
    /// Whether every request is written to the log.
    pub access_log: bool,
    /// Which other origins may call.
    pub cors: CorsConfig,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".into(),
            port: 3000,
            body_limit: 2 * 1024 * 1024,
            request_timeout: 30,
            header_timeout: 15,
            write_timeout: 30,
            keep_alive: true,
            max_connections: 10_000,
            max_connections_per_address: 256,
            shutdown_grace: 20,
            trusted_proxies: Vec::new(),
            access_log: true,
            cors: CorsConfig::default(),
        }
    }
}
