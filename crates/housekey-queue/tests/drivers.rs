//! The shared suite on every driver that keeps jobs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../housekey-cache/tests/services/mod.rs"]
mod services;
mod suite;

use housekey_cache::redis::Redis;
use housekey_core::Clock;
use housekey_queue::{DatabaseDriver, RedisDriver, tables};
use services::Place;

async fn database(place: Place, clock: Clock) -> (DatabaseDriver, Place) {
    let database = place.database();
    database.schema(tables::create).await.unwrap();
    (DatabaseDriver::new(database, clock), place)
}

suite::queue_suite!(sqlite, async |clock| super::database(super::Place::sqlite().await, clock).await);

suite::queue_suite!(postgres, async |clock| super::database(super::Place::postgres().await, clock).await);

suite::queue_suite!(mysql, async |clock| super::database(super::Place::mysql().await, clock).await);

suite::queue_suite!(redis, async |clock| {
    let redis =
        super::Redis::at(&super::services::url(super::services::REDIS), &super::services::name()).unwrap();
    (super::RedisDriver::new(redis, clock), ())
});
