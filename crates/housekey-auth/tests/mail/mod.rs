//! The mails about accounts, through HTTP.
mod behind_the_answer;
mod channels;
mod known_address;
mod notices;
mod recipients;
mod secrets;
mod smtp_server;
mod translations;
mod words;

use std::sync::Arc;

use housekey_auth::notifications::{AccountMail, AppAccountMail};
use housekey_auth::{Auth, AuthConfig};
use housekey_http::App;
use housekey_mail::{MailFake, Mailer};
use housekey_testing::TestApp;
use serde_json::json;

use crate::support::{app_with, config, engine_post, make_tables, nothing_asked};

const ADA: &str = "ada@example.com";
const NEW: &str = "countess@example.com";

/// An app as the kits set accounts up: a link goes out at sign-up.
fn app(change: impl Fn(&mut AuthConfig)) -> App {
    app_with(settings(change), |_| ())
}

fn settings(change: impl Fn(&mut AuthConfig)) -> AuthConfig {
    let mut auth = AuthConfig { demands: nothing_asked(), ..config() };
    auth.engine.email_verification.send_on_sign_up = Some(true);
    change(&mut auth);
    auth
}

/// That app, booted, its tables made, with the account mails changed.
async fn test_app(change: impl Fn(&mut AccountMail) + Send + Sync + 'static) -> TestApp {
    let change = Arc::new(change);
    let booted = TestApp::new(move || {
        let change = Arc::clone(&change);
        app(|_| ()).account_mail(move |mail| change(mail))
    });
    make_tables(&booted).await;
    booted
}

fn mails(app: &TestApp) -> MailFake {
    app.services().require::<Mailer>().unwrap().fake()
}

async fn ask_for_reset(app: &TestApp, email: &str) {
    engine_post(app, "request-password-reset", &json!({ "email": email })).await.assert_ok();
}

/// Asks for a reset and carries it out; gives the token of the link.
async fn reset(app: &TestApp, email: &str) -> String {
    ask_for_reset(app, email).await;
    let token = reset_token(&mails(app).link_to(email));
    let body = json!({ "token": token, "newPassword": "another good password" });
    engine_post(app, "reset-password", &body).await.assert_ok();
    token
}

/// The token in the engine's link to a new password.
fn reset_token(link: &str) -> String {
    let (_, rest) = link.split_once("/reset-password/").unwrap_or_else(|| panic!("{link}"));
    rest.split('?').next().unwrap().to_owned()
}

/// The token in every other link.
fn token(link: &str) -> String {
    let (_, rest) = link.split_once("token=").unwrap_or_else(|| panic!("{link}"));
    rest.split('&').next().unwrap().to_owned()
}

async fn make_verified(app: &TestApp, email: &str) {
    let auth = app.services().require::<Auth>().unwrap();
    let users = auth.database().unwrap().table("user").where_eq("email", email);
    users.update(housekey_database::record! { "emailVerified" => true }).await.unwrap();
}
