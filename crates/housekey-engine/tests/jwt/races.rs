//! Several processes on one table: one of them makes the key.

use housekey_engine::plugins::JwtOptions;
use http::StatusCode;
use serde_json::Value;

use crate::jwt::issuer::verifier;
use crate::jwt::{builder, kid, test_engine, token, with};
use crate::support::{Browser, PASSWORD, TestEngine};

const PROCESSES: usize = 6;

async fn processes(test: &TestEngine, options: &JwtOptions) -> Vec<Browser> {
    let mut browsers = Vec::new();
    for _ in 0..PROCESSES {
        let mut browser = test.under(builder(options.clone())).browser();
        browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
        browsers.push(browser);
    }
    browsers
}

async fn all_at_once(browsers: &[Browser]) -> Vec<String> {
    let tasks: Vec<_> = browsers
        .iter()
        .map(|browser| {
            let mut browser = browser.clone();
            tokio::spawn(async move { token(&mut browser).await })
        })
        .collect();
    let mut tokens = Vec::new();
    for task in tasks {
        tokens.push(task.await.unwrap());
    }
    tokens
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: KEY-5
async fn of_many_processes_that_begin_at_once_one_makes_the_key() {
    for _ in 0..10 {
        let test = test_engine();
        test.ada().await;
        let browsers = processes(&test, &JwtOptions::default()).await;
        let tokens = all_at_once(&browsers).await;
        assert_eq!(test.rows("jwks").await.len(), 1);
        for token in &tokens {
            assert_eq!(kid(token), kid(&tokens[0]));
            verifier(&test).verify::<Value>(token).await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: KEY-5
async fn of_many_processes_that_rotate_at_once_one_does() {
    let options = JwtOptions { rotation_interval: Some(3600), ..JwtOptions::default() };
    for _ in 0..10 {
        let test = with(options.clone());
        test.ada().await;
        let browsers = processes(&test, &options).await;
        let mut before = all_at_once(&browsers).await;
        for round in 2..5 {
            test.advance(3600);
            let now = all_at_once(&browsers).await;
            assert_eq!(test.rows("jwks").await.len(), round);
            assert!(now.iter().all(|token| kid(token) == kid(&now[0])), "all of them have the new one");
            assert_ne!(kid(&now[0]), kid(&before[0]));
            before = now;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_requests_to_one_process_one_makes_the_key() {
    let test = test_engine();
    let ada = test.ada().await;
    let tokens = all_at_once(&vec![ada; 20]).await;
    assert_eq!(test.rows("jwks").await.len(), 1);
    assert!(tokens.iter().all(|token| kid(token) == kid(&tokens[0])));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn keys_that_are_asked_for_by_many_are_made_once() {
    let test = test_engine();
    let tasks: Vec<_> = (0..12)
        .map(|_| {
            let test = test.under(builder(JwtOptions::default()));
            tokio::spawn(async move { crate::jwt::kids(&test).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap().len(), 1);
    }
    assert_eq!(test.rows("jwks").await.len(), 1);
}
