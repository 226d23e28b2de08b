//! The same form twice at once, and two tabs: what happens once happens once, and nothing falls over.

use housekey::prelude::*;
use housekey::serde_json::{Value, from_value, json};
use housekey::testing::{TestApp, TestResponse, both};

use {{crate}}::models::User;

use crate::support::{
    ANOTHER, PASSWORD, code_of, confirm_password, mails, rows_of, sign_in, signed_in_as, somebody,
    somebody_unverified, stored, stored_with, token_for,
};

/// Sends the same request twice, at the same time.
async fn twice(send: impl AsyncFn() -> TestResponse) -> [TestResponse; 2] {
    let (first, second) = both(send(), send()).await;
    for answer in [&first, &second] {
        assert!(answer.status().as_u16() < 500, "{}: {}", answer.status(), answer.text());
    }
    [first, second]
}

/// How many of them were carried out.
fn done(answers: &[TestResponse; 2]) -> usize {
    answers.iter().filter(|answer| answer.status() == 200).count()
}

/// Somebody signed in whose password is confirmed.
async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    confirm_password(&visitor).await;
    visitor
}

#[housekey::test]
async fn signing_up_twice_at_once_makes_one_account(app: TestApp) {
    let mails = mails(&app);
    for (number, same_browser) in [true, true, false, false].into_iter().enumerate() {
        let email = format!("ada.{number}@example.com");
        let body = json!({ "name": "Ada", "email": email, "password": PASSWORD });
        let (one, other) = (app.visitor(), app.visitor());
        let other = if same_browser { &one } else { &other };
        // So that both have their token before either has an account.
        one.csrf_token().await;
        other.csrf_token().await;
        let send = async |visitor: &TestApp| visitor.post("/sign-up").json(&body).await;
        let (first, second) = both(send(&one), send(other)).await;
        let mut statuses = [first.status().as_u16(), second.status().as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422], "{} / {}", first.text(), second.text());
        let ada = stored_with(&app, &email).await.expect("one account");
        assert_eq!(rows_of(&app, "account", &ada).await, 1);
        assert_eq!(mails.sent_to(email.as_str()).len(), 1);
        sign_in(&app.visitor().from("203.0.113.9"), &email, PASSWORD).await.assert_ok();
        app.advance(std::time::Duration::from_secs(60));
    }
}

#[housekey::test]
async fn beginning_two_factor_in_two_tabs_leaves_one_secret_that_works(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let begun = twice(async || visitor.post("/settings/two-factor").json(&json!({})).await).await;
    assert_eq!(done(&begun), 2, "the later one takes the place of the earlier one");
    assert_eq!(rows_of(&app, "twoFactor", &ada).await, 1);

    let code = code_of(&app, &ada).await;
    let confirm = async || visitor.post("/settings/two-factor/confirm").json(&json!({ "code": code })).await;
    let confirmed = twice(confirm).await;
    assert_eq!(done(&confirmed), 1, "a code works once");
    assert_eq!(stored(&app, &ada).await.two_factor_enabled, Some(true));
    let told = confirmed.iter().filter(|answer| answer.text().contains("recovery_codes")).count();
    assert_eq!(told, 1, "the recovery codes are shown once");

    // The other tab is behind the times, and does no harm.
    confirm_password(&visitor).await;
    let late = visitor.post("/settings/two-factor").json(&json!({})).await;
    late.assert_status(422);
    assert_eq!(rows_of(&app, "twoFactor", &ada).await, 1);
    assert_eq!(stored(&app, &ada).await.two_factor_enabled, Some(true));
}

#[housekey::test]
async fn of_two_sets_of_new_recovery_codes_one_counts_and_it_was_shown(app: TestApp) {
    let (ada, _) = crate::support::somebody_careful(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let made =
        twice(async || visitor.post("/settings/two-factor/recovery-codes").json(&json!({})).await).await;
    let mut opened = 0;
    for answer in made.iter().filter(|answer| answer.status() == 200) {
        let codes: Vec<String> = from_value(answer.json::<Value>()["recovery_codes"].clone()).unwrap();
        let next = app.visitor();
        sign_in(&next, &ada.email, PASSWORD).await.assert_ok();
        let tried = next.post("/two-factor-challenge/recovery").json(&json!({ "code": codes[0] })).await;
        opened += usize::from(tried.status() == 200);
    }
    assert_eq!(opened, 1);
}

#[housekey::test]
async fn an_account_is_deleted_once(app: TestApp) {
    for as_form in [false, true] {
        let ada = somebody(&app).await;
        let visitor = sure_of(&app, &ada).await;
        let token = visitor.csrf_token().await;
        let gone = twice(async || {
            let asked = visitor.request("DELETE".parse().unwrap(), "/settings/account");
            let asked = asked.header("x-csrf-token", &token);
            if as_form { asked.form(&[("a", "b")]).await } else { asked.json(&json!({})).await }
        })
        .await;
        assert!(gone.iter().any(|answer| answer.status().is_success() || answer.status() == 303));
        assert!(stored_with(&app, &ada.email).await.is_none());
        assert_eq!(signed_in_as(&visitor).await, None);
        // And a third time, from a tab that was left open.
        let late = visitor.delete("/settings/account").json(&json!({})).await;
        late.assert_status(401);
    }
}

#[housekey::test]
async fn a_passkey_is_removed_once(app: TestApp) {
    let ada = somebody(&app).await;
    let row = record! {
        "id" => "one", "publicKey" => "pQECAyYgASFYIA", "userId" => ada.id.as_str(), "credentialID" => "c",
        "counter" => 0, "deviceType" => "singleDevice", "backedUp" => false,
    };
    app.within(async { db()?.table("passkey").insert(row).await }).await.unwrap();
    let visitor = sure_of(&app, &ada).await;
    twice(async || visitor.delete("/settings/passkeys/one").json(&json!({})).await).await;
    assert_eq!(rows_of(&app, "passkey", &ada).await, 0);
    visitor.delete("/settings/passkeys/one").json(&json!({})).await.assert_not_found();
}

#[housekey::test]
async fn a_link_to_a_new_password_is_followed_once(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody(&app).await;
    app.visitor().post("/forgot-password").json(&json!({ "email": ada.email })).await.assert_ok();
    let token = token_for(&mails, &ada.email);
    let body = json!({ "token": token, "password": ANOTHER, "password_confirmation": ANOTHER });
    let answers = twice(async || app.post("/reset-password").json(&body).await).await;
    assert_eq!(done(&answers), 1);
    assert_eq!(mails.sent_to(ada.email.as_str()).len(), 2, "one link, one warning");
    sign_in(&app.visitor(), &ada.email, ANOTHER).await.assert_ok();
}

#[housekey::test]
async fn a_change_of_address_is_agreed_to_once_and_done_once(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    let new = "new.address@example.com";
    visitor.post("/settings/profile/email").json(&json!({ "email": new })).await.assert_ok();
    let consent = json!({ "token": token_for(&mails, &ada.email) });
    let agreed = twice(async || visitor.post("/change-email/confirm").json(&consent).await).await;
    assert_eq!((done(&agreed), mails.sent_to(new).len()), (1, 1));
    let proof = json!({ "token": token_for(&mails, new) });
    let moved = twice(async || visitor.post("/verify-email/confirm").json(&proof).await).await;
    assert_eq!(done(&moved), 1);
    assert_eq!(stored(&app, &ada).await.email, new);
}

#[housekey::test]
async fn an_address_may_be_confirmed_in_two_tabs(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody_unverified(&app).await;
    let visitor = app.signed_in(&ada).await;
    visitor.post("/verify-email/resend").json(&json!({})).await.assert_ok();
    let proof = json!({ "token": token_for(&mails, &ada.email) });
    twice(async || visitor.post("/verify-email/confirm").json(&proof).await).await;
    assert!(stored(&app, &ada).await.email_verified);
}

#[housekey::test]
async fn a_form_from_a_tab_in_which_somebody_else_signed_in_meanwhile_changes_nothing(app: TestApp) {
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
    let old_tab = app.csrf_token().await;
    app.post("/sign-out").json(&json!({})).await.assert_ok();
    sign_in(&app, &eve.email, PASSWORD).await.assert_ok();
    let form =
        app.post("/settings/profile").form(&[("name", "Ada"), ("_token", &old_tab)]).without_csrf().await;
    form.assert_status(419);
    assert_eq!(stored(&app, &eve).await.name, eve.name);
}
