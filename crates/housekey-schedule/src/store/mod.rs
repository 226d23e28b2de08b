//! Where the record of each task is kept: seen by every process, changed by one at a time.

mod cache;
#[cfg(feature = "database")]
mod database;

#[cfg(feature = "database")]
pub(crate) use database::is_deadlock;

use housekey_cache::Cache;
use housekey_core::{Error, Result, ServicesBuilder};

use crate::ScheduleConfig;
use crate::record::RunRecord;

/// The stores a configuration can name.
const STORES: [&str; 2] = ["cache", "database"];

#[derive(Clone, Debug)]
pub(crate) enum RunStore {
    Cache(Cache),
    #[cfg(feature = "database")]
    Database(database::DatabaseRuns),
}

/// A record as it was found, and how it stands in the store.
#[derive(Clone, Debug)]
pub(crate) struct StoredRecord {
    pub(crate) record: RunRecord,
    /// The text that the cache has.
    text: String,
}

impl RunStore {
    pub(crate) fn open(config: &ScheduleConfig, services: &ServicesBuilder) -> Result<Self> {
        match config.store.as_str() {
            "cache" => Ok(Self::Cache((*services.require::<Cache>()?).clone())),
            #[cfg(feature = "database")]
            "database" => {
                let databases = services.require::<housekey_database::Databases>()?;
                Ok(Self::Database(database::DatabaseRuns::open(databases, config.connection.as_deref())?))
            }
            known if STORES.contains(&known) => Err(Error::internal(
                "this build does not include the schedule's store `database`: add the feature `database-sqlite, -postgres or \
                 -mysql` to `housekey` in Cargo.toml",
            )),
            unknown => Err(Error::internal(format!(
                "there is no store `{unknown}` for the schedule; `store` in config/schedule.rs (SCHEDULE_STORE) can be {}",
                STORES.join(", ")
            ))),
        }
    }

    /// Whether no other process sees what is written here.
    pub(crate) fn is_of_one_process(&self) -> bool {
        match self {
            Self::Cache(cache) => cache.store_name() == "memory",
            #[cfg(feature = "database")]
            Self::Database(_) => false,
        }
    }

    pub(crate) async fn load(&self, task: &str) -> Result<Option<StoredRecord>> {
        match self {
            Self::Cache(cache) => cache::load(cache, task).await,
            #[cfg(feature = "database")]
            Self::Database(runs) => runs.load(task).await,
        }
    }

    /// Writes the first record of a task, unless there is one.
    pub(crate) async fn add(&self, task: &str, record: &RunRecord) -> Result<bool> {
        match self {
            Self::Cache(cache) => cache::add(cache, task, record).await,
            #[cfg(feature = "database")]
            Self::Database(runs) => runs.add(task, record).await,
        }
    }

    /// Replaces a record by its successor, unless another came first.
    pub(crate) async fn swap(&self, task: &str, found: &StoredRecord, new: &RunRecord) -> Result<bool> {
        match self {
            Self::Cache(cache) => cache::swap(cache, task, found, new).await,
            #[cfg(feature = "database")]
            Self::Database(runs) => runs.swap(task, found, new).await,
        }
    }
}
