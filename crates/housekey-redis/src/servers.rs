use std::collections::BTreeMap;

use housekey_core::{AppConfig, Error, Result};

use crate::{Redis, RedisConfig};

/// The Redis servers of an application, by name. Nothing is connected before the first use.
///
/// ```
/// use housekey_redis::{RedisConfig, RedisServers};
/// use housekey_core::AppConfig;
///
/// let app = AppConfig { name: "My Shop".into(), ..AppConfig::default() };
/// let servers = RedisServers::new(&RedisConfig::default(), &app)?;
/// assert_eq!(servers.connection(None)?.prefix(), "my_shop:");
/// assert!(servers.connection(Some("reports")).is_err());
/// # housekey_core::Result::<()>::Ok(())
/// ```
#[derive(Debug)]
pub struct RedisServers {
    default: String,
    servers: BTreeMap<String, Redis>,
}

impl RedisServers {
    /// The servers that `config/redis.rs` describes. Fails when an address is none.
    pub fn new(config: &RedisConfig, app: &AppConfig) -> Result<Self> {
        let prefix = config.prefix.clone().unwrap_or_else(|| prefix_of(&app.name));
        let open = |(name, url)| Ok((String::clone(name), Redis::open(name, url, &prefix, config)?));
        let servers = config.connections.iter().map(open).collect::<Result<_>>()?;
        Ok(Self { default: config.default.clone(), servers })
    }

    /// A server by name; the default one for `None`.
    pub fn connection(&self, name: Option<&str>) -> Result<Redis> {
        let name = name.unwrap_or(&self.default);
        self.servers.get(name).cloned().ok_or_else(|| {
            let names: Vec<&str> = self.servers.keys().map(String::as_str).collect();
            Error::internal(format!(
                "there is no Redis connection `{name}`; config/redis.rs has {}",
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            ))
        })
    }
}

fn prefix_of(app: &str) -> String {
    let letters = app.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    format!("{}:", letters.collect::<String>())
}
