//! What every store of sessions must do, on every store there is.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../housekey-cache/tests/services/mod.rs"]
mod services;

use std::sync::Arc;

use housekey_core::Clock;
use housekey_redis::Redis;
use housekey_session::{
    DatabaseSessions, FileSessions, MemorySessions, RedisSessions, SessionId, SessionRecord, SessionStore,
    create_sessions_table,
};
use services::TestDatabase;

struct Bench {
    store: Arc<dyn SessionStore>,
    _held: Box<dyn std::any::Any + Send>,
}

impl Bench {
    fn new(store: impl SessionStore, held: impl Send + 'static) -> Self {
        Self { store: Arc::new(store), _held: Box::new(held) }
    }

    async fn on_database(test: TestDatabase) -> Self {
        let database = test.database();
        database.schema(create_sessions_table).await.unwrap();
        Self::new(DatabaseSessions::new(database), test)
    }
}

fn redis() -> Redis {
    Redis::at(&services::url(services::REDIS), &services::name()).unwrap()
}

fn record(payload: &[u8]) -> SessionRecord {
    SessionRecord::new(payload.to_vec(), Clock::system().unix() + 60)
}

macro_rules! store_suite {
    ($($name:ident: $make:expr;)*) => {
        $(mod $name {
            use super::*;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn a_record_is_replaced_only_by_who_knows_its_version() {
                super::a_record_is_replaced_only_by_who_knows_its_version($make).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn of_many_that_write_at_once_one_succeeds() {
                super::of_many_that_write_at_once_one_succeeds($make).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn any_bytes_come_back() {
                super::any_bytes_come_back($make).await;
            }
        })*
    };
}

store_suite! {
    memory: Bench::new(MemorySessions::new(), ());
    file: {
        let folder = tempfile::tempdir().unwrap();
        Bench::new(FileSessions::open(folder.path()).unwrap(), folder)
    };
    sqlite: Bench::on_database(TestDatabase::sqlite().await).await;
    postgres: Bench::on_database(TestDatabase::postgres().await).await;
    mysql: Bench::on_database(TestDatabase::mysql().await).await;
    redis: Bench::new(RedisSessions::new(super::redis(), Clock::system()), ());
}

async fn a_record_is_replaced_only_by_who_knows_its_version(bench: Bench) {
    let (store, id) = (&bench.store, SessionId::random());
    let (first, second, third) = (record(b"first"), record(b"second"), record(b"third"));
    assert_eq!(store.read(&id).await.unwrap(), None);
    assert!(!store.swap(&id, Some(1), first.clone()).await.unwrap(), "there is none to replace");
    assert!(store.swap(&id, None, first.clone()).await.unwrap());
    assert_eq!(store.read(&id).await.unwrap(), Some(first.clone()));
    assert!(!store.swap(&id, None, second.clone()).await.unwrap(), "there is one already");
    assert!(store.swap(&id, Some(first.version), second.clone()).await.unwrap());
    assert!(!store.swap(&id, Some(first.version), third).await.unwrap(), "that one is gone");
    assert_eq!(store.read(&id).await.unwrap(), Some(second));
    assert_eq!(store.read(&SessionId::random()).await.unwrap(), None);
    store.remove(&id).await.unwrap();
    store.remove(&id).await.unwrap();
    assert_eq!(store.read(&id).await.unwrap(), None);
}

async fn of_many_that_write_at_once_one_succeeds(bench: Bench) {
    let id = SessionId::random();
    let mut expected = None;
    for _ in 0..3 {
        let writers: Vec<_> = (0..12)
            .map(|number: u8| {
                let (store, record) = (bench.store.clone(), record(&[number]));
                tokio::spawn(async move { store.swap(&id, expected, record).await.unwrap() })
            })
            .collect();
        let mut winners = 0;
        for writer in writers {
            winners += u8::from(writer.await.unwrap());
        }
        assert_eq!(winners, 1);
        expected = Some(bench.store.read(&id).await.unwrap().unwrap().version);
    }
}

async fn any_bytes_come_back(bench: Bench) {
    for payload in [Vec::new(), vec![0, 255, b'\'', b'"'], vec![7; 200_000]] {
        let (id, record) = (SessionId::random(), record(&payload));
        assert!(bench.store.swap(&id, None, record.clone()).await.unwrap());
        assert_eq!(bench.store.read(&id).await.unwrap(), Some(record));
    }
}

#[tokio::test]
async fn expired_records_are_swept_out_of_the_table_and_others_stay() {
    let bench = Bench::on_database(TestDatabase::sqlite().await).await;
    let (old, new) = (SessionId::random(), SessionId::random());
    bench.store.swap(&old, None, SessionRecord::new(Vec::new(), 100)).await.unwrap();
    bench.store.swap(&new, None, SessionRecord::new(Vec::new(), 101)).await.unwrap();
    assert_eq!(bench.store.collect_garbage(100).await.unwrap(), 1);
    assert!(bench.store.read(&old).await.unwrap().is_none());
    assert!(bench.store.read(&new).await.unwrap().is_some());
}

#[tokio::test]
async fn redis_forgets_a_session_by_itself() {
    let redis = redis();
    let (store, id) = (RedisSessions::new(redis.clone(), Clock::system()), SessionId::random());
    store.swap(&id, None, record(b"short")).await.unwrap();
    let key = format!("{}session:{}", redis.prefix(), id.to_hex());
    let left: i64 = redis.command(housekey_redis::client::cmd("TTL").arg(key)).await.unwrap();
    assert!((300..=360).contains(&left), "{left}");
}

#[tokio::test]
async fn a_missing_table_is_an_error_that_says_how_to_make_it() {
    let test = TestDatabase::sqlite().await;
    let error =
        DatabaseSessions::new(test.database()).read(&SessionId::random()).await.unwrap_err().to_string();
    assert!(error.contains("make:session-table"), "{error}");
}
