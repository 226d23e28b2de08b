//! Getting in and out.

use std::time::Duration;

use housekey::auth::AuthConfig;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use crate::support::{
    ANOTHER, PASSWORD, SESSION, confirm_password, mails, rows_of, sign_in, signed_in_as, somebody,
    stored_with,
};

const ADA: &str = "ada@example.com";

#[housekey::test]
async fn who_signs_up_is_signed_in_and_gets_a_link_that_proves_the_address(app: TestApp) {
    let mails = mails(&app);
    let form = [("name", "Ada"), ("email", "Ada@Example.com"), ("password", PASSWORD)];
    app.post("/sign-up")
        .form(&form)
        .await
        .assert_status(303)
        .assert_redirect("/dashboard")
        .assert_cookie(SESSION);

    assert_eq!(signed_in_as(&app).await.as_deref(), Some(ADA));
    let ada = stored_with(&app, ADA).await.unwrap();
    assert!(!ada.email_verified, "nobody has opened the link yet");
    mails.assert_count(1);
    assert!(mails.link_to(ADA).contains(&app.route("verify-email.link")), "{}", mails.link_to(ADA));
}

// spec: RTE-4
#[housekey::test]
async fn a_script_that_signs_up_is_told_where_to_go(app: TestApp) {
    let body = json!({ "name": "Ada", "email": ADA, "password": PASSWORD });
    app.post("/sign-up").json(&body).await.assert_status(200).assert_json_path("redirect", "/dashboard");
    assert_eq!(signed_in_as(&app).await.as_deref(), Some(ADA));
}

// spec: RTE-4, ERR-1
#[housekey::test]
async fn what_is_wrong_with_a_sign_up_is_said_field_by_field(app: TestApp) {
    let nothing = app.post("/sign-up").json(&json!({})).await;
    nothing.assert_status(422).assert_invalid("name").assert_invalid("email").assert_invalid("password");

    let long = "x".repeat(5000);
    let bad = json!({ "name": long, "email": "not an address", "password": "short" });
    let refused = app.post("/sign-up").json(&bad).await;
    refused.assert_status(422).assert_invalid("name").assert_invalid("email").assert_invalid("password");

    let of_another_kind = json!({ "name": ["Ada"], "email": 7, "password": { "a": 1 } });
    app.post("/sign-up").json(&of_another_kind).await.assert_status(422);

    let form = app
        .post("/sign-up")
        .form(&[("name", ""), ("email", "x"), ("password", "short")])
        .referer("/sign-up")
        .await;
    form.assert_status(303).assert_redirect("/sign-up").assert_invalid("name").assert_invalid("password");
    assert_eq!(signed_in_as(&app).await, None);
}

#[housekey::test]
async fn an_address_has_one_account_whatever_its_case(app: TestApp) {
    let ada = somebody(&app).await;
    let body = json!({ "name": "Eve", "email": ada.email.to_uppercase(), "password": ANOTHER });
    app.post("/sign-up").json(&body).await.assert_status(422).assert_invalid("email");
    sign_in(&app, &ada.email, ANOTHER).await.assert_status(422);
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
}

#[housekey::test]
async fn nobody_can_say_of_themselves_that_their_address_is_confirmed(app: TestApp) {
    let body = json!({
        "name": "Eve", "email": "eve@example.com", "password": PASSWORD, "id": "1", "role": "admin",
        "emailVerified": true, "email_verified": true, "twoFactorEnabled": true, "fields": { "emailVerified": true },
    });
    app.post("/sign-up").json(&body).await.assert_ok();
    let eve = stored_with(&app, "eve@example.com").await.unwrap();
    assert!(!eve.email_verified);
    assert_ne!(eve.id, "1");
    assert_ne!(eve.two_factor_enabled, Some(true));
}

#[housekey::test]
async fn a_name_does_not_stand_in_mail_to_an_address_that_nobody_has_proven(app: TestApp) {
    let mails = mails(&app);
    let name = "<script>alert(1)</script>";
    app.post("/sign-up").json(&json!({ "name": name, "email": ADA, "password": PASSWORD })).await.assert_ok();
    let mail = mails.last_to(ADA);
    assert!(!mail.html().contains("alert(1)") && !mail.text().contains("alert(1)"), "{}", mail.text());
    assert_eq!(stored_with(&app, ADA).await.unwrap().name, name, "kept as it was written");
}

// spec: CFG-6, ERR-1
#[housekey::test]
async fn where_sign_up_is_closed_nobody_gets_in_by_any_door(app: TestApp) {
    let closed = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.engine.email_and_password.disable_sign_up = true);
    });
    let body = json!({ "name": "Eve", "email": "eve@example.com", "password": PASSWORD });
    closed.post("/sign-up").json(&body).await.assert_not_found();
    closed
        .post("/api/auth/sign-up/email")
        .header("origin", "http://localhost:3000")
        .json(&body)
        .await
        .assert_not_found();
    assert!(stored_with(&closed, "eve@example.com").await.is_none());
}

#[housekey::test]
async fn the_right_password_opens_the_door(app: TestApp) {
    let ada = somebody(&app).await;
    let form = [("email", ada.email.as_str()), ("password", PASSWORD)];
    app.post("/sign-in").form(&form).await.assert_status(303).assert_redirect("/dashboard");
    assert_eq!(signed_in_as(&app).await, Some(ada.email.clone()));

    let script = app.visitor();
    sign_in(&script, &ada.email, PASSWORD).await.assert_json_path("redirect", "/dashboard");
    assert_eq!(signed_in_as(&script).await, Some(ada.email));
}

// spec: RTE-4, ERR-1
#[housekey::test]
async fn a_wrong_password_and_an_unknown_address_are_refused_alike(app: TestApp) {
    let ada = somebody(&app).await;
    let wrong = sign_in(&app, &ada.email, "not the password").await;
    wrong.assert_status(422).assert_invalid("email").assert_no_cookie(SESSION);
    let unknown = sign_in(&app, "nobody@example.com", "not the password").await;
    unknown.assert_status(422).assert_no_cookie(SESSION);
    assert_eq!(wrong.json::<Value>()["errors"], unknown.json::<Value>()["errors"]);
    assert_eq!(signed_in_as(&app).await, None);

    let form = app
        .post("/sign-in")
        .form(&[("email", &ada.email), ("password", &"not it".to_owned())])
        .referer("/sign-in")
        .await;
    form.assert_status(303).assert_redirect("/sign-in").assert_invalid("email");
    sign_in(&app, "", "").await.assert_status(422).assert_invalid("email").assert_invalid("password");
}

// spec: ERR-1
#[housekey::test]
async fn the_engines_own_endpoint_answers_bad_credentials_with_401(app: TestApp) {
    let ada = somebody(&app).await;
    let body = json!({ "email": ada.email, "password": "not the password" });
    let refused =
        app.post("/api/auth/sign-in/email").header("origin", "http://localhost:3000").json(&body).await;
    refused.assert_status(401).assert_no_cookie(SESSION);
}

// spec: ERR-1, ERR-2
#[housekey::test]
async fn an_endpoint_that_is_not_there_is_json_and_404_and_answers_about_accounts_are_never_cached(
    app: TestApp,
) {
    let missing = app.get("/api/auth/nothing-here").await;
    missing.assert_not_found();
    app.get("/api/auth/get-session").await.assert_header("cache-control", "no-store");
}

// spec: MID-6, ERR-1
#[housekey::test]
async fn the_seventh_attempt_within_a_minute_has_to_wait(app: TestApp) {
    let ada = somebody(&app).await;
    for _ in 0..6 {
        sign_in(&app, &ada.email, "not the password").await.assert_status(422);
    }
    let refused = sign_in(&app, &ada.email, PASSWORD).await;
    refused.assert_status(429);
    let wait: u64 = refused.header("retry-after").expect("how long to wait").parse().expect("in seconds");
    assert!((1..=60).contains(&wait), "{wait}");

    // Another browser behind the same address waits too; another address does not.
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_status(429);
    sign_in(&app.visitor().from("203.0.113.9"), &ada.email, PASSWORD).await.assert_ok();
    app.advance(Duration::from_secs(wait));
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
}

// spec: MID-8, ERR-1
#[housekey::test]
async fn a_write_without_the_token_of_the_session_is_419_and_changes_nothing(app: TestApp) {
    let ada = somebody(&app).await;
    let body = json!({ "email": ada.email, "password": PASSWORD });
    app.post("/sign-in").json(&body).without_csrf().await.assert_status(419);
    app.post("/sign-in")
        .form(&[("email", ada.email.as_str()), ("password", PASSWORD)])
        .without_csrf()
        .await
        .assert_status(419);
    assert_eq!(signed_in_as(&app).await, None);

    let before = app.csrf_token().await;
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
    assert_ne!(
        app.csrf_token().await,
        before,
        "a token that was known before the sign-in is worth nothing after it"
    );
    let stale =
        app.post("/settings/profile").header("x-csrf-token", &before).json(&json!({ "name": "Eve" })).await;
    stale.assert_status(419);
    let others = app.visitor().csrf_token().await;
    app.post("/settings/profile")
        .header("x-csrf-token", &others)
        .json(&json!({ "name": "Eve" }))
        .await
        .assert_status(419);
    app.post("/settings/profile").json(&json!({ "name": "Ada" })).await.assert_ok();
}

// spec: MID-2
#[housekey::test]
async fn who_is_signed_in_has_no_business_at_the_door(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    for path in [
        "/sign-in",
        "/sign-up",
        "/forgot-password",
        "/verify-email/send",
        "/two-factor-challenge",
        "/two-factor-challenge/recovery",
    ] {
        visitor
            .post(path)
            .form(&[("email", "eve@example.com")])
            .await
            .assert_status(302)
            .assert_redirect("/dashboard");
    }
}

// spec: MID-1, ERR-1
#[housekey::test]
async fn what_is_for_members_is_401_for_a_script_and_302_for_a_browser(app: TestApp) {
    for (method, path) in [
        ("POST", "/sign-out"),
        ("POST", "/verify-email/resend"),
        ("POST", "/confirm-password"),
        ("POST", "/confirm-password/passkey"),
        ("POST", "/settings/profile"),
        ("POST", "/settings/profile/email"),
        ("DELETE", "/settings/profile/email"),
        ("PUT", "/settings/password"),
        ("POST", "/settings/two-factor"),
        ("POST", "/settings/two-factor/confirm"),
        ("POST", "/settings/two-factor/recovery-codes"),
        ("DELETE", "/settings/two-factor"),
        ("PATCH", "/settings/passkeys/1"),
        ("DELETE", "/settings/passkeys/1"),
        ("DELETE", "/settings/sessions/1"),
        ("DELETE", "/settings/sessions"),
        ("DELETE", "/settings/account"),
    ] {
        let asked = |app: &TestApp| app.request(method.parse().unwrap(), path);
        asked(&app).json(&json!({})).await.assert_status(401);
        asked(&app).form(&[("a", "b")]).await.assert_status(302).assert_redirect(&app.route("sign-in"));
    }
}

// spec: STA-7
#[housekey::test]
async fn who_signs_out_is_out_and_a_copy_of_the_cookie_is_worthless(app: TestApp) {
    let ada = somebody(&app).await;
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
    let kept = format!("{SESSION}={}", app.cookie(SESSION).unwrap());
    app.post("/sign-out").form(&[("a", "b")]).await.assert_status(303).assert_redirect("/");
    assert_eq!(signed_in_as(&app).await, None);
    assert_eq!(rows_of(&app, "session", &ada).await, 0);

    let thief = app.visitor();
    thief
        .post("/settings/profile")
        .header("cookie", &kept)
        .json(&json!({ "name": "Eve" }))
        .await
        .assert_status(419);
    let session: Value = thief.get("/api/auth/get-session").header("cookie", &kept).await.json();
    assert_eq!(session, Value::Null);
}

#[housekey::test]
async fn a_forged_session_cookie_is_nobody(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let cookie = visitor.cookie(SESSION).unwrap();
    for forged in [
        crate::support::tampered(&cookie),
        cookie[..cookie.len() / 2].to_owned(),
        ada.id.clone(),
        String::new(),
    ] {
        let held = format!("{SESSION}={forged}");
        let session: Value = app.get("/api/auth/get-session").header("cookie", &held).await.json();
        assert_eq!(session, Value::Null, "{forged}");
    }
}

#[housekey::test]
async fn only_who_asks_to_be_remembered_outlives_the_browser(app: TestApp) {
    let ada = somebody(&app).await;
    let asked = [("email", ada.email.as_str()), ("password", PASSWORD), ("remember", "1")];
    let remembered = app.visitor().post("/sign-in").form(&asked).await;
    assert!(remembered.cookie(SESSION).unwrap().max_age().is_some());
    let forgotten = app.visitor().post("/sign-in").form(&asked[..2]).await;
    assert!(forgotten.cookie(SESSION).unwrap().max_age().is_none());
}

#[housekey::test]
async fn no_field_and_no_header_sends_who_signs_in_to_another_site(app: TestApp) {
    let ada = somebody(&app).await;
    let evil = "https://evil.example/";
    let body = json!({
        "email": ada.email, "password": PASSWORD, "callbackURL": evil, "redirect": evil, "intended": evil, "to": evil,
    });
    let answer = app
        .post("/sign-in?redirect=//evil.example&intended=//evil.example")
        .header("referer", evil)
        .json(&body)
        .await;
    answer.assert_ok().assert_json_path("redirect", "/dashboard").assert_no_header("location");

    let back = app.post("/settings/profile").header("referer", evil).form(&[("name", "Ada")]).await;
    back.assert_status(303).assert_redirect("/");
}

#[housekey::test]
async fn a_new_sign_in_takes_nothing_over_from_the_visitor_before(app: TestApp) {
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
    confirm_password(&app).await;
    app.post("/sign-out").json(&json!({})).await.assert_ok();
    sign_in(&app, &eve.email, PASSWORD).await.assert_ok();
    app.delete("/settings/account").json(&json!({})).await.assert_status(423);
}
