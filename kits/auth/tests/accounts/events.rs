//! What happened to an account is kept: the same whichever door led there, once, and without anything that opens it.

use std::time::Duration;

use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::models::User;

use crate::support::{
    ANOTHER, PASSWORD, code_of, confirm_password, mails, sign_in, somebody, somebody_careful,
    somebody_unverified, token_for, wrong_code,
};

/// What people do, and what is kept of it, in the order of the names.
const THINGS: [(&str, &[&str]); 20] = [
    ("sign up", &["sign-up"]),
    ("sign in", &["sign-in"]),
    ("wrong password", &["sign-in-refused"]),
    ("unknown address", &["sign-in-refused"]),
    ("sign out", &["sign-out"]),
    ("reset the password", &["password-reset", "password-reset-asked", "sessions-revoked"]),
    ("ask for a reset of nobody's", &["password-reset-asked"]),
    ("prove the address", &["email-verified"]),
    ("change the password", &["password-changed", "sessions-revoked"]),
    ("change it with a wrong one", &["confirmation-refused"]),
    (
        "change the address",
        &["email-change-agreed", "email-change-asked", "email-changed", "sessions-revoked"],
    ),
    ("turn two-factor on", &["sessions-revoked", "two-factor-enabled"]),
    ("turn two-factor off", &["sessions-revoked", "two-factor-disabled"]),
    ("make new recovery codes", &["backup-codes-regenerated"]),
    ("sign in with a code", &["device-trusted", "second-factor-asked", "second-factor-passed", "sign-in"]),
    ("sign in with a wrong code", &["second-factor-asked", "second-factor-refused"]),
    ("rename and remove a passkey", &["passkey-removed", "passkey-renamed"]),
    ("end a session", &["session-revoked"]),
    ("end the others", &["sessions-revoked"]),
    ("delete the account", &["account-deleted"]),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Door {
    /// A route of this app.
    App,
    /// An endpoint of the engine.
    Engine,
}

// spec: SEC-9, SEC-1
#[housekey::test]
async fn each_thing_leaves_the_same_events_through_either_door(app: TestApp) {
    for (thing, expected) in THINGS {
        for door in [Door::App, Door::Engine] {
            let secrets = carry_out(&app, thing, door).await;
            let kept = events(&app).await;
            let mut kinds: Vec<&str> = kept.iter().map(|event| event["kind"].as_str().unwrap()).collect();
            kinds.sort_unstable();
            assert_eq!(kinds, expected, "{thing}, {door:?}");
            let text = Value::from(kept).to_string();
            for secret in secrets.iter().map(String::as_str).chain([PASSWORD, ANOTHER, "@example.com"]) {
                assert!(!text.contains(secret), "{thing}, {door:?}: {secret} in {text}");
            }
            // Throttles and the steps of codes are over.
            app.advance(Duration::from_secs(90));
        }
    }
}

/// Does it, with a person of its own; gives what may not be found in the events. Those of before are forgotten.
async fn carry_out(app: &TestApp, thing: &str, door: Door) -> Vec<String> {
    let ours = door == Door::App;
    let (mut ada, mut secrets) = (somebody(app).await, Vec::new());
    match thing {
        "prove the address" => ada = somebody_unverified(app).await,
        "turn two-factor off" | "make new recovery codes" => (ada, secrets) = somebody_careful(app).await,
        _ if thing.starts_with("sign in with") => (ada, secrets) = somebody_careful(app).await,
        _ => {}
    }
    app.advance(Duration::from_secs(30));
    let (stranger, other, visitor) = (app.visitor(), app.signed_in(&ada).await, app.signed_in(&ada).await);
    confirm_password(&visitor).await;
    secrets.extend(visitor.cookie(crate::support::SESSION));
    passkey_of(app, &ada).await;
    let lost = session_of(app, &ada).await;
    forget(app).await;

    let email = ada.email.as_str();
    let done = match (thing, ours) {
        ("sign up", true) => send(&stranger, "/sign-up", sign_up_form(&ada)).await,
        ("sign up", false) => engine(&stranger, "sign-up/email", sign_up_form(&ada)).await,
        ("sign in", true) => sign_in(&stranger, email, PASSWORD).await,
        ("sign in", false) => engine_sign_in(&stranger, email, PASSWORD).await,
        ("wrong password", true) => return refused(sign_in(&stranger, email, ANOTHER).await),
        ("wrong password", false) => return refused(engine_sign_in(&stranger, email, ANOTHER).await),
        ("unknown address", true) => {
            return refused(sign_in(&stranger, "nobody@example.com", PASSWORD).await);
        }
        ("unknown address", false) => {
            return refused(engine_sign_in(&stranger, "nobody@example.com", PASSWORD).await);
        }
        ("sign out", true) => send(&visitor, "/sign-out", json!({})).await,
        ("sign out", false) => engine(&visitor, "sign-out", json!({})).await,
        ("ask for a reset of nobody's", true) => {
            send(&stranger, "/forgot-password", json!({ "email": "nobody@example.com" })).await
        }
        ("ask for a reset of nobody's", false) => {
            engine(&stranger, "request-password-reset", json!({ "email": "nobody@example.com" })).await
        }
        ("reset the password", true) => {
            let mails = mails(app);
            send(&stranger, "/forgot-password", json!({ "email": email })).await.assert_ok();
            secrets.push(token_for(&mails, email));
            let form =
                json!({ "token": secrets.last(), "password": ANOTHER, "password_confirmation": ANOTHER });
            send(&stranger, "/reset-password", form).await
        }
        ("reset the password", false) => {
            let mails = mails(app);
            engine(&stranger, "request-password-reset", json!({ "email": email })).await.assert_ok();
            secrets.push(token_for(&mails, email));
            let body = json!({ "token": secrets.last(), "newPassword": ANOTHER });
            engine(&stranger, "reset-password", body).await
        }
        ("prove the address", _) => {
            let mails = mails(app);
            send(&visitor, "/verify-email/resend", json!({})).await.assert_ok();
            secrets.push(token_for(&mails, email));
            follow(&visitor, "/verify-email/confirm", secrets.last().unwrap(), ours).await
        }
        ("change the password", true) => send_put(&visitor, PASSWORD).await,
        ("change the password", false) => engine_change(&visitor, PASSWORD).await,
        ("change it with a wrong one", true) => return refused(send_put(&visitor, "not the password").await),
        ("change it with a wrong one", false) => {
            return refused(engine_change(&visitor, "not the password").await);
        }
        ("change the address", _) => {
            let new = format!("new-{email}");
            let mails = mails(app);
            match ours {
                true => send(&visitor, "/settings/profile/email", json!({ "email": new })).await,
                false => engine(&visitor, "change-email", json!({ "newEmail": new })).await,
            }
            .assert_ok();
            for address in [email, &new] {
                secrets.push(token_for(&mails, address));
                follow(&visitor, "/change-email/confirm", secrets.last().unwrap(), ours).await.assert_ok();
            }
            return secrets;
        }
        ("turn two-factor on", true) => {
            send(&visitor, "/settings/two-factor", json!({})).await.assert_ok();
            let code = code_of(app, &ada).await;
            send(&visitor, "/settings/two-factor/confirm", json!({ "code": code })).await
        }
        ("turn two-factor on", false) => {
            let enabled = engine(&visitor, "two-factor/enable", json!({ "password": PASSWORD })).await;
            secrets.extend(enabled.json::<Value>()["totpURI"].as_str().map(str::to_owned));
            let code = code_of(app, &ada).await;
            engine(&visitor, "two-factor/verify-totp", json!({ "code": code })).await
        }
        ("turn two-factor off", true) => visitor.delete("/settings/two-factor").json(&json!({})).await,
        ("turn two-factor off", false) => engine(&visitor, "two-factor/disable", json!({})).await,
        ("make new recovery codes", true) => {
            send(&visitor, "/settings/two-factor/recovery-codes", json!({})).await
        }
        ("make new recovery codes", false) => {
            engine(&visitor, "two-factor/generate-backup-codes", json!({})).await
        }
        ("sign in with a code", true) => {
            sign_in(&stranger, email, PASSWORD).await.assert_ok();
            let code = code_of(app, &ada).await;
            send(&stranger, "/two-factor-challenge", json!({ "code": code, "trust_device": true })).await
        }
        ("sign in with a code", false) => {
            engine_sign_in(&stranger, email, PASSWORD).await.assert_ok();
            let code = code_of(app, &ada).await;
            engine(&stranger, "two-factor/verify-totp", json!({ "code": code, "trustDevice": true })).await
        }
        ("sign in with a wrong code", true) => {
            sign_in(&stranger, email, PASSWORD).await.assert_ok();
            let code = wrong_code(app, &ada).await;
            return refused(send(&stranger, "/two-factor-challenge", json!({ "code": code })).await);
        }
        ("sign in with a wrong code", false) => {
            engine_sign_in(&stranger, email, PASSWORD).await.assert_ok();
            let code = wrong_code(app, &ada).await;
            return refused(engine(&stranger, "two-factor/verify-totp", json!({ "code": code })).await);
        }
        ("rename and remove a passkey", true) => {
            let path = format!("/settings/passkeys/key-of-{}", ada.id);
            visitor.patch(&path).json(&json!({ "name": "Phone" })).await.assert_ok();
            visitor.delete(&path).json(&json!({})).await
        }
        ("rename and remove a passkey", false) => {
            let id = format!("key-of-{}", ada.id);
            engine(&visitor, "passkey/update-passkey", json!({ "id": id, "name": "Phone" }))
                .await
                .assert_ok();
            engine(&visitor, "passkey/delete-passkey", json!({ "id": id })).await
        }
        ("end a session", true) => {
            visitor.delete(&format!("/settings/sessions/{lost}")).json(&json!({})).await
        }
        ("end a session", false) => engine(&visitor, "revoke-session", json!({ "token": lost })).await,
        ("end the others", true) => visitor.delete("/settings/sessions").json(&json!({})).await,
        ("end the others", false) => engine(&visitor, "revoke-other-sessions", json!({})).await,
        ("delete the account", true) => visitor.delete("/settings/account").json(&json!({})).await,
        ("delete the account", false) => engine(&visitor, "delete-user", json!({})).await,
        _ => panic!("nobody knows how to {thing}"),
    };
    done.assert_ok();
    drop(other);
    secrets
}

fn refused(answer: TestResponse) -> Vec<String> {
    assert!(answer.status().as_u16() >= 400, "{}", answer.text());
    Vec::new()
}

fn sign_up_form(known: &User) -> Value {
    json!({ "name": "Ada", "email": format!("new-{}", known.email), "password": PASSWORD })
}

async fn send(visitor: &TestApp, path: &str, body: Value) -> TestResponse {
    visitor.post(path).json(&body).await
}

async fn send_put(visitor: &TestApp, current: &str) -> TestResponse {
    let form = json!({
        "current_password": current, "password": ANOTHER, "password_confirmation": ANOTHER, "sign_out_others": true,
    });
    visitor.put("/settings/password").json(&form).await
}

async fn engine_change(visitor: &TestApp, current: &str) -> TestResponse {
    let body = json!({ "currentPassword": current, "newPassword": ANOTHER, "revokeOtherSessions": true });
    engine(visitor, "change-password", body).await
}

async fn engine_sign_in(visitor: &TestApp, email: &str, password: &str) -> TestResponse {
    engine(visitor, "sign-in/email", json!({ "email": email, "password": password })).await
}

async fn engine(visitor: &TestApp, path: &str, body: Value) -> TestResponse {
    visitor.post(&format!("/api/auth/{path}")).header("origin", "http://localhost:3000").json(&body).await
}

/// Spends the token of a mail, at the page of the link or at the engine.
async fn follow(visitor: &TestApp, page: &str, token: &str, ours: bool) -> TestResponse {
    match ours {
        true => send(visitor, page, json!({ "token": token })).await,
        false => visitor.get(&format!("/api/auth/verify-email?token={token}")).await,
    }
}

async fn passkey_of(app: &TestApp, user: &User) {
    let row = record! {
        "id" => format!("key-of-{}", user.id), "name" => "Laptop", "publicKey" => "pQECAyYgASFYIA",
        "userId" => user.id.as_str(), "credentialID" => format!("credential-{}", user.id), "counter" => 0,
        "deviceType" => "singleDevice", "backedUp" => false, "createdAt" => app.clock().now(),
    };
    app.within(async { db()?.table("passkey").insert(row).await }).await.unwrap();
}

/// The id of somebody's oldest session.
async fn session_of(app: &TestApp, user: &User) -> String {
    let sessions =
        || db().map(|db| db.table("session").where_eq("userId", user.id.as_str()).order_by("createdAt"));
    app.within(async { sessions()?.value("id").await }).await.unwrap().unwrap()
}

async fn forget(app: &TestApp) {
    app.within(async { db()?.table("securityEvent").delete().await }).await.unwrap();
}

/// Every row of the table, as it is.
async fn events(app: &TestApp) -> Vec<Value> {
    let auth = app.services().require::<housekey::auth::Auth>().unwrap();
    let all = app.within(housekey::auth::events::find(&auth, &Default::default(), 100)).await.unwrap();
    all.iter().map(|event| housekey::serde_json::to_value(event).unwrap()).collect()
}

// spec: SEC-9
#[housekey::test]
async fn a_change_of_address_that_is_called_off_is_kept_too(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    forget(&app).await;
    send(&visitor, "/settings/profile/email", json!({ "email": "new@example.com" })).await.assert_ok();
    visitor.delete("/settings/profile/email").json(&json!({})).await.assert_ok();
    let kinds: Vec<Value> = events(&app).await.iter().map(|event| event["kind"].clone()).collect();
    assert!(kinds.contains(&json!("email-change-cancelled")) && kinds.len() == 2, "{kinds:?}");
}

// spec: SEC-9
#[housekey::test]
async fn a_copy_of_what_is_kept_has_what_happened_to_oneself_and_to_nobody_else(app: TestApp) {
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let visitor = app.signed_in(&ada).await;
    app.signed_in(&eve).await;
    let copy: Value = visitor.get("/settings/account/data").await.json();
    let history = copy["history"].as_array().unwrap();
    assert_eq!(history.len(), 1, "{copy}");
    assert_eq!(history[0]["what"], "Signed in");
}
