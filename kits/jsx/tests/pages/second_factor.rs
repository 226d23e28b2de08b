//! The pages of the second factor.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::two_factor::totp_code;
use housekey::serde_json::from_value;
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;
use {{crate}}::places;

use crate::support::{PASSWORD, sign_in, somebody, until_refused};

// spec: RTE-6, MID-6
#[housekey::test]
async fn the_challenge_is_a_page_for_who_gave_the_password_with_recovery_on_a_page_of_its_own(app: TestApp) {
    for path in ["/two-factor-challenge", "/two-factor-challenge/recovery"] {
        app.get(path).await.assert_status(302).assert_redirect(places::SIGN_IN);
    }
    let (ada, _) = app.within(UserFactory::new().create_with_two_factor()).await.unwrap();
    sign_in(&app, &ada).await.assert_redirect(places::TWO_FACTOR_CHALLENGE);
    let page = app.get("/two-factor-challenge").await;
    page.assert_status(200)
        .assert_see(r#"action="/two-factor-challenge""#)
        .assert_see(r#"autocomplete="one-time-code""#);
    page.assert_see(r#"href="/two-factor-challenge/recovery""#);
    let recovery = app.get("/two-factor-challenge/recovery").await;
    recovery.assert_status(200).assert_see(r#"action="/two-factor-challenge/recovery""#);

    let member = app.signed_in(&ada).await;
    member.get("/two-factor-challenge").await.assert_redirect(places::DASHBOARD);
}

// spec: RTE-6, MID-6
#[housekey::test]
async fn the_challenge_page_has_a_throttle_of_its_own(app: TestApp) {
    let mut waits = None;
    for _ in 0..31 {
        waits = app.get("/two-factor-challenge").await.header("retry-after").map(str::to_owned);
    }
    assert!(waits.is_some(), "the thirty-first within a minute has to wait");
    app.get("/sign-in").await.assert_status(200);
}

// spec: RTE-7, STA-1, ERR-2
#[housekey::test]
async fn enrolment_shows_a_picture_and_a_key_and_then_ten_codes_once(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    visitor.get(places::TWO_FACTOR).await.assert_dont_see("<svg width=");
    visitor.post("/confirm-password").form(&[("password", PASSWORD)]).await.assert_status(303);
    visitor.post("/settings/two-factor").form(&[("a", "b")]).await.assert_redirect(places::TWO_FACTOR);

    let pending = visitor.get(places::TWO_FACTOR).await;
    pending
        .assert_status(200)
        .assert_header("cache-control", "no-store")
        .assert_see("<svg")
        .assert_see(r#"role="img""#);
    assert!(longest_key(&pending.text()) >= 16, "a key in base 32 stands on the page");

    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let code = totp_code(&api, &api.user(&ada.id).await.unwrap().unwrap()).await.unwrap();
    visitor
        .post("/settings/two-factor/confirm")
        .form(&[("code", code.as_str())])
        .await
        .assert_redirect(places::TWO_FACTOR);
    let codes: Vec<String> = from_value(visitor.session().await["recovery_codes"].clone()).unwrap();
    assert_eq!(codes.len(), 10);
    let (now, later) = (visitor.get(places::TWO_FACTOR).await, visitor.get(places::TWO_FACTOR).await);
    for code in &codes {
        now.assert_see(code);
        later.assert_dont_see(code);
    }
}

/// The length of the longest run of base 32 on a page, in groups or not.
fn longest_key(html: &str) -> usize {
    let text: String =
        html.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let is_key = |c: char| c.is_ascii_uppercase() || ('2'..='7').contains(&c);
    text.split(|c| !is_key(c)).map(str::len).max().unwrap_or_default()
}

// spec: MID-6, RTE-7
#[housekey::test]
async fn setting_up_a_second_factor_goes_on_after_too_many_wrong_codes(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    visitor.post("/confirm-password").form(&[("password", PASSWORD)]).await.assert_status(303);
    visitor.post("/settings/two-factor").form(&[("a", "b")]).await.assert_redirect(places::TWO_FACTOR);
    let form = [("code", "12345")];
    let answer = until_refused(&visitor, places::TWO_FACTOR, "/settings/two-factor/confirm", &form).await;
    answer.assert_see("data-countdown").assert_see("<svg").assert_dont_see("12345");
    answer.assert_header("cache-control", "no-store");
    assert!(longest_key(&answer.text()) >= 16, "the key is still on the page");
}
