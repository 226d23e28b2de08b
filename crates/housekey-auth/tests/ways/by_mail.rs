use housekey_auth::engine::plugins::two_factor::totp_code;
use housekey_testing::TestApp;
use serde_json::json;

use crate::support::{PASSWORD, engine_post, sign_in, test_app};
use crate::ways::{ADA, all_ways, app, code_to, mails, path_of, routes, token_of, who};

async fn ask_for_link(visitor: &TestApp, email: &str) -> String {
    visitor.post("/link").body("text/plain", email.to_owned()).await.assert_ok();
    mails(visitor).link_to(email)
}

// spec: KEY-3
#[tokio::test]
async fn opening_a_link_shows_who_and_spends_nothing_and_the_button_signs_in_once() {
    let app = app().await;
    app.user(ADA).await;
    let link = ask_for_link(&app, ADA).await;
    // A scanner of a mail provider opens it, and the person several times.
    let scanner = app.visitor();
    for visitor in [&scanner, &scanner, &app] {
        visitor.get(&path_of(&link)).await.assert_ok().assert_see(ADA);
        visitor.head(&path_of(&link)).await.assert_ok();
        assert_eq!(who(visitor).await, None);
    }
    let body = json!({ "token": token_of(&link) });
    app.post("/magic-link").json(&body).await.assert_ok().assert_see("in");
    assert_eq!(who(&app).await.as_deref(), Some(ADA));
    app.visitor().post("/magic-link").json(&body).await.assert_status(422);
    app.visitor().get(&path_of(&link)).await.assert_see("spent");
}

// spec: KEY-3
#[tokio::test]
async fn the_engines_own_address_of_a_link_leads_to_the_page_too() {
    let app = app().await;
    app.user(ADA).await;
    let link = ask_for_link(&app, ADA).await;
    let address = format!("/api/auth/magic-link/verify?token={}", token_of(&link));
    let page = app.get(&address).await;
    page.assert_status(302);
    let to = page.header("location").unwrap_or_default().to_owned();
    assert!(path_of(&to).starts_with("/magic-link?token="), "{to}");
    assert_eq!(who(&app).await, None);
    app.get(&path_of(&link)).await.assert_see(ADA);
}

// spec: KEY-1, SEC-5
#[tokio::test]
async fn an_address_without_an_account_gets_one_unless_sign_up_is_closed() {
    for closed in [false, true] {
        let app = test_app(
            move |auth| {
                all_ways(auth);
                auth.engine.email_and_password.disable_sign_up = closed;
            },
            routes,
        )
        .await;
        app.post("/link").body("text/plain", "new@example.com".to_owned()).await.assert_ok();
        app.post("/code").body("text/plain", "new@example.com".to_owned()).await.assert_ok();
        let sent = mails(&app).sent_to("new@example.com").len();
        assert_eq!(sent, if closed { 0 } else { 2 }, "closed: {closed}");
    }
}

// spec: KEY-1
#[tokio::test]
async fn a_code_signs_in_once_and_wrong_ones_are_counted() {
    let app = app().await;
    app.user(ADA).await;
    app.post("/code").body("text/plain", ADA.to_owned()).await.assert_ok();
    let code = code_to(&mails(&app), ADA);
    let wrong = format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000);
    let enter = async |visitor: &TestApp, code: &str| {
        visitor.post("/code/enter").json(&json!({ "email": ADA, "code": code })).await
    };
    enter(&app, &wrong).await.assert_status(422);
    enter(&app, &code).await.assert_ok().assert_see("in");
    assert_eq!(who(&app).await.as_deref(), Some(ADA));
    enter(&app.visitor(), &code).await.assert_status(422);

    app.visitor().post("/code").body("text/plain", ADA.to_owned()).await.assert_ok();
    let code = code_to(&mails(&app), ADA);
    for _ in 0..4 {
        enter(&app.visitor(), &wrong).await.assert_status(422);
    }
    enter(&app.visitor(), &code).await.assert_status(422);
}

// spec: KEY-2
#[tokio::test]
async fn the_second_factor_is_asked_for_after_a_link_and_after_a_code() {
    let app = app().await;
    let ada = app.user(ADA).await;
    let visitor = app.signed_in(&ada).await;
    let password = json!({ "password": housekey_testing::PASSWORD });
    engine_post(&visitor, "two-factor/enable", &password).await.assert_ok();
    let auth = app.services().require::<housekey_auth::Auth>().unwrap();
    let code = totp_code(&auth.engine().api(), &ada).await.unwrap();
    engine_post(&visitor, "two-factor/verify-totp", &json!({ "code": code })).await.assert_ok();

    let link = ask_for_link(&app, ADA).await;
    app.post("/magic-link").json(&json!({ "token": token_of(&link) })).await.assert_see("a code, please");
    assert_eq!(who(&app).await, None);
    let other = app.visitor();
    other.post("/code").body("text/plain", ADA.to_owned()).await.assert_ok();
    let code = code_to(&mails(&app), ADA);
    let entered = other.post("/code/enter").json(&json!({ "email": ADA, "code": code })).await;
    entered.assert_see("a code, please");
    assert_eq!(who(&other).await, None);
}

// spec: KEY-2
#[tokio::test]
async fn a_link_to_an_address_that_nobody_has_proven_ends_what_its_first_owner_left_there() {
    let app = app().await;
    crate::support::sign_up(&app, ADA).await;
    let link = ask_for_link(&app.visitor(), ADA).await;
    let owner = app.visitor();
    owner.post("/magic-link").json(&json!({ "token": token_of(&link) })).await.assert_ok();
    assert_eq!(who(&owner).await.as_deref(), Some(ADA));
    assert_eq!(who(&app).await, None, "whoever signed up with somebody else's address is out");
    sign_in(&app.visitor(), ADA, PASSWORD).await.assert_status(401);
}

// spec: KEY-1
#[tokio::test]
async fn a_name_signs_in_beside_the_address() {
    let app = app().await;
    let body = json!({ "name": "Ada", "email": ADA, "password": PASSWORD, "username": "Ada.L" });
    engine_post(&app.visitor(), "sign-up/email", &body).await.assert_ok();
    let body = json!({ "username": "ada.l", "password": PASSWORD });
    engine_post(&app, "sign-in/username", &body).await.assert_ok();
    assert_eq!(who(&app).await.as_deref(), Some(ADA));
}
