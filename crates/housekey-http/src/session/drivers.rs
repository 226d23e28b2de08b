use std::fmt;
use std::sync::Arc;

use housekey_core::{Error, Paths, Result};

use super::config::SessionConfig;
use super::file::FileSessions;
use super::memory::MemorySessions;
use super::store::SessionStore;

/// Stores that providers bring along, beside `file` and `memory`. A provider inserts it into the app's services.
#[derive(Clone, Default)]
pub struct SessionDrivers(Vec<Arc<dyn SessionStore>>);

impl SessionDrivers {
    /// No further drivers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a driver under its own name.
    #[must_use]
    pub fn with(mut self, store: impl SessionStore) -> Self {
        self.0.push(Arc::new(store));
        self
    }

    pub(super) fn open(&self, config: &SessionConfig, paths: &Paths) -> Result<Arc<dyn SessionStore>> {
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
            other => {
                let mut names = vec!["file", "memory"];
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
        let config = SessionConfig { driver: "redis".into(), ..SessionConfig::default() };
        let error = SessionDrivers::new().open(&config, &Paths::new("/nowhere")).map(drop).unwrap_err();
        assert!(
            error.to_string().contains("`redis`") && error.to_string().contains("file, memory"),
            "{error}"
        );
    }
}
