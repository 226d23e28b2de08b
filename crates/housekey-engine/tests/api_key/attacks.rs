use std::sync::Arc;

use housekey_engine::hooks::{BeforeWrite, DatabaseHooks};
use housekey_test_support::in_time;
use tokio::sync::Notify;

use super::*;

// spec: KEY-4
#[tokio::test]
async fn what_is_not_the_whole_key_is_no_key() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let answer = made(&mut ada, json!({ "prefix": "shop_" })).await;
    let key = text(&answer, "key").to_owned();
    let hash = test.rows("apikey").await[0].text("key").unwrap().to_owned();
    let mut forged = vec![
        String::new(),
        hash,
        text(&answer, "id").to_owned(),
        text(&answer, "start").to_owned(),
        key[1..].to_owned(),
        key[..key.len() - 1].to_owned(),
        format!("{key} "),
        format!("{key}a"),
        key.to_uppercase(),
        key.replace("shop_", "shop-"),
        format!("{key}\0"),
        "x".repeat(100_000),
        "%".to_owned(),
        "' OR '1'='1".to_owned(),
    ];
    forged.extend((0..key.len()).step_by(7).map(|place| {
        let mut other = key.clone().into_bytes();
        other[place] = if other[place] == b'q' { b'r' } else { b'q' };
        String::from_utf8(other).unwrap()
    }));
    for forged in forged {
        assert_eq!(refused(&test, &forged).await, "INVALID_API_KEY", "{forged:.80}");
    }
    assert!(verified(&test, &key).await.is_ok());
}

// spec: KEY-4
#[tokio::test]
async fn a_key_is_never_a_session_wherever_it_is_put() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let key = text(&made(&mut ada, json!({})).await, "key").to_owned();
    let cookie = ada.cookies.keys().find(|name| name.contains("session_token")).unwrap().clone();

    for (header, value) in [
        ("x-api-key", key.clone()),
        ("authorization", format!("Bearer {key}")),
        ("authorization", format!("ApiKey {key}")),
        ("cookie", format!("{cookie}={key}")),
        ("cookie", format!("x-api-key={key}")),
    ] {
        let mut script = test.browser();
        script.headers.insert(header, value.parse().unwrap());
        let session = script.get("/get-session").await;
        assert!(
            session.cookies.iter().all(crate::support::SetCookie::is_cleared),
            "{header}: a cookie was set"
        );
        assert_eq!(session.json(), Value::Null, "{header}");
        for (path, body) in [
            ("/update-user", json!({ "name": "Eve" })),
            ("/api-key/create", json!({})),
            (
                "/change-password",
                json!({ "currentPassword": crate::support::PASSWORD, "newPassword": "a new horse" }),
            ),
        ] {
            let answer = script.post(path, body).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{header} {path}");
            assert!(!String::from_utf8_lossy(&answer.body).contains(&key));
        }
    }
    assert_eq!(test.rows("session").await.len(), 1);
}

// spec: KEY-4
#[tokio::test]
async fn a_key_in_an_address_is_refused() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let key = text(&made(&mut ada, json!({})).await, "key").to_owned();
    for query in [
        format!("api_key={key}"),
        format!("apiKey={key}"),
        format!("x-api-key={key}"),
        format!("anything={key}"),
        format!("page=1&k={key}"),
        format!("page=1&page={key}"),
        "api_key=something".to_owned(),
        format!("api%5Fkey={key}"),
    ] {
        let answer = ada.get(&format!("/get-session?{query}")).await.assert(StatusCode::BAD_REQUEST);
        assert_eq!(answer.json()["code"], "KEY_IN_ADDRESS", "{query}");
        assert!(api_key::has_key_in_query(&query), "{query}");
    }
    for query in
        ["", "page=2", "api_key=", "callbackURL=/somewhere", "token=abcdefghijklmnopqrstuvwxyz012345"]
    {
        ada.get(&format!("/get-session?{query}")).await.assert(StatusCode::OK);
    }
}

// spec: KEY-4
#[tokio::test]
async fn nobody_sees_or_touches_the_key_of_somebody_else() {
    let test = test_engine();
    let (mut ada, mut eve) = (test.ada().await, person(&test, "eve").await);
    let answer = made(&mut ada, json!({ "name": "laptop" })).await;
    let id = text(&answer, "id");
    let unknown = eve.get("/api-key/get?id=nothing").await.assert(StatusCode::NOT_FOUND);
    let foreign = eve.get(&format!("/api-key/get?id={id}")).await.assert(StatusCode::NOT_FOUND);
    assert_eq!(foreign.body, unknown.body, "somebody else's is as if it was not there");
    let me = answer["referenceId"].clone();
    for (path, body) in [
        ("/api-key/update", json!({ "keyId": id, "enabled": false })),
        ("/api-key/delete", json!({ "keyId": id })),
    ] {
        eve.post(path, body).await.assert(StatusCode::NOT_FOUND);
    }
    let as_her = json!({ "keyId": id, "enabled": false, "userId": me });
    eve.post("/api-key/update", as_her).await.assert(StatusCode::UNAUTHORIZED);
    let id_as_organization = eve.get(&format!("/api-key/list?organizationId={}", me.as_str().unwrap())).await;
    id_as_organization.assert(StatusCode::FORBIDDEN);
    assert_eq!(eve.get("/api-key/list").await.json()["total"], 0);
    assert!(verified(&test, text(&answer, "key")).await.unwrap().key.enabled);
}

// spec: ADM-2
#[tokio::test]
async fn an_admin_who_acts_as_somebody_leaves_no_key_behind() {
    use housekey_engine::Record;
    use housekey_engine::storage::{Filter, Records as _};

    let test = test_engine();
    let mut ada = test.ada().await;
    let answer = made(&mut ada, json!({})).await;
    let mut boss = person(&test, "boss").await;
    let table = test.engine.schema().table("user").unwrap().clone();
    let admin = Record::new().with("role", "admin");
    test.storage.update(&table, &Filter::by("email", "boss@example.com"), &admin).await.unwrap();
    boss.post("/admin/impersonate-user", json!({ "userId": answer["referenceId"] }))
        .await
        .assert(StatusCode::OK);
    assert_eq!(boss.session().await["user"]["email"], "ada@example.com");
    boss.post("/api-key/create", json!({})).await.assert(StatusCode::FORBIDDEN);
    let id = text(&answer, "id");
    boss.post("/api-key/update", json!({ "keyId": id, "name": "x" })).await.assert(StatusCode::FORBIDDEN);
    boss.post("/api-key/delete", json!({ "keyId": id })).await.assert(StatusCode::OK);
    assert!(test.rows("apikey").await.is_empty());
}

// spec: KEY-4
#[tokio::test]
async fn a_key_does_not_show_when_something_that_has_it_is_printed() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let key = text(&made(&mut ada, json!({})).await, "key").to_owned();
    let mut headers = ada.cookie_header();
    headers.insert("x-api-key", key.parse().unwrap());
    let api = test.engine.api_for(&headers);
    let printed = format!("{api:?} {:?} {:?}", api.request(), verified(&test, &key).await.unwrap());
    assert!(!printed.contains(&key) && !printed.contains("session_token"), "{printed}");
}

/// Somebody signed up with an address that is not theirs and makes keys without end; one is under way while the owner takes the account
/// over.
#[tokio::test]
// spec: SEC-2, KEY-4
async fn a_key_that_is_being_made_while_the_owner_takes_the_account_over_is_none() {
    let (inside, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        let (inside, go) = (Arc::clone(&inside), Arc::clone(&go));
        options.database_hooks = DatabaseHooks::new().before_create("apikey", move |_| {
            let (inside, go) = (Arc::clone(&inside), Arc::clone(&go));
            async move {
                inside.notify_one();
                go.notified().await;
                Ok::<_, ApiError>(BeforeWrite::Proceed)
            }
        });
        Engine::builder(options).plugins([api_key::api_key(ApiKeyOptions::default())])
    });
    let mut intruder = test.ada().await;
    let making = tokio::spawn(async move { intruder.post("/api-key/create", json!({})).await });
    in_time("the step inside", inside.notified()).await;
    let ada = json!({ "email": "ada@example.com" });
    test.browser().post("/request-password-reset", ada).await.assert(StatusCode::OK);
    let body = json!({ "newPassword": "a new password", "token": test.mailbox.take().token });
    test.browser().post("/reset-password", body).await.assert(StatusCode::OK);
    go.notify_one();
    assert_ne!(making.await.unwrap().status, StatusCode::OK);
    assert!(test.rows("apikey").await.is_empty());
}
