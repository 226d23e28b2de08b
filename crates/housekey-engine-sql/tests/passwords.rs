//! Passwords on every database: one that is replaced while it is compared lets nobody in.

use std::sync::Arc;

use bytes::Bytes;
use housekey_database::on_every_engine;
use housekey_database::testing::TestDatabase;
use housekey_engine::options::{EmailAndPassword, EngineOptions, PasswordCheck, RateLimitOptions};
use housekey_engine::storage::Filter;
use housekey_engine::{ApiError, Callback, Engine, Secret};
use housekey_engine_sql::SqlStorage;
use housekey_test_support::in_time;
use http::{Request, Response, StatusCode};
use serde_json::{Value, json};
use tokio::sync::Notify;

on_every_engine!(a_password_that_is_replaced_while_it_is_compared_lets_nobody_in);

const EMAIL: &str = "ada@example.com";
const OLD: &str = "the old password";
const SLOW: &str = "the slow password";

/// An engine that compares one password only when it is told to.
fn engine(storage: &SqlStorage, inside: &Arc<Notify>, go: &Arc<Notify>) -> Engine {
    let mut email_and_password = EmailAndPassword { enabled: true, ..Default::default() };
    email_and_password.password.hash =
        Callback::new(|password: Secret| async move { Ok::<_, ApiError>(password.reveal().to_owned()) });
    let (inside, go) = (Arc::clone(inside), Arc::clone(go));
    email_and_password.password.verify = Callback::new(move |check: PasswordCheck| {
        let (inside, go) = (Arc::clone(&inside), Arc::clone(&go));
        async move {
            if check.password.reveal() == SLOW && check.hash == SLOW {
                inside.notify_one();
                go.notified().await;
            }
            Ok::<_, ApiError>(check.password.reveal() == check.hash)
        }
    });
    let options = EngineOptions {
        secret: "a secret of at least thirty-two characters".into(),
        email_and_password,
        rate_limit: RateLimitOptions { enabled: Some(false), ..Default::default() },
        ..Default::default()
    };
    Engine::build(options, storage.clone()).unwrap()
}

async fn post(engine: &Engine, path: &str, body: Value) -> Response<Bytes> {
    let request = Request::post(format!("/api/auth{path}")).header("content-type", "application/json");
    engine.handle(request.body(Bytes::from(body.to_string())).unwrap()).await
}

async fn sign_in(engine: &Engine, password: &str) -> Response<Bytes> {
    post(engine, "/sign-in/email", json!({ "email": EMAIL, "password": password })).await
}

// spec: SEC-2
async fn a_password_that_is_replaced_while_it_is_compared_lets_nobody_in(test: TestDatabase) {
    let storage = SqlStorage::new(test.db);
    let (inside, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let engine = engine(&storage, &inside, &go);
    storage.create_tables(engine.schema()).await.unwrap();
    let ada = json!({ "name": "Ada", "email": EMAIL, "password": OLD });
    assert_eq!(post(&engine, "/sign-up/email", ada).await.status(), StatusCode::OK);
    // The condition is met by a row that stays as it is.
    assert_eq!(sign_in(&engine, OLD).await.status(), StatusCode::OK);

    let api = engine.api();
    let user = api.user_by_email(EMAIL).await.unwrap().unwrap();
    api.replace_password(&user, &SLOW.into()).await.unwrap();
    let late = engine.clone();
    let late = tokio::spawn(async move { sign_in(&late, SLOW).await });
    in_time("the step inside", inside.notified()).await;
    api.replace_password(&user, &OLD.into()).await.unwrap();
    go.notify_one();
    let late = late.await.unwrap();
    assert_eq!(late.status(), StatusCode::UNAUTHORIZED, "{late:?}");
    assert!(!late.headers().contains_key("set-cookie"));
    assert!(has_no_sessions(&engine).await);
    assert_eq!(sign_in(&engine, OLD).await.status(), StatusCode::OK);
}

async fn has_no_sessions(engine: &Engine) -> bool {
    let api = engine.api();
    api.storage().count(api.table("session").unwrap(), &Filter::all()).await.unwrap() == 0
}
