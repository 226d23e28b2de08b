use http::StatusCode;
use serde_json::json;

use crate::passkey::{ada_with_device, bob, device, register, test_engine};

#[tokio::test]
async fn everyone_sees_their_own_passkeys() {
    let test = test_engine();
    let (mut ada, _) = ada_with_device(&test).await;
    let mut bob = bob(&test).await;
    let of_bob = register(&mut bob, &device()).await.assert(StatusCode::OK).json();
    assert_eq!(bob.get("/passkey/list-user-passkeys").await.json(), json!([of_bob]));
    assert_eq!(ada.get("/passkey/list-user-passkeys").await.json().as_array().unwrap().len(), 1);
    test.browser().get("/passkey/list-user-passkeys").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_passkey_can_be_renamed_by_its_owner() {
    let test = test_engine();
    let (mut ada, _) = ada_with_device(&test).await;
    let mut passkey = ada.get("/passkey/list-user-passkeys").await.json()[0].clone();
    let id = passkey["id"].clone();
    let path = "/passkey/update-passkey";
    let renamed = ada.post(path, json!({ "id": id, "name": " Key " })).await.assert(StatusCode::OK).json();
    passkey["name"] = json!("Key");
    assert_eq!(renamed, json!({ "passkey": passkey }));

    for name in ["", "  "] {
        let answer = ada.post(path, json!({ "id": id, "name": name })).await.refused(400, "VALIDATION_ERROR");
        assert_eq!(answer.json()["message"], "[body.name] Too small: expected string to have >=1 characters");
    }
    ada.post(path, json!({ "id": id })).await.refused(400, "VALIDATION_ERROR");
    ada.post(path, json!({ "id": "nothing", "name": "x" })).await.refused(404, "PASSKEY_NOT_FOUND");
    let mut bob = bob(&test).await;
    let foreign = bob.post(path, json!({ "id": id, "name": "mine" })).await;
    foreign.refused(401, "YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY");
    test.browser().post(path, json!({ "id": id, "name": "mine" })).await.refused(401, "UNAUTHORIZED");
    assert_eq!(test.rows("passkey").await[0].text("name"), Some("Key"));
}

#[tokio::test]
async fn a_passkey_can_be_removed_by_its_owner() {
    let test = test_engine();
    let (mut ada, device) = ada_with_device(&test).await;
    let id = test.rows("passkey").await[0].text("id").unwrap().to_owned();
    let path = "/passkey/delete-passkey";
    let mut bob = bob(&test).await;
    let foreign = bob.post(path, json!({ "id": id })).await.assert(StatusCode::UNAUTHORIZED);
    assert!(foreign.body.is_empty());
    test.browser().post(path, json!({ "id": id })).await.refused(401, "UNAUTHORIZED");
    ada.post(path, json!({})).await.refused(400, "VALIDATION_ERROR");
    ada.post(path, json!({ "id": "nothing" })).await.refused(404, "PASSKEY_NOT_FOUND");
    assert_eq!(test.rows("passkey").await.len(), 1);

    let removed = ada.post(path, json!({ "id": id })).await.assert(StatusCode::OK).json();
    assert_eq!(removed, json!({ "status": true }));
    ada.post(path, json!({ "id": id })).await.refused(404, "PASSKEY_NOT_FOUND");
    crate::passkey::sign_in(&mut test.browser(), &device).await.refused(401, "PASSKEY_NOT_FOUND");
}
