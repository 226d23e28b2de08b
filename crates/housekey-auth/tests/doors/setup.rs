//! An app with everything that an account can have, its routes beside the engine's endpoints.

use housekey_auth::config::{
    DynamicRoles, OrganizationOptions, TeamOptions, admin, anonymous, api_key, bearer, device_authorization,
    email_otp, jwt, last_login_method, magic_link, multi_session, one_time_token, organization, passkey,
    secure, two_factor, username,
};
use housekey_auth::engine::options::AdditionalField;
use housekey_auth::engine::plugins::two_factor::TwoFactorOptions;
use housekey_auth::engine::{ChangePassword, DeleteAccount, Plugins, SignUpEmail};
use housekey_auth::guards::{Confirmation, confirm_password, confirm_with_passkey};
use housekey_auth::{Auth, AuthConfig, Demands, OrHttpError, api, create_account};
use housekey_core::Result;
use housekey_http::validation::Valid;
use housekey_http::{Response, Routes};
use housekey_testing::{TestApp, TestResponse};
use serde_json::{Value, json};

use crate::support::{PASSWORD, engine_post, sign_in, test_app};

pub(crate) const ADA: &str = "ada@example.com";

pub(crate) fn everything(auth: &mut AuthConfig) {
    auth.demands = Demands::default();
    let second = TwoFactorOptions { allow_passwordless: true, ..Default::default() };
    let organizations = OrganizationOptions {
        teams: Some(TeamOptions::default()),
        dynamic_roles: Some(DynamicRoles::default()),
        ..Default::default()
    };
    auth.plugins = Plugins::from([
        two_factor(second),
        passkey(Default::default()),
        organization(organizations),
        admin(Default::default()),
        bearer(Default::default()),
        magic_link(secure()),
        email_otp(secure()),
        username(secure()),
        anonymous(secure()),
        multi_session(secure()),
        device_authorization(secure()),
        one_time_token(secure()),
        api_key(secure()),
        jwt(secure()),
        last_login_method(secure()),
    ]);
    let engine = &mut auth.engine;
    engine.social_providers.push(housekey_auth::config::Provider::github("id", "secret"));
    engine.user.delete_user.enabled = true;
    engine.account.account_linking.enabled = Some(true);
    engine
        .session
        .additional_fields
        .insert("theme".into(), AdditionalField { input: Some(true), ..Default::default() });
}

pub(crate) fn routes(route: &mut Routes) {
    route.group().middleware("auth").routes(|route| {
        route.post("/confirm-password", confirmed);
        route.post("/confirm-password/passkey", by_passkey);
        route.delete("/account", destroy).middleware("action:delete-account");
        route.put("/password", change_password).middleware("action:change-password");
        route.post("/two-factor", async || "begun").middleware("action:enable-two-factor");
        route.post("/passkeys/name", async || "renamed").middleware("action:rename-passkey");
    });
    route.post("/api/confirm-password", confirmed).middleware("auth").without_csrf();
}

async fn confirmed(Valid(given): Valid<Confirmation>) -> Result<Response> {
    confirm_password(given, "/").await
}

async fn by_passkey(body: String) -> Result<&'static str> {
    confirm_with_passkey(&serde_json::from_str(&body)?).await?;
    Ok("confirmed")
}

async fn destroy() -> Result<&'static str> {
    let mut api = api()?;
    api.confirm_presence();
    api.delete_user(DeleteAccount::default()).await.or_http_error()?;
    Ok("gone")
}

async fn change_password(body: String) -> Result<&'static str> {
    let given: Value = serde_json::from_str(&body)?;
    let text = |name: &str| given[name].as_str().unwrap_or_default().into();
    let input = ChangePassword {
        current_password: text("current"),
        new_password: text("new"),
        revoke_other_sessions: false,
    };
    api()?.change_password(input).await.or_field_error("current")?;
    Ok("changed")
}

/// The app, and ada with a proven address, who has just signed in.
pub(crate) async fn signed_in_app() -> TestApp {
    let app = test_app(everything, routes).await;
    somebody(&app, ADA, true).await;
    app
}

/// Makes an account and signs in with it.
pub(crate) async fn somebody(app: &TestApp, email: &str, verified: bool) {
    let auth = app.services().require::<Auth>().unwrap();
    let account = SignUpEmail {
        name: "Ada".into(),
        email: email.into(),
        password: PASSWORD.into(),
        ..Default::default()
    };
    app.within(async { create_account(&auth, account, verified).await }).await.unwrap();
    sign_in(app, email, PASSWORD).await.assert_ok();
}

/// Opens the window in which the password counts as confirmed.
pub(crate) async fn confirm(app: &TestApp) {
    app.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
}

/// Asks an endpoint as its clients do: with a body, or without one where it is a GET.
pub(crate) async fn ask(app: &TestApp, path: &str, body: &Value) -> TestResponse {
    match body {
        Value::Null => app.get(&format!("/api/auth/{path}")).accept_json().await,
        body => engine_post(app, path, body).await,
    }
}

/// Whether somebody is still signed in, and so still there.
pub(crate) async fn is_there(app: &TestApp) -> bool {
    let session: Value = app.get("/api/auth/get-session").await.json();
    session["user"]["email"].is_string()
}

pub(crate) async fn expect_locked(app: &TestApp, path: &str, body: &Value) {
    let refused = ask(app, path, body).await;
    assert_eq!(refused.status(), 423, "{path}: {}", refused.text());
    refused.assert_json_path("code", "PASSWORD_CONFIRMATION_REQUIRED");
    assert!(refused.json::<Value>()["message"].is_string(), "{path}");
}
