use serde::{Deserialize, Serialize};

/// `config/live.rs`: what carries messages between processes, and how much anybody may ask for.
///
/// ```
/// use housekey_core::env;
/// use housekey_live::LiveConfig;
///
/// pub fn live() -> LiveConfig {
///     LiveConfig { driver: env("LIVE_DRIVER", "process"), ..LiveConfig::default() }
/// }
/// # assert_eq!(live().path, "/api/live");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LiveConfig {
    /// `process` (one process alone), `redis` or `postgres`. A worker beside the server is a second process.
    pub driver: String,
    /// The connection of the `redis` or `postgres` driver; the default one if not given.
    pub connection: Option<String>,
    /// Where browsers listen.
    pub path: String,
    /// Seconds between two signs of life, in both directions.
    pub heartbeat: u64,
    /// Seconds after which everybody who listens is asked again who they are and what they may hear. What is done to their
    /// sessions and accounts is noticed at once.
    pub recheck: u64,
    /// The most streams that one person has open at one process. Guests are told apart by their address.
    pub max_streams: usize,
    /// The most channels of one stream.
    pub max_channels: usize,
    /// The longest message, in bytes of JSON.
    pub max_message: usize,
    /// How many messages wait for somebody who reads slowly. When there are more, the stream is ended.
    pub queue: usize,
    /// How many messages every process remembers for those who were away for a moment.
    pub history: usize,
    /// Other sites whose pages may listen: `https://app.example`.
    pub allowed_origins: Vec<String>,
}

impl Default for LiveConfig {
    fn default() -> Self {
        Self {
            driver: "process".into(),
            connection: None,
            path: "/api/live".into(),
            heartbeat: 20,
            recheck: 60,
            max_streams: 20,
            max_channels: 50,
            max_message: 64 * 1024,
            queue: 64,
            history: 256,
            allowed_origins: Vec::new(),
        }
    }
}
