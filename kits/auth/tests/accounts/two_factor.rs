//! The second factor.

use std::time::Duration;

use housekey::prelude::*;
use housekey::serde_json::{Value, from_value, json};
use housekey::session::SessionManager;
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::models::User;

use crate::support::{
    CHALLENGE, PASSWORD, SESSION, code_of, confirm_password, rows_of, sign_in, signed_in_as, somebody,
    somebody_careful, stored, wrong_code,
};

const ONE_CODE: Duration = Duration::from_secs(30);
/// What a script is told when there is no challenge to answer any more.
const OVER: &str = "TWO_FACTOR_EXPIRED";

/// Somebody signed in whose password is confirmed.
async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    confirm_password(&visitor).await;
    visitor
}

async fn answer(visitor: &TestApp, code: &str) -> TestResponse {
    visitor.post("/two-factor-challenge").json(&json!({ "code": code })).await
}

async fn recover(visitor: &TestApp, code: &str) -> TestResponse {
    visitor.post("/two-factor-challenge/recovery").json(&json!({ "code": code })).await
}

/// A browser that gave the right password and is asked for a code.
async fn challenged(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.visitor();
    sign_in(&visitor, &user.email, PASSWORD)
        .await
        .assert_json_path("redirect", app.route("two-factor-challenge"));
    visitor
}

async fn is_on(app: &TestApp, user: &User) -> bool {
    stored(app, user).await.two_factor_enabled == Some(true)
}

// spec: STA-1
#[housekey::test]
async fn enrolment_that_is_only_begun_changes_nothing_about_signing_in(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let begun = visitor.post("/settings/two-factor").form(&[("a", "b")]).await;
    begun.assert_status(303).assert_redirect("/settings/two-factor");

    assert_eq!(rows_of(&app, "twoFactor", &ada).await, 1, "a secret exists");
    assert!(!is_on(&app, &ada).await);
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_json_path("redirect", "/dashboard");
}

// spec: STA-2, ERR-2
#[housekey::test]
async fn the_first_right_code_turns_it_on_and_gives_ten_recovery_codes_this_once(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    visitor.post("/settings/two-factor").json(&json!({})).await.assert_ok();

    let code = code_of(&app, &ada).await;
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    let on = visitor.post("/settings/two-factor/confirm").json(&json!({ "code": spaced })).await;
    on.assert_ok().assert_json_path("redirect", "/settings/two-factor");
    let codes = on.json::<Value>()["recovery_codes"].as_array().map(Vec::len);
    assert_eq!(codes, Some(10));
    assert!(is_on(&app, &ada).await);
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email.clone()));
    challenged(&app, &ada).await;
}

// spec: STA-2
#[housekey::test]
async fn a_wrong_or_missing_code_leaves_enrolment_pending_and_locks_nobody_out(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    visitor.post("/settings/two-factor").json(&json!({})).await.assert_ok();
    let wrong = wrong_code(&app, &ada).await;
    for code in [wrong.as_str(), "", "12345", "letters"] {
        let refused = visitor.post("/settings/two-factor/confirm").json(&json!({ "code": code })).await;
        refused.assert_status(422).assert_invalid("code");
    }
    visitor
        .post("/settings/two-factor/confirm")
        .json(&json!({}))
        .await
        .assert_status(422)
        .assert_invalid("code");
    assert!(!is_on(&app, &ada).await);
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_json_path("redirect", "/dashboard");

    app.advance(Duration::from_secs(60));
    let code = code_of(&app, &ada).await;
    visitor.post("/settings/two-factor/confirm").json(&json!({ "code": code })).await.assert_ok();
    assert!(is_on(&app, &ada).await);
}

// spec: RTE-7
#[housekey::test]
async fn a_code_given_when_it_is_on_already_shows_no_recovery_codes_again(app: TestApp) {
    let (ada, _) = somebody_careful(&app).await;
    let visitor = app.signed_in(&ada).await;
    app.advance(ONE_CODE);
    let code = code_of(&app, &ada).await;
    let again = visitor.post("/settings/two-factor/confirm").json(&json!({ "code": code })).await;
    again.assert_status(422).assert_invalid("code").assert_dont_see("recovery_codes");
}

// spec: STA-3
#[housekey::test]
async fn the_right_password_alone_leads_to_a_challenge_and_to_no_session(app: TestApp) {
    let (ada, _) = somebody_careful(&app).await;
    let form = [("email", ada.email.as_str()), ("password", PASSWORD)];
    let asked = app.post("/sign-in").form(&form).await;
    asked.assert_status(303).assert_redirect(&app.route("two-factor-challenge")).assert_cookie(CHALLENGE);
    let life = asked.cookie(CHALLENGE).unwrap().max_age().expect("short-lived").whole_seconds();
    assert!((1..=600).contains(&life), "{life}");
    assert!(app.cookie(SESSION).is_none_or(|cookie| cookie.is_empty()));
    assert_eq!(signed_in_as(&app).await, None);
    assert_eq!(rows_of(&app, "session", &ada).await, 0);
    app.post("/settings/profile").json(&json!({ "name": "Eve" })).await.assert_status(401);
}

// spec: STA-4
#[housekey::test]
async fn a_code_of_the_app_answers_the_challenge(app: TestApp) {
    let (ada, _) = somebody_careful(&app).await;
    app.advance(ONE_CODE);
    let visitor = challenged(&app, &ada).await;
    answer(&visitor, &wrong_code(&app, &ada).await).await.assert_status(422).assert_invalid("code");
    assert_eq!(signed_in_as(&visitor).await, None);

    let code = code_of(&app, &ada).await;
    let done = visitor.post("/two-factor-challenge").form(&[("code", code.as_str())]).await;
    done.assert_status(303).assert_redirect("/dashboard").assert_cookie(SESSION);
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email));
}

// spec: STA-4
#[housekey::test]
async fn a_recovery_code_answers_it_at_its_own_address_and_only_there(app: TestApp) {
    let (ada, codes) = somebody_careful(&app).await;
    assert_eq!(codes.len(), 10);
    let visitor = challenged(&app, &ada).await;
    answer(&visitor, &codes[0]).await.assert_status(422);
    app.advance(ONE_CODE);
    recover(&visitor, &code_of(&app, &ada).await).await.assert_status(422);
    recover(&visitor, &codes[0]).await.assert_ok().assert_json_path("redirect", "/dashboard");
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email));
}

#[housekey::test]
async fn a_recovery_code_works_once(app: TestApp) {
    let (ada, codes) = somebody_careful(&app).await;
    recover(&challenged(&app, &ada).await, &codes[3]).await.assert_ok();
    let second = challenged(&app, &ada).await;
    recover(&second, &codes[3]).await.assert_status(422).assert_invalid("code");
    assert_eq!(signed_in_as(&second).await, None);
    recover(&second, &codes[4]).await.assert_ok();
}

#[housekey::test]
async fn a_code_of_the_app_works_once(app: TestApp) {
    let (ada, _) = somebody_careful(&app).await;
    let spent = code_of(&app, &ada).await;
    let visitor = challenged(&app, &ada).await;
    answer(&visitor, &spent).await.assert_status(422);

    app.advance(ONE_CODE);
    let code = code_of(&app, &ada).await;
    answer(&visitor, &code).await.assert_ok();
    let onlooker = challenged(&app, &ada).await;
    answer(&onlooker, &code).await.assert_status(422).assert_invalid("code");
    assert_eq!(signed_in_as(&onlooker).await, None);
}

#[housekey::test]
async fn a_code_without_a_challenge_of_its_own_opens_nothing(app: TestApp) {
    let (ada, codes) = somebody_careful(&app).await;
    let eve = somebody(&app).await;
    app.advance(ONE_CODE);
    let code = code_of(&app, &ada).await;
    answer(&app, &code).await.assert_status(401).assert_json_path("code", OVER);
    recover(&app, &codes[0]).await.assert_status(401).assert_json_path("code", OVER);

    // Neither does somebody else's session, nor a cookie that was made up.
    let forger = app.visitor();
    let made_up = format!("{CHALLENGE}=2fa-abcdefghijklmnopqrst.c2lnbmF0dXJl");
    let held = format!("{made_up}; {}", session_cookie(&forger).await);
    let token = forger.csrf_token().await;
    let forged = forger.post("/two-factor-challenge").header("cookie", &held).header("x-csrf-token", &token);
    forged.json(&json!({ "code": code })).await.assert_status(401);
    assert_eq!(rows_of(&app, "session", &ada).await, 0);
    assert_eq!(rows_of(&app, "session", &eve).await, 0);
}

#[housekey::test]
async fn guessing_ends_the_challenge(app: TestApp) {
    let (ada, _) = somebody_careful(&app).await;
    app.advance(ONE_CODE);
    let visitor = challenged(&app, &ada).await;
    let wrong = wrong_code(&app, &ada).await;
    for _ in 0..5 {
        answer(&visitor, &wrong).await.assert_status(422);
    }
    let over = answer(&visitor, &code_of(&app, &ada).await).await;
    over.assert_status(401).assert_json_path("code", OVER).assert_see("too many wrong codes");
    assert_eq!(signed_in_as(&visitor).await, None);
    // The next one is for the throttle.
    let refused = answer(&visitor, &wrong).await;
    refused.assert_status(429);
    assert!(refused.header("retry-after").is_some());
}

#[housekey::test]
async fn a_challenge_is_over_after_ten_minutes(app: TestApp) {
    let (ada, codes) = somebody_careful(&app).await;
    let visitor = challenged(&app, &ada).await;
    let held = format!("{CHALLENGE}={}", visitor.cookie(CHALLENGE).unwrap());
    app.advance(Duration::from_secs(601));
    let token = visitor.csrf_token().await;
    let kept = format!("{held}; {}", session_cookie(&visitor).await);
    let late =
        visitor.post("/two-factor-challenge/recovery").header("cookie", &kept).header("x-csrf-token", &token);
    late.json(&json!({ "code": codes[0] })).await.assert_status(401).assert_json_path("code", OVER);
    assert_eq!(rows_of(&app, "session", &ada).await, 0);
}

#[housekey::test]
async fn a_form_whose_challenge_is_over_leads_back_to_the_password(app: TestApp) {
    for path in ["/two-factor-challenge", "/two-factor-challenge/recovery"] {
        let late = app.visitor().post(path).form(&[("code", "123456")]).await;
        late.assert_status(303).assert_redirect(&app.route("sign-in"));
    }
}

#[housekey::test]
async fn a_trusted_device_is_not_asked_again_and_others_are(app: TestApp) {
    let (ada, _) = somebody_careful(&app).await;
    app.advance(ONE_CODE);
    let visitor = challenged(&app, &ada).await;
    let code = code_of(&app, &ada).await;
    visitor
        .post("/two-factor-challenge")
        .form(&[("code", code.as_str()), ("trust_device", "1")])
        .await
        .assert_status(303);
    visitor.post("/sign-out").json(&json!({})).await.assert_ok();
    sign_in(&visitor, &ada.email, PASSWORD).await.assert_json_path("redirect", "/dashboard");
    challenged(&app, &ada).await;
}

#[housekey::test]
async fn new_recovery_codes_replace_the_old_ones(app: TestApp) {
    let (ada, old) = somebody_careful(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let made = visitor.post("/settings/two-factor/recovery-codes").json(&json!({})).await;
    let made: Vec<String> = from_value(made.json::<Value>()["recovery_codes"].clone()).unwrap();
    assert_eq!(made.len(), 10);
    let next = challenged(&app, &ada).await;
    recover(&next, &old[0]).await.assert_status(422);
    recover(&next, &made[0]).await.assert_ok();
}

#[housekey::test]
async fn turned_off_it_is_forgotten_and_asks_for_nothing(app: TestApp) {
    let (ada, _) = somebody_careful(&app).await;
    let visitor = sure_of(&app, &ada).await;
    visitor
        .post("/settings/two-factor")
        .form(&[("_method", "DELETE")])
        .await
        .assert_status(303)
        .assert_redirect("/settings/two-factor");
    assert!(!is_on(&app, &ada).await);
    assert_eq!(rows_of(&app, "twoFactor", &ada).await, 0);
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email.clone()));
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_json_path("redirect", "/dashboard");
}

#[housekey::test]
async fn a_new_password_by_mail_does_not_go_around_it(app: TestApp) {
    let mails = crate::support::mails(&app);
    let (ada, _) = somebody_careful(&app).await;
    app.post("/forgot-password").json(&json!({ "email": ada.email })).await.assert_ok();
    let token = crate::support::token_for(&mails, &ada.email);
    let body = json!({ "token": token, "password": "another good one", "password_confirmation": "another good one" });
    app.post("/reset-password").json(&body).await.assert_ok();
    assert_eq!(signed_in_as(&app).await, None);
    sign_in(&app, &ada.email, "another good one")
        .await
        .assert_json_path("redirect", app.route("two-factor-challenge"));
}

/// The cookie of the framework's session, in which the token of forms is kept.
async fn session_cookie(visitor: &TestApp) -> String {
    visitor.csrf_token().await;
    let manager = visitor.services().require::<SessionManager>().unwrap();
    let name = manager.cookie_name();
    format!("{name}={}", visitor.cookie(name).unwrap())
}

/// A copy of a person that was read before, and is saved for another reason, takes nothing back.
#[housekey::test]
async fn saving_a_stale_copy_of_a_person_leaves_the_second_factor_on(app: TestApp) {
    let (careful, _) = somebody_careful(&app).await;
    let mut stale = User { two_factor_enabled: Some(false), email_verified: false, ..careful.clone() };
    stale.email = "mallory@example.com".into();
    stale.name = "Countess".into();
    app.within(stale.save()).await.unwrap();

    let now = stored(&app, &careful).await;
    assert_eq!((now.name.as_str(), now.email.as_str()), ("Countess", careful.email.as_str()));
    assert_eq!((now.email_verified, now.two_factor_enabled), (true, Some(true)));
    challenged(&app, &careful).await;
}
