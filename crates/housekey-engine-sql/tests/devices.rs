//! Devices and one-time tokens on every database: polls are counted, and one who brings a code or a token wins.

use bytes::Bytes;
use housekey_database::on_every_engine;
use housekey_database::testing::TestDatabase;
use housekey_engine::options::{EmailAndPassword, EngineOptions, RateLimitOptions};
use housekey_engine::plugins::device_authorization::{DeviceAuthorizationOptions, device_authorization};
use housekey_engine::plugins::one_time_token;
use housekey_engine::{Clock, Engine};
use housekey_engine_sql::SqlStorage;
use http::{Request, Response, StatusCode};
use serde_json::{Value, json};

on_every_engine!(
    polls_of_one_device_at_two_processes_are_counted_and_one_gets_the_session,
    of_those_who_bring_a_one_time_token_at_the_same_time_one_gets_the_session,
);

const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// Two engines on one database, as two processes have it, and their clock.
async fn two_processes(test: TestDatabase) -> (Engine, Engine, Clock) {
    let (storage, clock) = (SqlStorage::new(test.db), Clock::frozen_now());
    let engine = || {
        let options = EngineOptions {
            secret: "a secret of at least thirty-two characters".into(),
            base_url: "http://localhost:3000".into(),
            email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
            rate_limit: RateLimitOptions { enabled: Some(false), ..Default::default() },
            ..Default::default()
        };
        let plugins =
            [device_authorization(DeviceAuthorizationOptions::default()), one_time_token(Default::default())];
        Engine::builder(options).plugins(plugins).clock(clock.clone()).build(storage.clone()).unwrap()
    };
    let (one, other) = (engine(), engine());
    storage.create_tables(one.schema()).await.unwrap();
    (one, other, clock)
}

async fn send(engine: &Engine, path: &str, body: Option<Value>, cookie: &str) -> Response<Bytes> {
    let request = match body {
        Some(_) => Request::post(format!("/api/auth{path}")).header("content-type", "application/json"),
        None => Request::get(format!("/api/auth{path}")),
    };
    let request = request.header("origin", "http://localhost:3000").header("cookie", cookie);
    engine.handle(request.body(body.map(|body| body.to_string()).unwrap_or_default().into()).unwrap()).await
}

fn json_of(response: &Response<Bytes>) -> Value {
    serde_json::from_slice(response.body()).unwrap()
}

/// Signs Ada up; her cookie.
async fn ada(engine: &Engine) -> String {
    let body = json!({ "name": "Ada", "email": "ada@example.com", "password": "correct horse" });
    let answer = send(engine, "/sign-up/email", Some(body), "").await;
    assert_eq!(answer.status(), StatusCode::OK, "{answer:?}");
    answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned()
}

/// The same at both, several times at once.
async fn at_once(here: &Engine, there: &Engine, path: &'static str, body: &Value) -> Vec<Response<Bytes>> {
    let calls: Vec<_> = (0..8)
        .map(|turn| {
            let (engine, body) = (if turn % 2 == 0 { here } else { there }.clone(), body.clone());
            tokio::spawn(async move { send(&engine, path, Some(body), "").await })
        })
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        let answer = call.await.unwrap();
        assert!(!answer.status().is_server_error(), "{answer:?}");
        answers.push(answer);
    }
    answers
}

// spec: KEY-2
async fn polls_of_one_device_at_two_processes_are_counted_and_one_gets_the_session(test: TestDatabase) {
    let (here, there, clock) = two_processes(test).await;
    let cookie = ada(&here).await;
    let codes = send(&here, "/device/code", Some(json!({ "client_id": "tool" })), "").await;
    let codes = json_of(&codes);
    let poll = json!({ "grant_type": GRANT, "device_code": codes["device_code"], "client_id": "tool" });
    let is = |answer: &Response<Bytes>, error: &str| json_of(answer)["error"] == error;
    // The first wave compares with no poll at all, the second with the time of one.
    for _ in 0..2 {
        let answers = at_once(&here, &there, "/device/token", &poll).await;
        assert_eq!(answers.iter().filter(|answer| is(answer, "authorization_pending")).count(), 1);
        assert_eq!(answers.iter().filter(|answer| is(answer, "slow_down")).count(), 7);
        clock.advance(std::time::Duration::from_secs(5));
    }
    let user_code = codes["user_code"].as_str().unwrap();
    let seen = send(&there, &format!("/device?user_code={user_code}"), None, &cookie).await;
    assert_eq!(json_of(&seen)["client_id"], "tool");
    let approved = send(&here, "/device/approve", Some(json!({ "userCode": user_code })), &cookie).await;
    assert_eq!(approved.status(), StatusCode::OK, "{approved:?}");
    let answers = at_once(&here, &there, "/device/token", &poll).await;
    assert_eq!(answers.iter().filter(|answer| answer.status() == StatusCode::OK).count(), 1);
}

// spec: KEY-2
async fn of_those_who_bring_a_one_time_token_at_the_same_time_one_gets_the_session(test: TestDatabase) {
    let (here, there, _) = two_processes(test).await;
    let cookie = ada(&here).await;
    let token = json_of(&send(&there, "/one-time-token/generate", None, &cookie).await);
    let body = json!({ "token": token["token"] });
    let answers = at_once(&here, &there, "/one-time-token/verify", &body).await;
    assert_eq!(answers.iter().filter(|answer| answer.status() == StatusCode::OK).count(), 1);
}
