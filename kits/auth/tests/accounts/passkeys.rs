//! Passkeys, as far as the server looks after them: they are made and used in the browser.

use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use {{crate}}::models::User;

use crate::support::{confirm_password, rows_of, somebody};

/// A passkey of somebody, as its registration leaves it behind.
async fn passkey_of(app: &TestApp, user: &User, id: &str) {
    let row = record! {
        "id" => id,
        "name" => "Laptop",
        "publicKey" => "pQECAyYgASFYIA",
        "userId" => user.id.as_str(),
        "credentialID" => format!("credential-{id}"),
        "counter" => 0,
        "deviceType" => "singleDevice",
        "backedUp" => false,
        "createdAt" => app.clock().now(),
    };
    app.within(async { db()?.table("passkey").insert(row).await }).await.unwrap();
}

async fn name_of(app: &TestApp, id: &str) -> Option<String> {
    app.within(async { db()?.table("passkey").where_eq("id", id).value("name").await }).await.unwrap()
}

// spec: RTE-8
#[housekey::test]
async fn a_passkey_is_renamed_and_removed_by_forms(app: TestApp) {
    let ada = somebody(&app).await;
    passkey_of(&app, &ada, "one").await;
    passkey_of(&app, &ada, "two").await;
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;

    visitor
        .post("/settings/passkeys/one")
        .form(&[("_method", "PATCH"), ("name", "Phone")])
        .await
        .assert_status(303);
    assert_eq!(name_of(&app, "one").await.as_deref(), Some("Phone"));
    for bad in ["", &"x".repeat(65)] {
        visitor
            .patch("/settings/passkeys/one")
            .json(&json!({ "name": bad }))
            .await
            .assert_status(422)
            .assert_invalid("name");
    }

    visitor.post("/settings/passkeys/one").form(&[("_method", "DELETE")]).await.assert_status(303);
    assert_eq!(name_of(&app, "one").await, None);
    assert_eq!(name_of(&app, "two").await.as_deref(), Some("Laptop"));
}

// spec: ERR-1
#[housekey::test]
async fn a_passkey_of_somebody_else_is_not_there(app: TestApp) {
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    passkey_of(&app, &ada, "adas").await;
    let visitor = app.signed_in(&eve).await;
    confirm_password(&visitor).await;
    for id in ["adas", "nothing", "..%2Fadas"] {
        let path = format!("/settings/passkeys/{id}");
        visitor.delete(&path).json(&json!({})).await.assert_not_found();
        visitor.patch(&path).json(&json!({ "name": "Mine now" })).await.assert_not_found();
    }
    assert_eq!(name_of(&app, "adas").await.as_deref(), Some("Laptop"));
    assert_eq!(rows_of(&app, "passkey", &ada).await, 1);
}

// spec: KIT-7
#[housekey::test]
async fn a_browser_may_ask_for_the_ceremonies_of_passkeys(app: TestApp) {
    let options = app.get("/api/auth/passkey/generate-authenticate-options").await;
    options.assert_ok().assert_json_path("rpId", "localhost");
    app.get("/api/auth/passkey/generate-register-options").await.assert_status(401);
}

#[housekey::test]
async fn what_no_passkey_answered_confirms_nothing(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let made_up = r#"{"id":"x","rawId":"x","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA"}}"#;
    for response in ["", "nonsense", "{}", "[]", made_up] {
        let answer = visitor.post("/confirm-password/passkey").json(&json!({ "response": response })).await;
        assert!(answer.status().is_client_error(), "{response}: {}", answer.status());
    }
    visitor.delete("/settings/account").json(&json!({})).await.assert_status(423);
}
