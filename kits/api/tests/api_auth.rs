//! Getting in and out, and getting back in.

use std::time::Duration;

use housekey::database::{Factory, record};
use housekey::mail::{MailFake, Mailer};
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;

const ADA: &str = "ada@example.com";

#[housekey::test]
async fn whoever_registers_gets_a_token_that_works(app: TestApp) {
    let answer = register(&app, ADA).await;
    answer
        .assert_status(201)
        .assert_json_path("user.email", ADA)
        .assert_json_path("user.emailVerified", false);
    answer.assert_no_header("set-cookie").assert_header("cache-control", "no-store");
    bearer(&app, &token_of(&answer)).get("/api/me").await.assert_ok().assert_json_path("user.email", ADA);
}

#[housekey::test]
async fn registering_refuses_a_taken_address_a_weak_password_and_what_is_missing(app: TestApp) {
    person(&app).await;
    register(&app, ADA).await.assert_status(422).assert_invalid("email");

    let short = json!({ "name": "Eve", "email": "eve@example.com", "password": "short" });
    post(&app, "/api/register", &short).await.assert_status(422).assert_invalid("password");
    for weak in ["Password1", "lovelace1815"] {
        let body = json!({ "name": "Ada Lovelace", "email": "eve@example.com", "password": weak });
        post(&app, "/api/register", &body).await.assert_status(422).assert_invalid("password");
    }
    let empty = post(&app, "/api/register", &json!({})).await;
    empty.assert_status(422).assert_invalid("name").assert_invalid("email").assert_invalid("password");
}

#[housekey::test]
async fn where_sign_up_is_turned_off_it_does_not_exist(app: TestApp) {
    let app = app.with_env("AUTH_SIGN_UP", "false");
    register(&app, ADA).await.assert_status(404);
    post(&app, "/api/register", &json!({})).await.assert_status(404);
}

// spec: RTE-10, KIT-2
#[housekey::test]
async fn signing_in_answers_the_token_in_the_body_and_in_the_header(app: TestApp) {
    person(&app).await;
    let answer = login(&app, UserFactory::PASSWORD).await;
    let token = token_of(&answer);
    answer.assert_ok().assert_header("set-auth-token", &token).assert_json_path("user.email", ADA);
    answer.assert_no_header("set-cookie");
    bearer(&app, &token).get("/api/me").await.assert_ok();
}

#[housekey::test]
async fn a_wrong_password_and_an_unknown_address_are_told_the_same(app: TestApp) {
    person(&app).await;
    let wrong = login(&app, "not the password").await;
    let unknown =
        post(&app, "/api/login", &json!({ "email": "eve@example.com", "password": "not the password" }))
            .await;
    let no_address =
        post(&app, "/api/login", &json!({ "email": "eve", "password": "not the password" })).await;
    for answer in [&wrong, &unknown, &no_address] {
        answer.assert_status(401).assert_json_path("code", "INVALID_CREDENTIALS");
        answer.assert_json_path("message", wrong.json::<Value>()["message"].clone());
        answer.assert_no_header("set-auth-token");
    }
}

// spec: RTE-10, MID-6, ERR-1
#[housekey::test]
async fn the_seventh_attempt_within_a_minute_has_to_wait(app: TestApp) {
    person(&app).await;
    for _ in 0..6 {
        login(&app, "guess").await.assert_status(401);
    }
    let seventh = login(&app, UserFactory::PASSWORD).await;
    let wait: u64 =
        seventh.assert_status(429).header("retry-after").and_then(|wait| wait.parse().ok()).expect("seconds");
    assert!((1..=60).contains(&wait), "{wait}");

    login(&app.from("203.0.113.9"), UserFactory::PASSWORD).await.assert_ok();
    app.advance(Duration::from_secs(wait));
    login(&app, UserFactory::PASSWORD).await.assert_ok();
}

#[housekey::test]
async fn signing_out_spends_this_token_and_no_other(app: TestApp) {
    person(&app).await;
    let phone = bearer(&app, &token_of(&login(&app, UserFactory::PASSWORD).await));
    let laptop = bearer(&app, &token_of(&login(&app, UserFactory::PASSWORD).await));

    phone.post("/api/logout").without_csrf().await.assert_ok();

    phone.get("/api/me").await.assert_status(401);
    phone.post("/api/logout").without_csrf().await.assert_status(401);
    laptop.get("/api/me").await.assert_ok();
}

#[housekey::test]
async fn a_forgotten_password_is_replaced_with_the_token_of_the_mail_once(app: TestApp) {
    person(&app).await;
    let before = bearer(&app, &token_of(&login(&app, UserFactory::PASSWORD).await));

    let mails = mails(&app);
    post(&app, "/api/password/forgot", &json!({ "email": ADA })).await.assert_ok();
    let reset = json!({ "token": token_to(&mails, "/reset-password"), "password": "a brand new one" });
    post(&app, "/api/password/reset", &reset).await.assert_ok();

    before.get("/api/me").await.assert_status(401);
    login(&app, UserFactory::PASSWORD).await.assert_status(401);
    login(&app, "a brand new one").await.assert_ok();
    post(&app, "/api/password/reset", &reset).await.assert_status(422).assert_invalid("token");
}

#[housekey::test]
async fn asking_for_a_new_password_does_not_tell_who_has_an_account(app: TestApp) {
    person(&app).await;
    let mails = mails(&app);
    let known = post(&app, "/api/password/forgot", &json!({ "email": ADA })).await;
    let unknown = post(&app, "/api/password/forgot", &json!({ "email": "eve@example.com" })).await;
    known.assert_ok();
    unknown.assert_ok().assert_json(&known.json());
    mails.assert_count(1).assert_sent_to(ADA);
}

#[housekey::test]
async fn an_address_is_confirmed_with_the_token_of_the_mail(app: TestApp) {
    let mails = mails(&app);
    let client = bearer(&app, &token_of(&register(&app, ADA).await));
    post(&app, "/api/email/verify", &json!({ "token": "made up" }))
        .await
        .assert_status(422)
        .assert_invalid("token");

    let token = token_to(&mails, "/verify-email");
    post(&app, "/api/email/verify", &json!({ "token": token })).await.assert_ok();

    client.get("/api/me").await.assert_json_path("user.emailVerified", true);
}

#[housekey::test]
async fn the_mail_can_be_sent_again_by_whoever_is_signed_in(app: TestApp) {
    app.post("/api/email/resend").without_csrf().await.assert_status(401);

    let mails = mails(&app);
    let client = bearer(&app, &token_of(&register(&app, ADA).await));
    client.post("/api/email/resend").without_csrf().await.assert_ok();
    mails.assert_count(2);
}

async fn person(app: &TestApp) {
    app.within(UserFactory::create_with(record! { "email" => ADA })).await.expect("a user");
}

async fn register(app: &TestApp, email: &str) -> TestResponse {
    post(app, "/api/register", &json!({ "name": "Ada", "email": email, "password": UserFactory::PASSWORD }))
        .await
}

async fn login(app: &TestApp, password: &str) -> TestResponse {
    post(app, "/api/login", &json!({ "email": ADA, "password": password })).await
}

async fn post(app: &TestApp, path: &str, body: &Value) -> TestResponse {
    app.post(path).without_csrf().json(body).await
}

fn token_of(answer: &TestResponse) -> String {
    answer.json::<Value>()["token"].as_str().expect("a token").to_owned()
}

fn bearer(app: &TestApp, token: &str) -> TestApp {
    app.with_header("authorization", &format!("Bearer {token}"))
}

/// What the app mails from now on.
fn mails(app: &TestApp) -> MailFake {
    app.services().require::<Mailer>().expect("a mailer").fake()
}

/// The token of the newest link to Ada, which must lead to this page of the client.
fn token_to(mails: &MailFake, page: &str) -> String {
    let link = mails.link_to(ADA);
    link.strip_prefix(&format!("http://localhost:5173{page}?token="))
        .expect("a link to the client")
        .to_owned()
}
