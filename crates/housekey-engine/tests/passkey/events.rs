use http::StatusCode;
use serde_json::json;

use housekey_engine::plugins::passkey::PasskeyOptions;

use super::{SIGN, ada_with_device, challenge, device, send_assertion, sign_in, with};
use crate::sink::Events;
use crate::support::TestEngine;

// spec: SEC-9
#[tokio::test]
async fn passkeys_are_told_as_they_come_and_go_and_when_they_open_the_door() {
    let events = Events::default();
    let mut builder = with(PasskeyOptions::default());
    builder.options.on_security_event = events.sink();
    let test = TestEngine::new(builder);
    let (mut ada, device_of_ada) = ada_with_device(&test).await;
    assert_eq!(events.take(), ["sign-up", "passkey-added"]);

    let mut phone = test.browser();
    sign_in(&mut phone, &device_of_ada).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["sign-in passkey"]);

    sign_in(&mut phone, &device()).await.assert(StatusCode::UNAUTHORIZED);
    challenge(&mut phone, SIGN).await;
    let _ = send_assertion(&mut phone, device_of_ada.sign("of another ceremony")).await;
    assert_eq!(events.take(), ["sign-in-refused unknown-passkey", "sign-in-refused passkey"]);

    let keys = ada.get("/passkey/list-user-passkeys").await.json();
    let id = &keys[0]["id"];
    let rename = json!({ "id": id, "name": "Phone" });
    ada.post("/passkey/update-passkey", rename).await.assert(StatusCode::OK);
    ada.post("/passkey/delete-passkey", json!({ "id": id })).await.assert(StatusCode::OK);
    ada.post("/passkey/delete-passkey", json!({ "id": id })).await.assert(StatusCode::NOT_FOUND);
    assert_eq!(events.take(), ["passkey-renamed", "passkey-removed"]);
}
