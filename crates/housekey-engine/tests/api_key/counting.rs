use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use housekey_engine::Plugin;
use housekey_engine::plugins::api_key::{KeyRateLimit, Refill};
use housekey_test_support::in_time;
use tokio::sync::Notify;

use super::*;

async fn limited(test: &TestEngine, wanted: NewApiKey) -> String {
    let ada = test.ada().await;
    server_made(test, &ada, wanted).await.key.reveal().to_owned()
}

#[tokio::test]
async fn a_key_can_be_used_as_often_as_it_says() {
    let test = test_engine();
    let key = limited(&test, NewApiKey { remaining: Some(2), ..Default::default() }).await;
    assert_eq!(verified(&test, &key).await.unwrap().key.remaining, Some(1));
    assert_eq!(verified(&test, &key).await.unwrap().key.remaining, Some(0));
    let error = verified(&test, &key).await.unwrap_err();
    assert_eq!((error.status(), error.code()), (StatusCode::TOO_MANY_REQUESTS, Some("USAGE_EXCEEDED")));
    assert!(test.rows("apikey").await.is_empty(), "a key without a use is deleted, as in the reference");
    assert_eq!(refused(&test, &key).await, "INVALID_API_KEY");
}

#[tokio::test]
async fn uses_come_back_when_it_is_time() {
    let test = test_engine();
    let refill = Some(Refill { amount: 2, interval: 60_000 });
    let key = limited(&test, NewApiKey { refill, ..Default::default() }).await;
    for _ in 0..2 {
        verified(&test, &key).await.unwrap();
    }
    assert_eq!(refused(&test, &key).await, "USAGE_EXCEEDED");
    test.advance(61);
    assert_eq!(verified(&test, &key).await.unwrap().key.remaining, Some(1));
    assert!(verified(&test, &key).await.is_ok());
    assert_eq!(refused(&test, &key).await, "USAGE_EXCEEDED");
}

#[tokio::test]
async fn a_limit_holds_within_a_window_and_says_when_to_come_back() {
    let test = test_engine();
    let rate_limit = Some(KeyRateLimit { enabled: true, time_window: 60_000, max_requests: 2 });
    let key = limited(&test, NewApiKey { rate_limit, ..Default::default() }).await;
    for count in 1..=2 {
        assert_eq!(verified(&test, &key).await.unwrap().key.request_count, count);
    }
    let error = verified(&test, &key).await.unwrap_err();
    assert_eq!((error.status(), error.code()), (StatusCode::TOO_MANY_REQUESTS, Some("RATE_LIMITED")));
    let (_, details) = error.fields().iter().find(|(name, _)| *name == "details").unwrap();
    let wait = details["tryAgainIn"].as_u64().unwrap();
    assert!((1..=60_000).contains(&wait), "{wait}");
    assert!(error.headers().contains_key("retry-after"));
    test.clock.advance(std::time::Duration::from_millis(wait));
    assert_eq!(verified(&test, &key).await.unwrap().key.request_count, 1);
}

#[tokio::test]
async fn who_stays_below_the_limit_is_never_refused() {
    let test = test_engine();
    let rate_limit = Some(KeyRateLimit { enabled: true, time_window: 60_000, max_requests: 3 });
    let key = limited(&test, NewApiKey { rate_limit, ..Default::default() }).await;
    for use_ in 0..30 {
        assert!(verified(&test, &key).await.is_ok(), "use {use_}: two in a minute are fewer than three");
        test.advance(30);
    }
}

#[tokio::test]
async fn every_use_is_counted_where_that_is_wanted() {
    let test = with(ApiKeyConfig { count_every_use: true, ..ApiKeyConfig::default() });
    let key = limited(&test, NewApiKey::default()).await;
    for _ in 0..5 {
        verified(&test, &key).await.unwrap();
        test.advance(100_000);
    }
    assert_eq!(test.rows("apikey").await[0].get("requestCount").unwrap().as_integer(), Some(5));
}

// spec: KEY-4
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_want_the_last_uses_only_so_many_get_one() {
    let test = test_engine();
    let rate_limit = Some(KeyRateLimit { enabled: true, time_window: 86_400_000, max_requests: 1000 });
    let key = limited(&test, NewApiKey { remaining: Some(10), rate_limit, ..Default::default() }).await;
    let uses = (0..50).map(|_| {
        let (test, key) = (test.clone(), key.clone());
        tokio::spawn(async move { verified(&test, &key).await.is_ok() })
    });
    let mut granted = 0;
    for use_ in uses.collect::<Vec<_>>() {
        granted += usize::from(use_.await.unwrap());
    }
    assert_eq!(granted, 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_find_a_refill_due_one_refills() {
    let test = test_engine();
    let refill = Some(Refill { amount: 10, interval: 1000 });
    let key = limited(&test, NewApiKey { refill, remaining: Some(0), ..Default::default() }).await;
    test.advance(2);
    let uses = (0..50).map(|_| {
        let (test, key) = (test.clone(), key.clone());
        tokio::spawn(async move { verified(&test, &key).await.is_ok() })
    });
    let mut granted = 0;
    for use_ in uses.collect::<Vec<_>>() {
        granted += usize::from(use_.await.unwrap());
    }
    assert_eq!(granted, 10);
}

/// How many of fifty who come at the same time may use a key. Everyone reads the row before the first one writes it.
async fn granted(wanted: NewApiKey, later: u64) -> usize {
    let test = crate::elsewhere::test_engine(|_| {
        Engine::builder(options()).plugins([api_key::api_key(Default::default())])
    });
    let key = limited(&test, wanted).await;
    test.advance(later);
    let uses = (0..50).map(|_| {
        let (test, key) = (test.clone(), key.clone());
        tokio::spawn(async move { verified(&test, &key).await.is_ok() })
    });
    let mut granted = 0;
    for use_ in uses.collect::<Vec<_>>() {
        granted += usize::from(use_.await.unwrap());
    }
    granted
}

// spec: KEY-4
#[tokio::test]
async fn a_use_is_counted_by_the_row_and_not_by_what_was_read_of_it() {
    let last = NewApiKey { remaining: Some(10), ..Default::default() };
    assert_eq!(granted(last, 0).await, 10, "the last uses");
    let refill = Some(Refill { amount: 10, interval: 1000 });
    let due = NewApiKey { refill, remaining: Some(0), ..Default::default() };
    assert_eq!(granted(due, 2).await, 10, "a refill that is due");
    let rate_limit = Some(KeyRateLimit { enabled: true, time_window: 86_400_000, max_requests: 10 });
    let new_window = NewApiKey { rate_limit, ..Default::default() };
    assert_eq!(granted(new_window, 0).await, 10, "a window that begins");
}

/// Somebody turns a key off between the moment it is read and the moment its use is counted.
// spec: KEY-4
#[tokio::test]
async fn a_key_that_is_turned_off_while_it_is_used_is_off() {
    let (inside, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let armed = Arc::new(AtomicBool::new(false));
    let stall = {
        let (inside, go, armed) = (Arc::clone(&inside), Arc::clone(&go), Arc::clone(&armed));
        Plugin::new("stall").session_guard(move |_, _| {
            let (inside, go, armed) = (Arc::clone(&inside), Arc::clone(&go), Arc::clone(&armed));
            Box::pin(async move {
                if armed.swap(false, Ordering::SeqCst) {
                    inside.notify_one();
                    go.notified().await;
                }
                Ok(())
            })
        })
    };
    let plugins = [api_key::api_key(Default::default()), stall];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let mut ada = test.ada().await;
    let created = server_made(&test, &ada, NewApiKey { remaining: Some(5), ..Default::default() }).await;
    armed.store(true, Ordering::SeqCst);
    let (used, key) = (test.clone(), created.key.reveal().to_owned());
    let used = tokio::spawn(async move { refused(&used, &key).await });
    in_time("the step inside", inside.notified()).await;
    let off = json!({ "keyId": created.api_key.id, "enabled": false });
    ada.post("/api-key/update", off).await.assert(StatusCode::OK);
    go.notify_one();
    assert_eq!(used.await.unwrap(), "KEY_DISABLED");
}
