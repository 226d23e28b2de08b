//! The shared suite on Redis, and what only Redis has to stand.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod services;
mod suite;

use std::time::Duration;

use housekey_cache::redis::RedisStore;
use housekey_cache::{Cache, Store};
use housekey_core::Clock;
use housekey_redis::Redis;
use housekey_redis::client::cmd;
use housekey_test_support::{ClosedPort, ServerPort};

fn redis() -> Redis {
    Redis::at(&services::url(services::REDIS), &format!("{}:", services::name())).unwrap()
}

suite::store_suite!(redis, |clock| (super::RedisStore::new(super::redis(), clock), ()));

#[tokio::test]
async fn clearing_the_cache_leaves_what_else_the_application_keeps_there() {
    let redis = redis();
    let other = format!("{}session:1", redis.prefix());
    redis.command::<()>(cmd("SET").arg(&other).arg("kept").arg("EX").arg(60)).await.unwrap();
    let store = RedisStore::new(redis.clone(), Clock::system());
    for key in ["a*b", "a?b", "a[1]", "a\\b", "aXb"] {
        store.put(key, b"v".to_vec(), Some(Duration::from_secs(60))).await.unwrap();
    }
    store.clear("a*").await.unwrap();
    assert_eq!(store.get("a*b").await.unwrap(), None);
    for key in ["a?b", "a[1]", "a\\b", "aXb"] {
        assert!(store.get(key).await.unwrap().is_some(), "a star in a prefix is a star: {key}");
    }
    store.clear("").await.unwrap();
    assert_eq!(store.get("aXb").await.unwrap(), None);
    assert_eq!(redis.command::<String>(cmd("GET").arg(&other)).await.unwrap(), "kept");
}

#[tokio::test]
async fn the_server_takes_back_the_memory_of_what_has_ended() {
    let redis = redis();
    let store = RedisStore::new(redis.clone(), Clock::system());
    store.put("short", b"v".to_vec(), Some(Duration::from_secs(5))).await.unwrap();
    store.increment("count", 1, Some(Duration::from_secs(5))).await.unwrap();
    store.put("stays", b"v".to_vec(), None).await.unwrap();
    let left = async |key: &str| {
        redis.command::<i64>(cmd("PTTL").arg(format!("{}cache:{key}", redis.prefix()))).await.unwrap()
    };
    for key in ["short", "count"] {
        let left = left(key).await;
        assert!((5_000..=65_000).contains(&left), "{key}: {left}");
    }
    assert_eq!(left("stays").await, -1);
    store.clear("").await.unwrap();
}

#[tokio::test]
async fn an_unreachable_server_is_an_error_and_never_a_miss() {
    let closed = ClosedPort::take().unwrap();
    let address = format!("redis://{}", closed.address());
    let store = RedisStore::new(Redis::at(&address, "").unwrap(), Clock::system());
    assert!(store.get("k").await.is_err());
    assert!(store.add("k", b"v".to_vec(), None).await.is_err());
    assert!(store.increment("k", 1, None).await.is_err());
    assert!(store.forget("k").await.is_err());
    assert!(store.clear("").await.is_err());
    let cache = Cache::new(store, Clock::system());
    let made = cache.remember("k", None, async || Ok(1)).await;
    assert!(made.unwrap_err().to_string().contains("cannot reach Redis"));
}

/// Passes bytes on to the server until it is cut.
struct Line {
    address: std::net::SocketAddr,
    calls: tokio::task::JoinHandle<()>,
}

impl Line {
    async fn lay(port: &ServerPort) -> Self {
        let server = services::url(services::REDIS);
        let server = server.trim_start_matches("redis://").split('/').next().unwrap().to_owned();
        let socket = tokio::net::TcpListener::bind(("127.0.0.1", port.number())).await.unwrap();
        let address = socket.local_addr().unwrap();
        let calls = tokio::spawn(async move {
            // Every call is part of this task, and ends with it.
            let mut calls = tokio::task::JoinSet::new();
            loop {
                let (mut caller, _) = socket.accept().await.unwrap();
                let mut server = tokio::net::TcpStream::connect(&server).await.unwrap();
                calls.spawn(async move {
                    let _ = tokio::io::copy_bidirectional(&mut caller, &mut server).await;
                });
            }
        });
        Self { address, calls }
    }

    async fn cut(self) {
        self.calls.abort();
        let _ = self.calls.await;
    }
}

#[tokio::test]
async fn a_connection_that_breaks_is_an_error_once_and_mends_itself() {
    // It stays ours while nobody listens there.
    let port = ServerPort::claim().unwrap();
    let line = Line::lay(&port).await;
    let redis = Redis::at(&format!("redis://{}", line.address), &services::name()).unwrap();
    let store = RedisStore::new(redis, Clock::system());
    store.put("k", b"v".to_vec(), Some(Duration::from_secs(60))).await.unwrap();
    line.cut().await;
    for _ in 0..3 {
        let error = store.get("k").await.unwrap_err().to_string();
        assert!(error.contains("cannot reach Redis"), "{error}");
    }
    let _line = Line::lay(&port).await;
    // The first call may still be told that the line was cut.
    let _ = store.get("k").await;
    assert_eq!(store.get("k").await.unwrap().as_deref(), Some(&b"v"[..]));
    store.clear("").await.unwrap();
}
