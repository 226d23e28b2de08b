//! The pages of the second factor.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::two_factor::totp_code;
use housekey::database::record;
use housekey::serde_json::from_value;
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;

use crate::support::{PASSWORD, sign_in, somebody, sure_of, until_refused};

// spec: RTE-6, MID-6
#[housekey::test]
async fn the_challenge_is_a_page_for_who_gave_the_password_with_a_form_for_each_kind_of_code(app: TestApp) {
    app.get("/two-factor-challenge").await.assert_status(302).assert_redirect("/sign-in");
    let (ada, _) = app.within(UserFactory::create_with_two_factor(record! {})).await.unwrap();
    sign_in(&app, &ada).await.assert_redirect("/two-factor-challenge");
    let page = app.get("/two-factor-challenge").await;
    page.assert_status(200)
        .assert_see(r#"action="/two-factor-challenge""#)
        .assert_see(r#"autocomplete="one-time-code""#);
    page.assert_see(r#"action="/two-factor-challenge/recovery""#).assert_see("Use a recovery code");
    assert!(!recovery_is_open(&page.text()), "one form is enough to begin with");

    let member = app.signed_in(&ada).await;
    member.get("/two-factor-challenge").await.assert_redirect("/dashboard");
}

// spec: RTE-6
#[housekey::test]
async fn a_refused_code_comes_back_to_the_form_it_was_typed_into(app: TestApp) {
    let (ada, _) = app.within(UserFactory::create_with_two_factor(record! {})).await.unwrap();
    sign_in(&app, &ada).await.assert_redirect("/two-factor-challenge");
    let recovery = [("with", "recovery"), ("code", "AAAAA-AAAAA")];
    for (path, form, id, other) in [
        ("/two-factor-challenge/recovery", &recovery[..], "recovery-code", "code"),
        ("/two-factor-challenge", &[("code", "12345")][..], "code", "recovery-code"),
    ] {
        let refused = app.post(path).form(form).referer("/two-factor-challenge").await;
        refused.assert_status(303).assert_redirect("/two-factor-challenge");
        let page = app.get("/two-factor-challenge").await;
        page.assert_see(&format!("id=\"{id}-error\"")).assert_dont_see(&format!("id=\"{other}-error\""));
        let text = page.text();
        assert!(field(&text, id).contains(" autofocus"), "{path}: its field has the focus");
        assert!(!field(&text, other).contains(" autofocus"), "{path}: and no other");
        assert_eq!(recovery_is_open(&text), id == "recovery-code", "{path}");
    }
    // Shown again, nothing is left of it.
    assert!(!recovery_is_open(&app.get("/two-factor-challenge").await.text()));
}

// spec: RTE-6, MID-6
#[housekey::test]
async fn after_too_many_recovery_codes_the_way_back_leads_to_their_form(app: TestApp) {
    let (ada, _) = app.within(UserFactory::create_with_two_factor(record! {})).await.unwrap();
    sign_in(&app, &ada).await.assert_redirect("/two-factor-challenge");
    let form = [("with", "recovery"), ("code", "")];
    let path = "/two-factor-challenge/recovery";
    let answer = until_refused(&app, "/two-factor-challenge", path, &form).await;
    answer.assert_see("data-countdown").assert_see(&format!("href=\"{}\"", "/two-factor-challenge"));
    assert!(recovery_is_open(&app.get("/two-factor-challenge").await.text()));
}

/// Whether the form for a recovery code is unfolded.
fn recovery_is_open(html: &str) -> bool {
    let (_, rest) = html.split_once("<details").expect("a form that is folded away");
    rest.split('>').next().unwrap_or_default().contains(" open")
}

/// The tag of the field with an id.
fn field<'a>(html: &'a str, id: &str) -> &'a str {
    let (_, rest) = html.split_once(&format!("<input id=\"{id}\"")).expect("the field");
    rest.split('>').next().unwrap_or_default()
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
    visitor.get("/settings/two-factor").await.assert_dont_see("<svg width=");
    visitor.post("/confirm-password").form(&[("password", PASSWORD)]).await.assert_status(303);
    visitor.post("/settings/two-factor").form(&[("a", "b")]).await.assert_redirect("/settings/two-factor");

    let pending = visitor.get("/settings/two-factor").await;
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
        .assert_redirect("/settings/two-factor");
    let codes: Vec<String> = from_value(visitor.session().await["recovery_codes"].clone()).unwrap();
    assert_eq!(codes.len(), 10);
    let (now, later) = (visitor.get("/settings/two-factor").await, visitor.get("/settings/two-factor").await);
    for code in &codes {
        now.assert_see(code);
        later.assert_dont_see(code);
    }
}

#[housekey::test]
async fn a_key_that_was_not_confirmed_yet_is_shown_only_to_who_entered_the_password(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    visitor.post("/settings/two-factor").form(&[("a", "b")]).await.assert_redirect("/settings/two-factor");
    assert!(longest_key(&visitor.get("/settings/two-factor").await.text()) >= 16);
    let page = app.signed_in(&ada).await.get("/settings/two-factor").await;
    page.assert_status(200).assert_see("Set it up");
    assert!(longest_key(&page.text()) < 16, "no key is on the page");
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
    visitor.post("/settings/two-factor").form(&[("a", "b")]).await.assert_redirect("/settings/two-factor");
    let form = [("code", "12345")];
    let answer = until_refused(&visitor, "/settings/two-factor", "/settings/two-factor/confirm", &form).await;
    answer.assert_see("data-countdown").assert_dont_see("12345");
    let page = visitor.get("/settings/two-factor").await;
    page.assert_see("<svg").assert_dont_see("12345").assert_header("cache-control", "no-store");
    assert!(longest_key(&page.text()) >= 16, "the key is still on the page");
}
