use std::fmt;
use std::sync::Arc;

use housekey_core::{Error, Paths, Result, ServicesBuilder};

use crate::config::SessionConfig;
use crate::file::FileSessions;
use crate::memory::MemorySessions;
use crate::store::SessionStore;

/// Stores that providers bring along, beside `file` and `memory`. A provider adds one:
/// `app.contribute(|drivers: &mut SessionDrivers| drivers.add(…))`.
#[derive(Clone, Default)]
pub struct SessionDrivers(Vec<Arc<dyn SessionStore>>);

impl SessionDrivers {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a driver under its own name.
    pub fn add(&mut self, store: impl SessionStore) {
        self.0.push(Arc::new(store));
    }

    /// What providers brought, and the driver that `config/session.rs` names if it needs the application's databases
    /// or servers.
    pub fn from_services(config: &SessionConfig, services: &ServicesBuilder) -> Result<Self> {
        let mut drivers = services.get::<Self>().map(Arc::unwrap_or_clone).unwrap_or_default();
        let own: Option<Arc<dyn SessionStore>> = match config.driver.as_str() {
            #[cfg(feature = "database")]
            "database" => {
                let databases = services.require::<housekey_database::Databases>()?;
                let connection = config.connection.as_deref();
                let source = housekey_database::DatabaseSource::named(databases, connection)?;
                Some(Arc::new(crate::DatabaseSessions::new(source)))
            }
            #[cfg(feature = "redis")]
            "redis" => {
                let servers = services.require::<housekey_redis::RedisServers>()?;
                let redis = servers.connection(config.connection.as_deref())?;
                let clock = services.require::<housekey_core::Clock>()?;
                Some(Arc::new(crate::RedisSessions::new(redis, (*clock).clone())))
            }
            _ => None,
        };
        drivers.0.extend(own);
        Ok(drivers)
    }

    pub(crate) fn open(&self, config: &SessionConfig, paths: &Paths) -> Result<Arc<dyn SessionStore>> {
        if let Some(store) = self.0.iter().find(|store| store.name() == config.driver) {
            return Ok(store.clone());
        }
        match config.driver.as_str() {
            "memory" => Ok(Arc::new(MemorySessions::new())),
            "file" => {
                let folder = config.files.as_ref().map(|folder| paths.join(folder));
                let folder = folder.unwrap_or_else(|| paths.framework().join("sessions"));
                Ok(Arc::new(FileSessions::open(folder)?))
            }
            // Compiled, they were opened by `from_services`.
            "database" | "redis" => {
                let feature =
                    if config.driver == "redis" { "redis" } else { "database-sqlite, -postgres or -mysql" };
                Err(Error::internal(format!(
                    "this build does not include the session driver `{}`: add the feature `{feature}` to `housekey` in \
                     Cargo.toml",
                    config.driver
                )))
            }
            other => {
                let mut names = vec!["file", "memory"];
                names.extend(cfg!(feature = "database").then_some("database"));
                names.extend(cfg!(feature = "redis").then_some("redis"));
                names.extend(self.0.iter().map(|store| store.name()));
                Err(Error::internal(format!(
                    "config/session.rs names the driver `{other}`, which this app does not have; it has: {}",
                    names.join(", ")
                )))
            }
        }
    }
}

impl fmt::Debug for SessionDrivers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|store| store.name())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_driver_is_answered_with_the_ones_there_are() {
        let config = SessionConfig { driver: "memcached".into(), ..SessionConfig::default() };
        let error = SessionDrivers::new().open(&config, &Paths::new("/nowhere")).map(drop).unwrap_err();
        assert!(
            error.to_string().contains("`memcached`") && error.to_string().contains("file, memory"),
            "{error}"
        );
    }
}
