//! Links and codes by mail on every database: one who spends them wins, and guesses by several processes get no more tries.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use housekey_database::on_every_engine;
use housekey_database::testing::TestDatabase;
use housekey_engine::options::{EmailAndPassword, EngineOptions, RateLimitOptions};
use housekey_engine::plugins::email_otp::{EmailOtpMail, EmailOtpOptions, email_otp};
use housekey_engine::plugins::magic_link::{MagicLinkMail, MagicLinkOptions, magic_link};
use housekey_engine::{ApiError, Callback, Engine};
use housekey_engine_sql::SqlStorage;
use http::{Request, Response, StatusCode};
use serde_json::{Value, json};

on_every_engine!(
    of_those_who_open_a_link_at_the_same_time_one_is_in,
    a_link_is_asked_for_with_two_queries_and_opened_with_four,
    of_those_who_enter_a_code_at_the_same_time_one_is_in,
    guesses_from_two_processes_get_three_tries,
);

const ADA: &str = "ada@example.com";

/// The newest secret that was mailed.
type Mailed = Arc<Mutex<String>>;

/// An engine of its own, as another process has it.
fn engine(storage: &SqlStorage, mailed: &Mailed) -> Engine {
    let options = EngineOptions {
        secret: "a secret of at least thirty-two characters".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        rate_limit: RateLimitOptions { enabled: Some(false), ..Default::default() },
        ..Default::default()
    };
    let (links, codes) = (Arc::clone(mailed), Arc::clone(mailed));
    let send_magic_link = Callback::new(move |mail: MagicLinkMail| {
        *links.lock().unwrap() = mail.token;
        async { Ok::<_, ApiError>(()) }
    });
    let send_verification_otp = Callback::new(move |mail: EmailOtpMail| {
        *codes.lock().unwrap() = mail.otp;
        async { Ok::<_, ApiError>(()) }
    });
    let plugins = [
        magic_link(MagicLinkOptions { send_magic_link, ..Default::default() }),
        email_otp(EmailOtpOptions { send_verification_otp, ..Default::default() }),
    ];
    Engine::builder(options).plugins(plugins).build(storage.clone()).unwrap()
}

async fn two_processes(test: TestDatabase) -> (Engine, Engine, Mailed) {
    let (storage, mailed) = (SqlStorage::new(test.db), Mailed::default());
    let (one, other) = (engine(&storage, &mailed), engine(&storage, &mailed));
    storage.create_tables(one.schema()).await.unwrap();
    (one, other, mailed)
}

async fn post(engine: &Engine, path: &str, body: Value) -> Response<Bytes> {
    let request = Request::post(format!("/api/auth{path}")).header("content-type", "application/json");
    engine.handle(request.body(Bytes::from(body.to_string())).unwrap()).await
}

/// The same at both, several times at once; how many were let in.
async fn at_once<F>(here: &Engine, there: &Engine, call: impl Fn(Engine) -> F) -> usize
where
    F: Future<Output = Response<Bytes>> + Send + 'static,
{
    let calls: Vec<_> =
        (0..6).map(|turn| tokio::spawn(call(if turn % 2 == 0 { here } else { there }.clone()))).collect();
    let mut welcomed = 0;
    for answer in calls {
        let answer = answer.await.unwrap();
        assert!(!answer.status().is_server_error(), "{answer:?}");
        welcomed += usize::from(answer.headers().contains_key("set-cookie"));
    }
    welcomed
}

// spec: KEY-2
async fn of_those_who_open_a_link_at_the_same_time_one_is_in(test: TestDatabase) {
    let (here, there, mailed) = two_processes(test).await;
    // Somebody new, then somebody known.
    for _ in 0..2 {
        let asked = post(&here, "/sign-in/magic-link", json!({ "email": ADA })).await;
        assert_eq!(asked.status(), StatusCode::OK, "{asked:?}");
        let token = mailed.lock().unwrap().clone();
        let open = |engine: Engine| {
            let path = format!("/api/auth/magic-link/verify?token={token}&callbackURL=/in");
            async move { engine.handle(Request::get(path).body(Bytes::new()).unwrap()).await }
        };
        assert_eq!(at_once(&here, &there, open).await, 1);
    }
}

// spec: KEY-1
async fn a_link_is_asked_for_with_two_queries_and_opened_with_four(test: TestDatabase) {
    let db = test.db.clone();
    let (engine, _, mailed) = two_processes(test).await;
    // The first time makes the user, and sweeps what has run out.
    for is_first in [true, false] {
        let log = db.log_queries();
        post(&engine, "/sign-in/magic-link", json!({ "email": ADA })).await;
        let asked = log.statements().len();
        let path = format!("/api/auth/magic-link/verify?token={}&callbackURL=/in", mailed.lock().unwrap());
        let opened = engine.handle(Request::get(path).body(Bytes::new()).unwrap()).await;
        assert!(opened.headers().contains_key("set-cookie"), "{opened:?}");
        if !is_first {
            // Who has the address, and the link; then the link, who has the address, its end, and the session.
            assert_eq!(asked, 2, "{:?}", log.statements());
            log.assert_queries(2 + 4);
        }
    }
}

// spec: KEY-2
async fn of_those_who_enter_a_code_at_the_same_time_one_is_in(test: TestDatabase) {
    let (here, there, mailed) = two_processes(test).await;
    for _ in 0..2 {
        let body = json!({ "email": ADA, "type": "sign-in" });
        assert_eq!(post(&here, "/email-otp/send-verification-otp", body).await.status(), StatusCode::OK);
        let otp = mailed.lock().unwrap().clone();
        let enter = |engine: Engine| {
            let body = json!({ "email": ADA, "otp": otp });
            async move { post(&engine, "/sign-in/email-otp", body).await }
        };
        assert_eq!(at_once(&here, &there, enter).await, 1);
    }
}

// spec: KEY-2, SEC-4
async fn guesses_from_two_processes_get_three_tries(test: TestDatabase) {
    let (here, there, mailed) = two_processes(test).await;
    let body = json!({ "email": ADA, "type": "sign-in" });
    post(&here, "/email-otp/send-verification-otp", body).await;
    // Each wave costs one try at least.
    for _ in 0..4 {
        let guess = |engine: Engine| async move {
            post(&engine, "/sign-in/email-otp", json!({ "email": ADA, "otp": "no code" })).await
        };
        assert_eq!(at_once(&here, &there, guess).await, 0);
    }
    let otp = mailed.lock().unwrap().clone();
    let late = post(&there, "/sign-in/email-otp", json!({ "email": ADA, "otp": otp })).await;
    let late: Value = serde_json::from_slice(late.body()).unwrap();
    assert_eq!(late["code"], "INVALID_OTP");
}
