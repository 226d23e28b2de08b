//! The shared suite on every driver that keeps jobs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../housekey-cache/tests/services/mod.rs"]
mod services;
mod suite;

use housekey_cache::redis::Redis;
use housekey_core::Clock;
use housekey_queue::{DatabaseDriver, RedisDriver, tables};
use services::TestDatabase;

async fn database(test: TestDatabase, clock: Clock) -> (DatabaseDriver, TestDatabase) {
    let database = test.database();
    database.schema(tables::create).await.unwrap();
    (DatabaseDriver::new(database, clock), test)
}

suite::queue_suite!(sqlite, async |clock| super::database(super::TestDatabase::sqlite().await, clock).await);

suite::queue_suite!(postgres, async |clock| super::database(super::TestDatabase::postgres().await, clock)
    .await);

suite::queue_suite!(mysql, async |clock| super::database(super::TestDatabase::mysql().await, clock).await);

suite::queue_suite!(redis, async |clock| {
    let redis =
        super::Redis::at(&super::services::url(super::services::REDIS), &super::services::name()).unwrap();
    (super::RedisDriver::new(redis, clock), ())
});
