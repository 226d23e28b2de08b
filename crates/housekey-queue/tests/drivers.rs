//! The shared suite on every driver that keeps jobs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../housekey-cache/tests/services/mod.rs"]
mod services;
mod suite;

use housekey_core::Clock;
use housekey_queue::{DatabaseDriver, RedisDriver, batch, tables};
use housekey_redis::Redis;
use housekey_redis::client::cmd;
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

// spec: WRK-2
#[tokio::test]
async fn on_redis_the_list_of_batches_forgets_those_that_are_gone() {
    let redis = Redis::at(&services::url(services::REDIS), &services::name()).unwrap();
    let test = suite::DriverTest::new(async |clock| (RedisDriver::new(redis.clone(), clock), ())).await;
    let queue = test.queue();
    let start = async || queue.dispatch_batch(batch([suite::jobs::Note("a job".into())])).await.unwrap();
    let (old, running) = (start().await, start().await);
    // What the server does by itself a week after it has ended.
    let key = format!("{}queue:batch:{old}", redis.prefix());
    assert_eq!(redis.command::<u64>(cmd("DEL").arg(key)).await.unwrap(), 1);
    let newest = start().await;
    let list = format!("{}queue:batches", redis.prefix());
    let mut listed: Vec<String> = redis.command(cmd("ZRANGE").arg(list).arg(0).arg(-1)).await.unwrap();
    listed.sort();
    let mut expected = vec![running.to_string(), newest.to_string()];
    expected.sort();
    assert_eq!(listed, expected);
}
