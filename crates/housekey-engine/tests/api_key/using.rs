use super::*;
use housekey_engine::access::Permission;
use housekey_engine::plugins::api_key::KeyOwner;

// spec: KEY-4
#[tokio::test]
async fn a_key_says_whose_it_is() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let answer = made(&mut ada, json!({})).await;
    let shown = verified(&test, text(&answer, "key")).await.unwrap();
    let KeyOwner::User(user) = &shown.owner else { panic!("{:?}", shown.owner) };
    assert_eq!((user.email.as_str(), shown.key.id.as_str()), ("ada@example.com", text(&answer, "id")));
}

#[tokio::test]
async fn a_key_allows_what_its_permissions_say_and_nothing_else() {
    let test = test_engine();
    let ada = test.ada().await;
    let read =
        server_made(&test, &ada, NewApiKey { permissions: Some(reading()), ..Default::default() }).await;
    let bare = server_made(&test, &ada, NewApiKey::default()).await;
    let check = async |key: &Secret, permission: &Permission| {
        let check = KeyCheck { permission: Some(permission), ..KeyCheck::default() };
        let checked = api_key::verify(&test.engine.api(), key, check).await;
        checked.map(drop).map_err(|error| error.code().unwrap().to_owned())
    };
    let nothing = Err("KEY_NOT_FOUND".to_owned());
    let (reading, writing) = (Permission::of("project", ["read"]), Permission::of("project", ["write"]));
    assert_eq!(check(&read.key, &reading).await, Ok(()));
    assert_eq!(check(&read.key, &writing).await, nothing);
    assert_eq!(check(&read.key, &Permission::of("project", ["read", "write"])).await, nothing);
    assert_eq!(check(&read.key, &Permission::of("invoice", ["read"])).await, nothing);
    assert_eq!(check(&read.key, &Permission::default()).await, nothing, "nothing asked is nothing allowed");
    assert_eq!(check(&bare.key, &reading).await, nothing);
}

#[tokio::test]
async fn a_use_that_is_not_allowed_is_not_counted() {
    let test = test_engine();
    let ada = test.ada().await;
    let key = server_made(&test, &ada, NewApiKey { remaining: Some(1), ..Default::default() }).await.key;
    let writing = Permission::of("project", ["write"]);
    let check = KeyCheck { permission: Some(&writing), ..KeyCheck::default() };
    api_key::verify(&test.engine.api(), &key, check).await.unwrap_err();
    assert_eq!(verified(&test, key.reveal()).await.unwrap().key.remaining, Some(0));
}

#[tokio::test]
async fn a_key_is_good_for_its_own_kind() {
    let robots = ApiKeyConfig { config_id: "robots".into(), ..ApiKeyConfig::default() };
    let configurations = vec![ApiKeyConfig::default(), robots];
    let test = built(options(), ApiKeyOptions { configurations, ..ApiKeyOptions::default() });
    let mut ada = test.ada().await;
    let answer = made(&mut ada, json!({ "configId": "robots" })).await;
    assert_eq!(answer["configId"], "robots");
    let (key, id) = (Secret::from(text(&answer, "key")), text(&answer, "id"));
    let as_kind = async |kind| {
        let check = KeyCheck { config_id: Some(kind), ..KeyCheck::default() };
        api_key::verify(&test.engine.api(), &key, check).await.is_ok()
    };
    assert!(as_kind("robots").await && !as_kind("default").await);
    assert!(verified(&test, key.reveal()).await.is_ok());
    ada.get(&format!("/api-key/get?id={id}")).await.assert(StatusCode::NOT_FOUND);
    ada.get(&format!("/api-key/get?id={id}&configId=robots")).await.assert(StatusCode::OK);
    assert_eq!(ada.get("/api-key/list").await.json()["total"], 1);
    assert_eq!(ada.get("/api-key/list?configId=default").await.json()["total"], 0);
}

#[tokio::test]
async fn the_last_use_is_noted_once_a_minute() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let answer = made(&mut ada, json!({})).await;
    let used = async || test.rows("apikey").await[0].get("lastRequest").cloned().unwrap();
    let now = || housekey_engine::Value::from(test.clock.now());
    assert!(used().await.is_null());
    verified(&test, text(&answer, "key")).await.unwrap();
    let first = now();
    assert_eq!(used().await, first);
    test.advance(59);
    verified(&test, text(&answer, "key")).await.unwrap();
    assert_eq!(used().await, first, "a minute has not passed");
    test.advance(1);
    verified(&test, text(&answer, "key")).await.unwrap();
    assert_eq!(used().await, now());
    assert_eq!(test.rows("apikey").await[0].get("requestCount").unwrap().as_integer(), Some(0));
}
