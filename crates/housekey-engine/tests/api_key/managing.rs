use super::*;
use crate::sink::Events;

// spec: KEY-1
#[tokio::test]
async fn a_key_is_renamed_turned_off_and_deleted() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let answer = made(&mut ada, json!({ "name": "laptop" })).await;
    let (id, key) = (text(&answer, "id"), text(&answer, "key"));
    let changed =
        ada.post("/api-key/update", json!({ "keyId": id, "name": "desktop", "enabled": false })).await;
    let changed = changed.assert(StatusCode::OK).json();
    assert_eq!((&changed["name"], &changed["enabled"]), (&json!("desktop"), &json!(false)));
    assert_eq!(changed.get("key"), None);
    assert_eq!(refused(&test, key).await, "KEY_DISABLED");

    ada.post("/api-key/update", json!({ "keyId": id, "enabled": true })).await.assert(StatusCode::OK);
    assert_eq!(verified(&test, key).await.unwrap().key.name.as_deref(), Some("desktop"));
    let end = ada.post("/api-key/update", json!({ "keyId": id, "expiresIn": 86_400 })).await.json();
    assert!(end["expiresAt"].is_string());
    let end = ada.post("/api-key/update", json!({ "keyId": id, "expiresIn": null })).await.json();
    assert_eq!(end["expiresAt"], Value::Null);

    let deleted = ada.post("/api-key/delete", json!({ "keyId": id })).await.assert(StatusCode::OK);
    assert_eq!(deleted.json(), json!({ "success": true }));
    assert_eq!(refused(&test, key).await, "INVALID_API_KEY");
    ada.post("/api-key/delete", json!({ "keyId": id })).await.assert(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_change_without_anything_in_it_is_refused() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let id = text(&made(&mut ada, json!({})).await, "id").to_owned();
    for (body, code) in [
        (json!({ "keyId": id }), "NO_VALUES_TO_UPDATE"),
        (json!({ "keyId": id, "metadata": { "a": 1 } }), "NO_VALUES_TO_UPDATE"),
        (json!({ "keyId": id, "name": "" }), "INVALID_NAME_LENGTH"),
        (json!({ "name": "a" }), "VALIDATION_ERROR"),
    ] {
        let answer = ada.post("/api-key/update", body.clone()).await.assert(StatusCode::BAD_REQUEST);
        assert_eq!(answer.json()["code"], code, "{body}");
    }
    let guest = test.browser().post("/api-key/update", json!({ "keyId": id, "name": "mine" })).await;
    assert_eq!(guest.assert(StatusCode::UNAUTHORIZED).json()["code"], "UNAUTHORIZED_SESSION");
}

#[tokio::test]
async fn a_list_is_sorted_and_cut_as_it_was_asked_for() {
    let test = test_engine();
    let mut ada = test.ada().await;
    for name in ["beta", "alpha", "gamma"] {
        made(&mut ada, json!({ "name": name })).await;
        test.advance(1);
    }
    made(&mut person(&test, "eve").await, json!({ "name": "hers" })).await;
    let names = |page: &Value| -> Vec<String> {
        page["apiKeys"].as_array().unwrap().iter().map(|key| text(key, "name").to_owned()).collect()
    };
    let all = ada.get("/api-key/list").await.json();
    assert_eq!(
        (names(&all), &all["total"]),
        (["beta", "alpha", "gamma"].map(str::to_owned).to_vec(), &json!(3))
    );
    let sorted = ada.get("/api-key/list?sortBy=name&sortDirection=desc&limit=2&offset=1").await.json();
    assert_eq!(names(&sorted), ["beta", "alpha"]);
    assert_eq!((&sorted["total"], &sorted["limit"], &sorted["offset"]), (&json!(3), &json!(2), &json!(1)));
    assert!(names(&ada.get("/api-key/list?limit=0").await.json()).is_empty());
    for wrong in ["limit=x", "limit=-1", "limit=1.5", "sortBy=key", "sortBy=nothing", "sortDirection=up"] {
        ada.get(&format!("/api-key/list?{wrong}")).await.assert(StatusCode::BAD_REQUEST);
    }
    test.browser().get("/api-key/list").await.assert(StatusCode::UNAUTHORIZED);
}

// spec: SEC-9
#[tokio::test]
async fn what_happens_to_keys_is_told() {
    let events = Events::default();
    let mut with_sink = options();
    with_sink.on_security_event = events.sink();
    let test = built(with_sink, ApiKeyOptions::default());
    let mut ada = test.ada().await;
    events.take();
    let answer = made(&mut ada, json!({ "name": "laptop" })).await;
    let (id, key) = (text(&answer, "id"), text(&answer, "key"));
    ada.post("/api-key/update", json!({ "keyId": id, "enabled": false })).await.assert(StatusCode::OK);
    ada.post("/api-key/delete", json!({ "keyId": id })).await.assert(StatusCode::OK);
    let all = events.all();
    assert!(all.iter().all(|event| event.user_id.as_deref() == answer["referenceId"].as_str()));
    assert!(!format!("{all:?}").contains(key), "a key is in an event");
    let expected = ["created", "changed", "deleted"].map(|what| format!("api-key-{what} {id} laptop"));
    assert_eq!(events.take(), expected);
}

#[tokio::test]
// spec: KEY-2
async fn a_key_that_must_end_is_not_made_to_last_for_ever() {
    let mut config = ApiKeyConfig::default();
    config.key_expiration.default_expires_in = Some(86_400);
    let test = with(config);
    let mut ada = test.ada().await;
    let made = made(&mut ada, json!({})).await;
    let id = text(&made, "id");
    let body = json!({ "keyId": id, "expiresIn": null });
    ada.post("/api-key/update", body).await.refused(400, "EXPIRES_IN_IS_TOO_LARGE");
    let longer = ada.post("/api-key/update", json!({ "keyId": id, "expiresIn": 172_800 })).await;
    assert!(longer.assert(StatusCode::OK).json()["expiresAt"].is_string());
    test.advance(172_801);
    assert_eq!(refused(&test, text(&made, "key")).await, "KEY_EXPIRED");
}

#[tokio::test]
async fn the_end_of_a_key_cannot_be_taken_away_where_people_do_not_choose_it() {
    let mut config = ApiKeyConfig::default();
    config.key_expiration.disable_custom_expires_time = true;
    let test = with(config);
    let mut ada = test.ada().await;
    let id = text(&made(&mut ada, json!({})).await, "id").to_owned();
    for expires_in in [Value::Null, json!(86_400)] {
        let body = json!({ "keyId": id, "expiresIn": expires_in });
        ada.post("/api-key/update", body).await.refused(400, "KEY_DISABLED_EXPIRATION");
    }
}
