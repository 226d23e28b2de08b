use std::collections::BTreeMap;

use housekey_core::{Env, Secret};
use serde::{Deserialize, Serialize};

/// `config/redis.rs`: the Redis servers by name, and which one is meant when none is named.
///
/// An app with one server needs no such file: without it there is one connection, `default`, at the address in
/// `REDIS_URL`, or on this machine.
///
/// A cache may be thrown away and a queue may not, so they often want servers of their own: the cache one that drops
/// old keys when it is full, the queue one that refuses instead (`maxmemory-policy noeviction`) and writes to disk.
///
/// ```
/// use housekey_redis::RedisConfig;
/// use housekey_core::env;
///
/// pub fn redis() -> RedisConfig {
///     RedisConfig::default()
///         .with("default", env::<String>("REDIS_URL", "redis://127.0.0.1:6379"))
///         .with("queue", env::<String>("REDIS_QUEUE_URL", "redis://127.0.0.1:6379/1"))
/// }
///
/// assert_eq!(redis().connections.len(), 2);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RedisConfig {
    /// The server used when none is named.
    pub default: String,
    /// The address of every server by its name: `redis://user:password@host:6379/0`.
    pub connections: BTreeMap<String, Secret>,
    /// Put before every key; unset, it is made of the app's name (`my_app:`), so that two apps on one server do not
    /// take each other's jobs.
    pub prefix: Option<String>,
    /// Milliseconds that connecting may take.
    pub connect_timeout: u64,
    /// Milliseconds that an answer may take.
    pub response_timeout: u64,
}

impl RedisConfig {
    /// What an app without `config/redis.rs` has: one server, at the address in `REDIS_URL`.
    ///
    /// ```
    /// use housekey_redis::RedisConfig;
    /// use housekey_core::Env;
    ///
    /// let env = Env::empty().with("REDIS_URL", "redis://cache.internal:6379");
    /// assert_eq!(RedisConfig::from_env(&env).connections["default"].reveal(), "redis://cache.internal:6379");
    /// ```
    pub fn from_env(env: &Env) -> Self {
        match env.get("REDIS_URL").filter(|url| !url.trim().is_empty()) {
            Some(url) => Self::default().with("default", url.trim()),
            None => Self::default(),
        }
    }

    /// Adds a server, replacing one of the same name.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, url: impl Into<Secret>) -> Self {
        self.connections.insert(name.into(), url.into());
        self
    }
}

/// One server, on this machine.
impl Default for RedisConfig {
    fn default() -> Self {
        Self {
            default: "default".into(),
            connections: BTreeMap::from([("default".into(), "redis://127.0.0.1:6379".into())]),
            prefix: None,
            connect_timeout: 2_000,
            response_timeout: 5_000,
        }
    }
}
