//! The stores of the tests that start processes: a parent tells its children where jobs wait.

use std::sync::Arc;

use housekey_core::Clock;
use housekey_database::ConnectionConfig;
use housekey_queue::{DatabaseDriver, QueueDriver, RedisDriver, tables};
use housekey_redis::Redis;
use serde::{Deserialize, Serialize};

use crate::services::{self, TestDatabase};

#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Store {
    Redis { url: String, prefix: String },
    Database(Box<ConnectionConfig>),
}

impl Store {
    pub(crate) fn redis() -> Self {
        Self::Redis { url: services::url(services::REDIS), prefix: services::name() }
    }

    /// The tables of a queue in this database.
    pub(crate) async fn in_database(test: &TestDatabase) -> Self {
        test.database().schema(tables::create).await.unwrap();
        Self::Database(Box::new(test.config.clone()))
    }

    pub(crate) fn driver(&self) -> Arc<dyn QueueDriver> {
        match self {
            Self::Redis { url, prefix } => {
                Arc::new(RedisDriver::new(Redis::at(url, prefix).unwrap(), Clock::system()))
            }
            Self::Database(config) => Arc::new(DatabaseDriver::new(services::open(config), Clock::system())),
        }
    }
}
