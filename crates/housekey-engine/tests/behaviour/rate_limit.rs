use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use housekey_engine::options::{CustomRule, EngineOptions, RateLimitStorage, RateRule, Shared};
use housekey_engine::{BoxError, BoxFuture, Hit, RateLimitStore};
use http::StatusCode;

use crate::support::{Browser, TestEngine, options};

fn limited() -> EngineOptions {
    let mut options = options();
    options.rate_limit.enabled = Some(true);
    options
}

fn from(test: &TestEngine, address: &str) -> Browser {
    let mut browser = test.browser();
    browser.headers.insert("x-forwarded-for", address.parse().unwrap());
    browser
}

async fn statuses(browser: &mut Browser, path: &str, times: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..times {
        statuses.push(browser.get(path).await.status.as_u16());
    }
    statuses
}

#[tokio::test]
// spec: ENG-1, IP-4
async fn the_fourth_sign_in_in_ten_seconds_is_refused_for_that_address_only() {
    let test = TestEngine::new(limited());
    let mut browser = from(&test, "203.0.113.7");
    for _ in 0..3 {
        browser.sign_in("ada@example.com", "wrong password").await.assert(StatusCode::UNAUTHORIZED);
    }
    test.advance(4);
    let refused =
        browser.sign_in("ada@example.com", "wrong password").await.assert(StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(
        refused.json(),
        serde_json::json!({ "message": "Too many requests. Please try again later." })
    );
    assert_eq!((refused.header("retry-after"), refused.header("x-retry-after")), (Some("6"), Some("6")));
    browser.get("/get-session").await.assert(StatusCode::OK);
    from(&test, "203.0.113.8")
        .sign_in("ada@example.com", "wrong password")
        .await
        .assert(StatusCode::UNAUTHORIZED);
    test.advance(6);
    browser.sign_in("ada@example.com", "wrong password").await.assert(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
// spec: CFG-9
async fn limits_are_on_in_production_unless_said_otherwise() {
    for (production, enabled, expected) in
        [(true, None, 429), (false, None, 401), (true, Some(false), 401), (false, Some(true), 429)]
    {
        let mut options = EngineOptions { production, ..options() };
        options.rate_limit.enabled = enabled;
        let test = TestEngine::new(options);
        let mut browser = from(&test, "203.0.113.7");
        let mut last = 0;
        for _ in 0..4 {
            last = browser.sign_in("ada@example.com", "wrong password").await.status.as_u16();
        }
        assert_eq!(last, expected, "production {production}, enabled {enabled:?}");
    }
}

#[tokio::test]
async fn the_app_s_own_rules_win() {
    let mut options = limited();
    options.rate_limit.max = 2;
    options.rate_limit.custom_rules = BTreeMap::from([
        ("/ok".into(), CustomRule::Unlimited),
        ("/get-*".into(), CustomRule::Fixed(RateRule { window: 5, max: 1 })),
    ]);
    let test = TestEngine::new(options);
    let mut browser = from(&test, "203.0.113.7");
    assert_eq!(statuses(&mut browser, "/ok", 4).await, [200, 200, 200, 200]);
    assert_eq!(statuses(&mut browser, "/get-session", 2).await, [200, 429]);
    assert_eq!(statuses(&mut browser, "/list-sessions", 3).await, [401, 401, 429]);
    assert_eq!(statuses(&mut browser, "/nowhere/1", 2).await, [404, 404]);
    assert_eq!(statuses(&mut browser, "/nowhere/2", 1).await, [429], "made-up paths share a count");
}

#[tokio::test]
async fn a_made_up_chain_of_addresses_gives_no_new_count() {
    let mut options = limited();
    options.rate_limit.max = 1;
    options.advanced.ip_address.trusted_proxies = vec!["10.0.0.1".into()];
    let test = TestEngine::new(options);
    assert_eq!(statuses(&mut from(&test, "1.1.1.1, 203.0.113.7, 10.0.0.1"), "/ok", 1).await, [200]);
    assert_eq!(statuses(&mut from(&test, "2.2.2.2, 203.0.113.7, 10.0.0.1"), "/ok", 1).await, [429]);
    assert_eq!(statuses(&mut from(&test, "203.0.113.8, 10.0.0.1"), "/ok", 1).await, [200]);
}

#[tokio::test]
async fn counts_can_be_in_the_database_and_expired_ones_begin_again() {
    let mut options = limited();
    options.rate_limit.storage = RateLimitStorage::Database;
    options.rate_limit.max = 2;
    let test = TestEngine::new(options);
    let mut browser = from(&test, "203.0.113.7");
    assert_eq!(statuses(&mut browser, "/ok", 3).await, [200, 200, 429]);
    let rows = test.rows("rateLimit").await;
    assert_eq!(rows[0].text("key"), Some("203.0.113.7|/ok"));
    test.advance(10);
    assert_eq!(statuses(&mut browser, "/ok", 3).await, [200, 200, 429]);
    assert_eq!(test.rows("rateLimit").await.len(), 1);
}

#[tokio::test]
async fn requests_at_the_same_time_are_counted_one_by_one() {
    let mut options = limited();
    options.rate_limit.storage = RateLimitStorage::Database;
    options.rate_limit.max = 5;
    let test = TestEngine::new(options);
    let requests = (0..12).map(|_| {
        let mut browser = from(&test, "203.0.113.7");
        tokio::spawn(async move { browser.get("/ok").await.status })
    });
    let mut allowed = 0;
    for request in requests.collect::<Vec<_>>() {
        allowed += usize::from(request.await.unwrap() == StatusCode::OK);
    }
    assert_eq!(allowed, 5);
}

#[tokio::test]
async fn a_store_of_one_s_own_is_asked_and_one_that_fails_lets_nobody_through() {
    struct Counting(Mutex<u32>);
    impl RateLimitStore for Counting {
        fn hit<'a>(&'a self, _: &'a str, window: Duration) -> BoxFuture<'a, Result<Hit, BoxError>> {
            let mut count = self.0.lock().unwrap();
            *count += 1;
            let count = *count;
            Box::pin(async move {
                if count > 2 {
                    Err("out of order".into())
                } else {
                    Ok(Hit { count: count * 60, resets_in: window })
                }
            })
        }
    }
    let mut options = limited();
    options.rate_limit.custom_storage = Shared::new(Arc::new(Counting(Mutex::default())));
    let test = TestEngine::new(options);
    assert_eq!(statuses(&mut from(&test, "203.0.113.7"), "/ok", 3).await, [200, 429, 500]);
}
