use std::path::PathBuf;

use housekey_core::{Clock, Error, Paths, Result, Services, ServicesBuilder};
use serde::{Deserialize, Serialize};

use crate::{Cache, FileStore, MemoryStore};

/// `config/cache.rs`.
///
/// ```
/// use housekey_cache::CacheConfig;
/// use housekey_core::env;
///
/// pub fn cache() -> CacheConfig {
///     CacheConfig { store: env("CACHE_STORE", "file"), ..Default::default() }
/// }
/// # cache();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CacheConfig {
    /// `file` (shared by the processes of one machine), `memory` (this process only), `database` or `redis` (shared by
    /// several machines; a cargo feature each).
    pub store: String,
    /// Put before every key; lets applications share a store.
    pub prefix: String,
    /// The folder of the file store, relative to the application; `storage/framework/cache` if not given.
    pub path: Option<PathBuf>,
    /// How many bytes the memory store may take.
    pub memory_limit: usize,
    /// The connection of the `database` or `redis` store; the default one if not given.
    pub connection: Option<String>,
}

/// The stores a configuration can name.
const STORES: [&str; 4] = ["file", "memory", "database", "redis"];

impl Default for CacheConfig {
    fn default() -> Self {
        Self {
            store: "file".into(),
            prefix: String::new(),
            path: None,
            memory_limit: MemoryStore::DEFAULT_LIMIT,
            connection: None,
        }
    }
}

impl Cache {
    /// The cache that `config/cache.rs` describes, for a store that needs nothing but a place and a clock.
    pub fn from_config(config: &CacheConfig, paths: &Paths, clock: Clock) -> Result<Self> {
        let mut services = Services::builder();
        services.insert(paths.clone()).insert(clock);
        Self::from_services(config, &services)
    }

    /// The cache that `config/cache.rs` describes, on the databases and servers of an application that is booting.
    pub fn from_services(config: &CacheConfig, services: &ServicesBuilder) -> Result<Self> {
        let clock = (*services.require::<Clock>()?).clone();
        let cache = match config.store.as_str() {
            "memory" => Self::new(MemoryStore::new(clock.clone()).limit(config.memory_limit), clock),
            "file" => {
                let paths = services.require::<Paths>()?;
                let folder = config.path.as_ref();
                let folder = folder.map_or_else(|| paths.framework().join("cache"), |path| paths.join(path));
                Self::new(FileStore::open(folder, clock.clone())?, clock)
            }
            #[cfg(feature = "database")]
            "database" => {
                let databases = services.require::<housekey_database::Databases>()?;
                let source =
                    housekey_database::DatabaseSource::named(databases, config.connection.as_deref())?;
                Self::new(crate::database::DatabaseStore::new(source, clock.clone()), clock)
            }
            #[cfg(feature = "redis")]
            "redis" => {
                let servers = services.require::<housekey_redis::RedisServers>()?;
                let redis = servers.connection(config.connection.as_deref())?;
                Self::new(crate::redis::RedisStore::new(redis, clock.clone()), clock)
            }
            known if STORES.contains(&known) => {
                let feature = if known == "redis" { "redis" } else { "database-sqlite, -postgres or -mysql" };
                return Err(Error::internal(format!(
                    "this build does not include the cache store `{known}`: add the feature `{feature}` to `housekey` \
                     in Cargo.toml"
                )));
            }
            unknown => {
                return Err(Error::internal(format!(
                    "there is no cache store `{unknown}`; `store` in config/cache.rs (CACHE_STORE) can be {}",
                    STORES.join(", ")
                )));
            }
        };
        Ok(cache.with_prefix(config.prefix.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(store: &str, root: &std::path::Path) -> Result<Cache> {
        let config = CacheConfig { store: store.into(), ..Default::default() };
        Cache::from_config(&config, &Paths::new(root), Clock::system())
    }

    #[test]
    fn every_store_that_is_named_can_be_made() {
        let root = tempfile::tempdir().unwrap();
        for store in ["file", "memory"] {
            assert_eq!(from(store, root.path()).unwrap().store_name(), store);
        }
        assert!(root.path().join("storage/framework/cache").is_dir());
    }

    // spec: CFG-15
    #[test]
    fn an_unknown_store_is_an_error_that_lists_the_known_ones() {
        let root = tempfile::tempdir().unwrap();
        let message = from("memcached", root.path()).unwrap_err().to_string();
        for word in ["memcached", "file", "memory", "CACHE_STORE"] {
            assert!(message.contains(word), "{message}");
        }
    }
}
