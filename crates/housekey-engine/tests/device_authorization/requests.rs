//! What a device asks for.

use housekey_engine::Callback;
use http::StatusCode;
use serde_json::json;

use super::*;

// spec: KEY-1
#[tokio::test]
async fn a_device_gets_a_code_to_show_and_a_code_to_poll_with() {
    let test = test_engine();
    let answer = test.browser().post("/device/code", json!({ "client_id": CLIENT })).await;
    let answer = answer.assert(StatusCode::OK);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("pragma"), Some("no-cache"));
    let codes = answer.json();
    assert_eq!(codes["device_code"].as_str().unwrap().len(), 40);
    let user = codes["user_code"].as_str().unwrap();
    assert!(user.len() == 8 && user.bytes().all(|byte| b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789".contains(&byte)));
    assert_eq!(codes["verification_uri"], "http://localhost:3000/device");
    assert_eq!(codes["verification_uri_complete"], format!("http://localhost:3000/device?user_code={user}"));
    assert_eq!((codes["expires_in"].as_u64(), codes["interval"].as_u64()), (Some(1800), Some(5)));
}

#[tokio::test]
async fn a_form_is_taken_as_well_as_json_and_nothing_twice() {
    let test = test_engine();
    let mut device = test.browser();
    form(&mut device, "/device/code", "client_id=tool&scope=read").await.assert(StatusCode::OK);
    assert_eq!(test.rows("deviceCode").await[0].text("scope"), Some("read"));
    let twice = form(&mut device, "/device/code", "client_id=tool&client_id=other").await;
    assert_eq!(twice.says(400, "invalid_request"), "client_id must not be repeated");
    form(&mut device, "/device/code", "client_id=tool&client_id=").await.assert(StatusCode::OK);
    form(&mut device, "/device/code", "client_id=&scope=read").await.says(400, "invalid_request");
}

#[tokio::test]
async fn a_request_without_a_client_is_refused_in_the_words_of_oauth() {
    let test = test_engine();
    for body in [json!({}), json!({ "client_id": 5 }), json!({ "client_id": "" }), json!([])] {
        test.browser().post("/device/code", body).await.says(400, "invalid_request");
    }
    let long = json!({ "client_id": "x".repeat(256) });
    test.browser().post("/device/code", long).await.says(400, "invalid_request");
    let long = json!({ "client_id": CLIENT, "scope": "x".repeat(1025) });
    test.browser().post("/device/code", long).await.says(400, "invalid_request");
    let nul = json!({ "client_id": "a\u{0}b" });
    test.browser().post("/device/code", nul).await.says(400, "invalid_request");
    assert!(test.rows("deviceCode").await.is_empty());
}

#[tokio::test]
async fn an_app_decides_which_clients_there_are() {
    let devices = DeviceAuthorizationOptions {
        validate_client: Callback::new(|id: String| async move { Ok::<_, std::io::Error>(id == CLIENT) }),
        ..Default::default()
    };
    let test = built(options(), devices);
    let unknown = json!({ "client_id": "other" });
    test.browser().post("/device/code", unknown).await.says(400, "invalid_client");
    let codes = ask(&mut test.browser()).await;
    let stolen = json!({ "grant_type": GRANT, "device_code": codes.device, "client_id": "other" });
    test.browser().post("/device/token", stolen).await.says(400, "invalid_grant");
}

#[tokio::test]
async fn the_page_may_be_anywhere() {
    for (given, expected) in [
        ("/enter/code", "http://localhost:3000/enter/code"),
        ("https://tv.example/device?lang=en", "https://tv.example/device?lang=en"),
    ] {
        let devices = DeviceAuthorizationOptions { verification_uri: given.into(), ..Default::default() };
        let test = built(options(), devices);
        let codes = test.browser().post("/device/code", json!({ "client_id": CLIENT })).await.json();
        assert_eq!(codes["verification_uri"], expected);
        let mark = if expected.contains('?') { '&' } else { '?' };
        let user = codes["user_code"].as_str().unwrap();
        assert_eq!(codes["verification_uri_complete"], format!("{expected}{mark}user_code={user}"));
    }
}

#[tokio::test]
async fn neither_code_stands_in_the_database() {
    let test = test_engine();
    let codes = ask(&mut test.browser()).await;
    let rows = test.rows("deviceCode").await;
    let row = format!("{rows:?}");
    assert!(!row.contains(&codes.device) && !row.contains(&codes.user), "{row}");
    // Nor does what stands there open anything.
    let (device, user) = (rows[0].text("deviceCode").unwrap(), rows[0].text("userCode").unwrap());
    poll(&mut test.browser(), device).await.says(400, "invalid_grant");
    poll(&mut test.browser(), user).await.says(400, "invalid_grant");
    look(&mut test.browser(), user).await.says(400, "invalid_request");
}

#[tokio::test]
async fn rows_can_be_kept_as_the_reference_keeps_them() {
    let test = built(options(), DeviceAuthorizationOptions { reference_rows: true, ..Default::default() });
    let mut ada = test.ada().await;
    let codes = approved(&test, &mut ada).await;
    let rows = test.rows("deviceCode").await;
    assert_eq!(rows[0].text("deviceCode"), Some(codes.device.as_str()));
    assert_eq!(rows[0].text("userCode"), Some(codes.user.as_str()));
    assert!(!rows[0].has("approvedBy") && !rows[0].has("ipAddress"));
    poll(&mut test.browser(), &codes.device).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn codes_that_nobody_came_back_for_do_not_stay() {
    let test = test_engine();
    for _ in 0..3 {
        ask(&mut test.browser()).await;
    }
    test.advance(1800 + 3600 + 1);
    ask(&mut test.browser()).await;
    assert_eq!(test.rows("deviceCode").await.len(), 1);
}
