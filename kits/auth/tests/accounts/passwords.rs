//! Forgetting a password, changing it, and being asked for it again.

use std::time::Duration;

use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use crate::support::{
    ANOTHER, PASSWORD, confirm_password, mails, rows_of, sign_in, signed_in_as, somebody, stored, tampered,
    token_for,
};

/// Asks for a reset and gives the token of the mail.
async fn reset_token(app: &TestApp, email: &str) -> String {
    let mails = mails(app);
    app.visitor().post("/forgot-password").json(&json!({ "email": email })).await.assert_ok();
    token_for(&mails, email)
}

fn new_password(token: &str, password: &str) -> Value {
    json!({ "token": token, "password": password, "password_confirmation": password })
}

#[housekey::test]
async fn a_forgotten_password_is_answered_alike_for_everyone_and_mailed_to_members_only(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody(&app).await;
    let known = app.post("/forgot-password").json(&json!({ "email": ada.email })).await;
    let unknown = app.post("/forgot-password").json(&json!({ "email": "nobody@example.com" })).await;
    assert_eq!((known.status(), known.text()), (unknown.status(), unknown.text()));
    known.assert_ok();
    mails.assert_count(1).assert_not_sent_to("nobody@example.com");
    assert!(mails.link_to(ada.email.as_str()).contains(&app.route("reset-password")));

    app.post("/forgot-password")
        .json(&json!({ "email": "nobody" }))
        .await
        .assert_status(422)
        .assert_invalid("email");
}

// spec: NTF-1
#[housekey::test]
async fn the_link_sets_a_new_password_ends_every_session_and_warns_the_owner(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody(&app).await;
    let elsewhere = app.signed_in(&ada).await;
    let token = reset_token(&app, &ada.email).await;
    let form = [("token", token.as_str()), ("password", ANOTHER), ("password_confirmation", ANOTHER)];
    app.post("/reset-password").form(&form).await.assert_status(303).assert_redirect(&app.route("sign-in"));

    assert_eq!(signed_in_as(&elsewhere).await, None);
    assert_eq!(rows_of(&app, "session", &ada).await, 0);
    mails.assert_count(2);
    assert!(
        mails.last_to(ada.email.as_str()).link().is_none_or(|link| !link.contains("token")),
        "it only warns"
    );
    sign_in(&app, &ada.email, PASSWORD).await.assert_status(422);
    sign_in(&app, &ada.email, ANOTHER).await.assert_ok();
}

#[housekey::test]
async fn a_link_to_a_new_password_works_once_and_for_an_hour(app: TestApp) {
    let ada = somebody(&app).await;
    let token = reset_token(&app, &ada.email).await;
    app.post("/reset-password").json(&new_password(&token, ANOTHER)).await.assert_ok();
    let again = app.post("/reset-password").json(&new_password(&token, "a third password")).await;
    again.assert_status(422).assert_invalid("token");
    sign_in(&app, &ada.email, "a third password").await.assert_status(422);

    let late = reset_token(&app, &ada.email).await;
    app.advance(Duration::from_secs(60 * 60 + 1));
    app.post("/reset-password").json(&new_password(&late, "a third password")).await.assert_status(422);
    sign_in(&app, &ada.email, ANOTHER).await.assert_ok();
}

#[housekey::test]
async fn a_token_that_nobody_was_sent_opens_nothing(app: TestApp) {
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let token = reset_token(&app, &ada.email).await;
    for forged in [
        tampered(&token),
        token[1..].to_owned(),
        format!("reset-password:{token}"),
        ada.id.clone(),
        eve.email,
    ] {
        app.post("/reset-password")
            .json(&new_password(&forged, ANOTHER))
            .await
            .assert_status(422)
            .assert_invalid("token");
    }
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
}

#[housekey::test]
async fn a_password_that_is_refused_does_not_spend_the_link(app: TestApp) {
    let ada = somebody(&app).await;
    let token = reset_token(&app, &ada.email).await;
    app.post("/reset-password")
        .json(&new_password(&token, "short"))
        .await
        .assert_status(422)
        .assert_invalid("password");
    let mistyped = json!({ "token": token, "password": ANOTHER, "password_confirmation": "anothr" });
    app.post("/reset-password").json(&mistyped).await.assert_status(422).assert_invalid("password");
    let endless = "x".repeat(129);
    app.post("/reset-password")
        .json(&new_password(&token, &endless))
        .await
        .assert_status(422)
        .assert_invalid("password");
    app.post("/reset-password").json(&new_password(&token, ANOTHER)).await.assert_ok();
}

#[housekey::test]
async fn a_member_changes_the_password_with_the_one_they_have(app: TestApp) {
    let ada = somebody(&app).await;
    let (visitor, elsewhere) = (app.signed_in(&ada).await, app.signed_in(&ada).await);
    let change = |current: &str, new: &str| json!({ "current_password": current, "password": new, "password_confirmation": new });

    let wrong = visitor.put("/settings/password").json(&change("not it", ANOTHER)).await;
    wrong.assert_status(422).assert_invalid("current_password");
    visitor
        .put("/settings/password")
        .json(&change(PASSWORD, "short"))
        .await
        .assert_status(422)
        .assert_invalid("password");
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_ok();

    visitor.put("/settings/password").json(&change(PASSWORD, ANOTHER)).await.assert_ok();
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email.clone()));
    assert_eq!(signed_in_as(&elsewhere).await, Some(ada.email.clone()), "nobody asked to end it");
    sign_in(&app.visitor(), &ada.email, ANOTHER).await.assert_ok();
}

// spec: STA-7
#[housekey::test]
async fn with_the_box_ticked_a_new_password_ends_every_other_session(app: TestApp) {
    let ada = somebody(&app).await;
    let (visitor, elsewhere) = (app.signed_in(&ada).await, app.signed_in(&ada).await);
    let form = [
        ("_method", "PUT"),
        ("current_password", PASSWORD),
        ("password", ANOTHER),
        ("password_confirmation", ANOTHER),
        ("sign_out_others", "1"),
    ];
    visitor.post("/settings/password").form(&form).await.assert_status(303).assert_valid();
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email));
    assert_eq!(signed_in_as(&elsewhere).await, None);
}

// spec: STA-8, MID-4, ERR-1
#[housekey::test]
async fn what_could_hurt_is_423_until_the_password_is_given_again_and_then_the_same_request_succeeds(
    app: TestApp,
) {
    let ada = somebody(&app).await;
    let (visitor, elsewhere) = (app.signed_in(&ada).await, app.signed_in(&ada).await);
    let end_others = || visitor.delete("/settings/sessions").json(&json!({}));
    end_others().await.assert_status(423);
    assert_eq!(signed_in_as(&elsewhere).await, Some(ada.email.clone()), "nothing has happened");

    let confirmed = visitor.post("/confirm-password").json(&json!({ "password": PASSWORD })).await;
    confirmed.assert_ok().assert_json_path("confirmed", true);
    end_others().await.assert_ok();
    assert_eq!(signed_in_as(&elsewhere).await, None);
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email));
}

// spec: MID-4
#[housekey::test]
async fn everything_that_could_hurt_asks_for_the_password(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    for (method, path) in [
        ("POST", "/settings/two-factor"),
        ("DELETE", "/settings/two-factor"),
        ("POST", "/settings/two-factor/recovery-codes"),
        ("PATCH", "/settings/passkeys/1"),
        ("DELETE", "/settings/passkeys/1"),
        ("DELETE", "/settings/sessions/1"),
        ("DELETE", "/settings/sessions"),
        ("POST", "/settings/password"),
        ("DELETE", "/settings/accounts/1"),
        ("DELETE", "/settings/account"),
    ] {
        let asked = || visitor.request(method.parse().unwrap(), path);
        asked().json(&json!({})).await.assert_status(423);
        asked().form(&[("a", "b")]).await.assert_status(423);
    }
    assert_eq!(stored(&app, &ada).await.email, ada.email);
}

// spec: MID-4, MID-6
#[housekey::test]
async fn a_wrong_password_confirms_nothing_and_cannot_be_guessed_at(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    for wrong in ["", "not it", "not it", "not it", "not it", "not it"] {
        let refused = visitor.post("/confirm-password").json(&json!({ "password": wrong })).await;
        refused.assert_status(422).assert_invalid("password");
    }
    let refused = visitor.post("/confirm-password").json(&json!({ "password": PASSWORD })).await;
    refused.assert_status(429);
    assert!(refused.header("retry-after").is_some());
    visitor.delete("/settings/account").json(&json!({})).await.assert_status(423);
}

// spec: STA-8
#[housekey::test]
async fn a_confirmation_holds_for_three_hours_in_one_session_and_for_one_password(app: TestApp) {
    let ada = somebody(&app).await;
    let (visitor, elsewhere) = (app.signed_in(&ada).await, app.signed_in(&ada).await);
    let ask = async |visitor: &TestApp| visitor.delete("/settings/passkeys/nothing").json(&json!({})).await;
    confirm_password(&visitor).await;
    ask(&visitor).await.assert_not_found();
    ask(&elsewhere).await.assert_status(423);

    app.advance(Duration::from_secs(3 * 60 * 60));
    ask(&visitor).await.assert_status(423);

    confirm_password(&visitor).await;
    let change =
        json!({ "current_password": PASSWORD, "password": ANOTHER, "password_confirmation": ANOTHER });
    elsewhere.put("/settings/password").json(&change).await.assert_ok();
    ask(&visitor).await.assert_status(423);
}
