//! More ways into an account: links and codes in mails, names, several accounts in one browser, through HTTP.
mod accounts;
mod boot;
mod by_mail;
mod captcha;
mod confirmation;
mod mails;

use housekey_auth::config::{Plugins, email_otp, magic_link, multi_session, secure, username};
use housekey_auth::engine::SignIn;
use housekey_auth::engine::plugins::email_otp::{self as codes, EmailOtpType, SignInEmailOtp};
use housekey_auth::engine::plugins::magic_link::{self as links, SendMagicLink};
use housekey_auth::engine::plugins::two_factor;
use housekey_auth::{
    AuthConfig, OrHttpError, accounts as signed_in, add_account, api, sign_out_account, switch_account,
};
use housekey_core::Result;
use housekey_http::Routes;
use housekey_http::axum::Json;
use housekey_http::axum::extract::{Path, Query};
use housekey_http::session::session;
use housekey_mail::{MailFake, Mailer};
use housekey_testing::TestApp;
use serde_json::{Value, json};

const ADA: &str = "ada@example.com";
const BOB: &str = "bob@example.com";

/// As an app writes it, with a page for links.
fn all_ways(auth: &mut AuthConfig) {
    auth.plugins = Plugins::from([
        two_factor(secure()),
        magic_link(secure()),
        email_otp(secure()),
        username(secure()),
        multi_session(secure()),
    ]);
    auth.mail_pages.magic_link = Some("/magic-link".into());
    // As the kits have it: a sign-in ends what the browser had before.
    auth.engine.session.revoke_on_sign_in = true;
}

#[derive(serde::Deserialize)]
struct Link {
    token: String,
}

fn routes(route: &mut Routes) {
    route.get("/magic-link", async |Query(link): Query<Link>| {
        let found = links::inspect(&api()?, &link.token.as_str().into()).await.or_http_error()?;
        Ok::<_, housekey_core::Error>(found.map_or_else(|| "spent".to_owned(), |link| link.email))
    });
    route.post("/magic-link", async |body: String| {
        let given: Value = serde_json::from_str(&body)?;
        let token = given["token"].as_str().unwrap_or_default().into();
        Ok::<_, housekey_core::Error>(outcome(
            &links::spend(&mut api()?, &token).await.or_field_error("token")?.sign_in,
        ))
    });
    route.post("/link", async |email: String| {
        links::send(&mut api()?, SendMagicLink { email, ..Default::default() }).await.or_field_error("email")
    });
    route.post("/code", async |email: String| {
        codes::send(&mut api()?, &email, EmailOtpType::SignIn).await.or_field_error("email")
    });
    route.post("/code/enter", async |body: String| {
        let given: Value = serde_json::from_str(&body)?;
        let text = |name: &str| given[name].as_str().unwrap_or_default().to_owned();
        let input = SignInEmailOtp { email: text("email"), otp: text("code").into(), ..Default::default() };
        Ok::<_, housekey_core::Error>(outcome(
            &codes::sign_in(&mut api()?, input).await.or_field_error("code")?,
        ))
    });
    route.get("/sign-in", async || "the form").middleware("guest");
    route.get("/dashboard", async || "in").middleware("auth");
    route.delete("/account", async || "gone").middleware(["auth", "action:delete-account"]);
    route.get("/accounts", list);
    route.post("/accounts/add", async || add_account().map(|()| "go on"));
    route.post("/accounts/{id}/switch", async |Path(id): Path<String>| {
        switch_account(&id).await.map(|()| "switched")
    });
    route.delete("/accounts/{id}", async |Path(id): Path<String>| {
        sign_out_account(&id).await.map(|()| "left")
    });
    route.post("/cart", async |what: String| session().put("cart", what).map(|()| "kept"));
    route.get("/cart", async || {
        Ok::<_, housekey_core::Error>(
            session().get::<String>("cart").await?.unwrap_or_else(|| "empty".into()),
        )
    });
}

fn outcome(signed_in: &SignIn) -> &'static str {
    match signed_in {
        SignIn::Done(_) => "in",
        SignIn::Challenged(_) => "a code, please",
    }
}

async fn list() -> Result<Json<Value>> {
    let accounts = signed_in().await?;
    let rows = accounts.iter().map(
        |account| json!({ "id": account.id, "email": account.user.email, "current": account.is_current }),
    );
    Ok(Json(rows.collect()))
}

async fn app() -> TestApp {
    crate::support::test_app(all_ways, routes).await
}

fn mails(app: &TestApp) -> MailFake {
    app.services().require::<Mailer>().unwrap().fake()
}

/// The path and query of a link, as a browser opens it.
fn path_of(link: &str) -> String {
    link.split_once("localhost:3000").map_or(link, |(_, path)| path).to_owned()
}

fn token_of(link: &str) -> String {
    let (_, rest) = link.split_once("token=").unwrap_or_else(|| panic!("{link}"));
    rest.split('&').next().unwrap().to_owned()
}

/// The six digits of the last mail to somebody.
fn code_to(mails: &MailFake, email: &str) -> String {
    let text = mails.last_to(email).text().to_owned();
    let code =
        text.lines().map(str::trim).find(|line| line.len() == 6 && line.bytes().all(|b| b.is_ascii_digit()));
    code.unwrap_or_else(|| panic!("no code in {text}")).to_owned()
}

/// Whose session the visitor has.
async fn who(visitor: &TestApp) -> Option<String> {
    let session: Value = visitor.get("/api/auth/get-session").await.json();
    session["user"]["email"].as_str().map(str::to_owned)
}
