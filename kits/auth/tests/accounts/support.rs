//! What the tests of accounts share.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::two_factor::totp_code;
use housekey::database::Factory;
use housekey::mail::{MailFake, Mailer};
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

pub const PASSWORD: &str = UserFactory::PASSWORD;
pub const ANOTHER: &str = "another good password";

/// The cookie that holds a session.
pub const SESSION: &str = "better-auth.session_token";
/// The cookie between the password and the code.
pub const CHALLENGE: &str = "better-auth.two_factor";

/// Somebody with an account, a confirmed address and [`PASSWORD`].
pub async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// Somebody who has not opened the link in their mail.
pub async fn somebody_unverified(app: &TestApp) -> User {
    app.within(UserFactory::unverified()).await.unwrap()
}

/// Somebody with a second factor, and their recovery codes. The code of this moment is spent already.
pub async fn somebody_careful(app: &TestApp) -> (User, Vec<String>) {
    app.within(UserFactory::create_with_two_factor(record! {})).await.unwrap()
}

/// Takes somebody's password away, as if they had only ever signed in with a provider.
pub async fn without_password(app: &TestApp, user: &User) {
    let own = async { db()?.table("account").where_eq("userId", user.id.as_str()).delete().await };
    app.within(own).await.unwrap();
}

/// The account as it is stored now.
pub async fn stored(app: &TestApp, user: &User) -> User {
    app.within(User::find_or_404(user.id.clone())).await.unwrap()
}

/// The account with an address, as it is stored now.
pub async fn stored_with(app: &TestApp, email: &str) -> Option<User> {
    let ids: Vec<String> =
        app.within(async { db()?.table("user").where_eq("email", email).pluck("id").await }).await.unwrap();
    let [id] = &ids[..] else { return None };
    app.within(User::find(id.clone())).await.unwrap()
}

/// How many rows of a table belong to somebody.
pub async fn rows_of(app: &TestApp, table: &str, user: &User) -> u64 {
    app.within(async { db()?.table(table).where_eq("userId", user.id.as_str()).count().await }).await.unwrap()
}

/// The address a visitor is signed in with.
pub async fn signed_in_as(visitor: &TestApp) -> Option<String> {
    let session: Value = visitor.get("/api/auth/get-session").await.json();
    session["user"]["email"].as_str().map(str::to_owned)
}

pub async fn sign_in(visitor: &TestApp, email: &str, password: &str) -> TestResponse {
    visitor.post("/sign-in").json(&json!({ "email": email, "password": password })).await
}

/// Opens the window in which the password counts as confirmed.
pub async fn confirm_password(visitor: &TestApp) {
    visitor.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
}

/// The code that somebody's authenticator app shows.
pub async fn code_of(app: &TestApp, user: &User) -> String {
    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let account = api.user(&user.id).await.unwrap().unwrap();
    totp_code(&api, &account).await.unwrap()
}

/// Six digits that are not the code, whatever the moment.
pub async fn wrong_code(app: &TestApp, user: &User) -> String {
    let right: u32 = code_of(app, user).await.parse().unwrap();
    format!("{:06}", (right + 500_000) % 1_000_000)
}

/// What would have been sent.
pub fn mails(app: &TestApp) -> MailFake {
    app.services().require::<Mailer>().unwrap().fake()
}

/// The token in the link of the last mail to an address.
pub fn token_for(mails: &MailFake, email: &str) -> String {
    let link = mails.link_to(email);
    let (_, token) = link.split_once("token=").unwrap_or_else(|| panic!("no token in {link}"));
    token.split('&').next().unwrap_or_default().to_owned()
}

/// The six digits in the last mail to an address.
pub fn code_for(mails: &MailFake, email: &str) -> String {
    let text = mails.last_to(email).text().to_owned();
    let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
    text.lines().map(str::trim).find(is_code).unwrap_or_else(|| panic!("no code in {text}")).to_owned()
}

/// The same text with one letter changed, in its middle.
pub fn tampered(token: &str) -> String {
    let middle = token.len() / 2;
    let other = if &token[middle..=middle] == "A" { "B" } else { "A" };
    format!("{}{other}{}", &token[..middle], &token[middle + 1..])
}
