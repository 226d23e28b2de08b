use super::*;
use housekey_engine::plugins::api_key::{KeyExpiration, KeyFor, KeyRateLimit, has_checksum};

// spec: KEY-4
#[tokio::test]
async fn a_key_is_shown_once_and_only_its_hash_is_kept() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let answer = made(&mut ada, json!({ "name": "laptop", "prefix": "shop_" })).await;
    let key = text(&answer, "key");
    assert!(key.starts_with("shop_") && key.len() == 69 && has_checksum(key), "{key}");
    assert_eq!(text(&answer, "start"), &key[..6]);

    let rows = format!("{:?}", test.rows("apikey").await);
    assert!(!rows.contains(key), "the key itself is in the storage");
    let id = text(&answer, "id");
    for path in [format!("/api-key/get?id={id}"), "/api-key/list".to_owned()] {
        let shown = ada.get(&path).await.assert(StatusCode::OK).json().to_string();
        assert!(shown.contains(id) && !shown.contains(key) && !shown.contains("\"key\""), "{shown}");
    }
    let hash = test.rows("apikey").await[0].text("key").unwrap().to_owned();
    assert!(!ada.get("/api-key/list").await.json().to_string().contains(&hash));
}

// spec: KEY-1
#[tokio::test]
async fn the_answer_has_the_fields_of_the_reference() {
    let test = test_engine();
    let answer = made(&mut test.ada().await, json!({})).await;
    let fields: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = vec![
        "configId",
        "name",
        "start",
        "referenceId",
        "prefix",
        "key",
        "refillInterval",
        "refillAmount",
        "lastRefillAt",
        "enabled",
        "rateLimitEnabled",
        "rateLimitTimeWindow",
        "rateLimitMax",
        "requestCount",
        "remaining",
        "lastRequest",
        "expiresAt",
        "createdAt",
        "updatedAt",
        "permissions",
        "metadata",
        "id",
    ];
    expected.sort_unstable();
    let mut fields = fields;
    fields.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(answer["configId"], "default");
    assert_eq!(answer["rateLimitEnabled"], false, "no key is limited unless somebody says so");
    assert_eq!((&answer["name"], &answer["expiresAt"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn what_is_wrong_with_a_new_key_is_said() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let long = "n".repeat(33);
    for (body, code) in [
        (json!({ "name": long }), "INVALID_NAME_LENGTH"),
        (json!({ "prefix": long }), "INVALID_PREFIX_LENGTH"),
        (json!({ "prefix": "a b" }), "VALIDATION_ERROR"),
        (json!({ "name": 5 }), "VALIDATION_ERROR"),
        (json!({ "expiresIn": 0 }), "VALIDATION_ERROR"),
        (json!({ "expiresIn": "1" }), "VALIDATION_ERROR"),
        (json!({ "expiresIn": 60 }), "EXPIRES_IN_IS_TOO_SMALL"),
        (json!({ "expiresIn": 1e18 }), "EXPIRES_IN_IS_TOO_LARGE"),
        (json!({ "expiresIn": 86_400 * 366 }), "EXPIRES_IN_IS_TOO_LARGE"),
        (json!({ "metadata": { "a": 1 } }), "METADATA_DISABLED"),
    ] {
        let answer = ada.post("/api-key/create", body.clone()).await.assert(StatusCode::BAD_REQUEST);
        assert_eq!(answer.json()["code"], code, "{body}");
    }
    assert!(test.rows("apikey").await.is_empty());
    test.browser().post("/api-key/create", json!({})).await.assert(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_configuration_can_ask_for_more() {
    let config = ApiKeyConfig {
        require_name: true,
        enable_metadata: true,
        starting_characters: None,
        default_prefix: Some("shop_".into()),
        default_permissions: Some(reading()),
        key_expiration: KeyExpiration {
            default_expires_in: Some(60),
            disable_custom_expires_time: true,
            ..KeyExpiration::default()
        },
        ..ApiKeyConfig::default()
    };
    let test = with(config);
    let mut ada = test.ada().await;
    let code = async |ada: &mut Browser, body| ada.post("/api-key/create", body).await.json()["code"].clone();
    assert_eq!(code(&mut ada, json!({})).await, "NAME_REQUIRED");
    assert_eq!(code(&mut ada, json!({ "name": "a", "expiresIn": 90_000 })).await, "KEY_DISABLED_EXPIRATION");
    assert_eq!(code(&mut ada, json!({ "name": "a", "metadata": "text" })).await, "INVALID_METADATA_TYPE");
    let answer = made(&mut ada, json!({ "name": "a", "metadata": { "plan": [1] } })).await;
    assert_eq!(answer["metadata"], json!({ "plan": [1] }));
    assert_eq!(answer["permissions"], json!({ "project": ["read"] }));
    assert_eq!((&answer["start"], &answer["prefix"]), (&Value::Null, &json!("shop_")));
    assert!(text(&answer, "key").starts_with("shop_") && answer["expiresAt"].is_string());
    let read = ada.get(&format!("/api-key/get?id={}", text(&answer, "id"))).await.json();
    assert_eq!((&read["metadata"], &read["permissions"]), (&answer["metadata"], &answer["permissions"]));
}

// spec: KEY-4
#[tokio::test]
async fn what_the_server_may_say_of_a_key_no_client_may() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let id = text(&made(&mut ada, json!({})).await, "id").to_owned();
    for field in [
        json!({ "permissions": { "project": ["delete"] } }),
        json!({ "permissions": {} }),
        json!({ "remaining": 1_000_000 }),
        json!({ "refillAmount": 10, "refillInterval": 10 }),
        json!({ "rateLimitEnabled": false }),
        json!({ "rateLimitMax": 1_000_000 }),
        json!({ "rateLimitTimeWindow": 1 }),
    ] {
        let mut change = field.clone();
        change["keyId"] = json!(id);
        for (path, body) in [("/api-key/create", field.clone()), ("/api-key/update", change)] {
            let answer = ada.post(path, body).await.assert(StatusCode::BAD_REQUEST);
            assert_eq!(answer.json()["code"], "SERVER_ONLY_PROPERTY", "{path} {field}");
        }
    }
    assert_eq!(test.rows("apikey").await.len(), 1);
}

#[tokio::test]
async fn server_code_may_say_everything() {
    let test = test_engine();
    let ada = test.ada().await;
    let wanted = NewApiKey {
        permissions: Some(reading()),
        remaining: Some(5),
        rate_limit: Some(KeyRateLimit { enabled: true, time_window: 1000, max_requests: 3 }),
        ..NewApiKey::default()
    };
    let created = server_made(&test, &ada, wanted.clone()).await;
    assert_eq!(created.api_key.permissions, Some(reading()));
    assert_eq!((created.api_key.remaining, created.api_key.rate_limit_max), (Some(5), Some(3)));
    assert!(!format!("{created:?}").contains(created.key.reveal()), "a key is not printed");

    let user = created.api_key.reference_id;
    let for_user =
        api_key::create_for(&test.engine.api(), KeyFor::User(&user), wanted.clone()).await.unwrap();
    assert_eq!(verified(&test, for_user.key.reveal()).await.unwrap().owner.id(), user);
    let wrong =
        api_key::create_for(&test.engine.api(), KeyFor::Organization("o1"), wanted).await.unwrap_err();
    assert!(wrong.is_internal());
}

#[tokio::test]
async fn nobody_makes_a_key_for_somebody_else_over_http() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let eve = person(&test, "eve").await.session().await["user"]["id"].clone();
    let answer = ada.post("/api-key/create", json!({ "userId": eve })).await.assert(StatusCode::UNAUTHORIZED);
    assert_eq!(answer.json()["code"], "UNAUTHORIZED_SESSION");
    assert!(test.rows("apikey").await.is_empty());
}
