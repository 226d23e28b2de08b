//! What `config/auth.rs` turns off is not there.

use housekey::auth::AuthConfig;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use crate::support::{PASSWORD, confirm_password, mails, sign_in, somebody};

fn with(app: &TestApp, change: impl Fn(&mut AuthConfig) + Send + Sync + 'static) -> TestApp {
    app.with_config(move |config| config.update::<AuthConfig>(&change))
}

/// Without the second factor and passkeys. What a layer of the app has besides stays: its routes need it.
fn without_factors(auth: &mut AuthConfig) {
    let others = auth.plugins.iter().filter(|plugin| !["two-factor", "passkey"].contains(&plugin.id()));
    auth.plugins = others.cloned().collect();
}

/// Whether an address takes such a write from a visitor, whatever it says to it.
async fn is_there(visitor: &TestApp, method: &str, path: &str) -> bool {
    let asked = || visitor.request(method.parse().unwrap(), path);
    let (json, form) = (asked().json(&json!({})).await, asked().form(&[("a", "b")]).await);
    assert_eq!(
        json.status() == 404,
        form.status() == 404,
        "{method} {path}: {} {}",
        json.status(),
        form.status()
    );
    json.status() != 404
}

// spec: CFG-6, ERR-1
#[housekey::test]
async fn without_passwords_nothing_takes_one(app: TestApp) {
    let actions = ["/sign-in", "/sign-up", "/forgot-password", "/reset-password"];
    for path in actions {
        assert!(is_there(&app.visitor(), "POST", path).await, "{path}");
    }
    let off = with(&app, |auth| auth.engine.email_and_password.enabled = false);
    let mails = mails(&off);
    for path in actions {
        assert!(!is_there(&off.visitor(), "POST", path).await, "{path}");
    }
    mails.assert_nothing_sent();
}

// spec: CFG-6, ENG-4, ERR-1
#[housekey::test]
async fn without_the_plugins_there_is_no_second_factor_and_no_passkey(app: TestApp) {
    let of_guests = [("POST", "/two-factor-challenge"), ("POST", "/two-factor-challenge/recovery")];
    let of_members = [
        ("POST", "/settings/two-factor"),
        ("POST", "/settings/two-factor/confirm"),
        ("POST", "/settings/two-factor/recovery-codes"),
        ("DELETE", "/settings/two-factor"),
        ("POST", "/confirm-password/passkey"),
    ];
    for plain in [false, true] {
        let app = if plain { with(&app, without_factors) } else { app.clone() };
        let visitor = app.signed_in(&somebody(&app).await).await;
        confirm_password(&visitor).await;
        for (method, path) in of_guests {
            assert_eq!(is_there(&app.visitor(), method, path).await, !plain, "{path}");
        }
        for (method, path) in of_members {
            assert_eq!(is_there(&visitor, method, path).await, !plain, "{path}");
        }
        if plain {
            visitor.patch("/settings/passkeys/one").json(&json!({ "name": "x" })).await.assert_not_found();
        }
        // The rest of the house stands.
        visitor.post("/settings/profile").json(&json!({ "name": "Ada" })).await.assert_ok();
    }
}

// spec: CFG-6
#[housekey::test]
async fn an_address_or_an_account_that_cannot_be_changed_or_deleted_stays(app: TestApp) {
    let off = with(&app, |auth| {
        auth.engine.user.change_email.enabled = false;
        auth.engine.user.delete_user.enabled = false;
    });
    let ada = somebody(&off).await;
    let visitor = off.signed_in(&ada).await;
    confirm_password(&visitor).await;
    for (method, path) in [
        ("POST", "/settings/profile/email"),
        ("DELETE", "/settings/profile/email"),
        ("POST", "/change-email/confirm"),
        ("DELETE", "/settings/account"),
    ] {
        assert!(!is_there(&visitor, method, path).await, "{method} {path}");
    }
    assert_eq!(crate::support::stored(&off, &ada).await.email, ada.email);
}

// spec: CFG-1
#[housekey::test]
async fn without_the_engines_endpoints_passkeys_are_not_there_and_the_apps_own_forms_are(app: TestApp) {
    let off = with(&app, |auth| auth.mount = false);
    let ada = somebody(&off).await;
    off.get("/api/auth/get-session").await.assert_not_found();
    sign_in(&off, &ada.email, PASSWORD).await.assert_ok();
    confirm_password(&off).await;
    assert!(!is_there(&off, "POST", "/confirm-password/passkey").await);
    off.patch("/settings/passkeys/one").json(&json!({ "name": "x" })).await.assert_not_found();
    off.get("/.well-known/passkey-endpoints").await.assert_not_found();
    off.post("/settings/two-factor").json(&json!({})).await.assert_ok();
    off.post("/settings/profile").json(&json!({ "name": "Countess" })).await.assert_ok();
    assert_eq!(crate::support::stored(&off, &ada).await.name, "Countess");
}
