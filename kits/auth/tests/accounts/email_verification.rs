//! Whose address is it? Proving one, and moving to another.

use std::time::Duration;

use housekey::serde_json::json;
use housekey::testing::TestApp;

use crate::support::{
    PASSWORD, confirm_password, mails, sign_in, somebody, somebody_unverified, stored, stored_with, tampered,
    token_for,
};

const NEW: &str = "new.address@example.com";

/// Sends a token to where the page of a mail's link sends it.
async fn spend(visitor: &TestApp, path: &str, token: &str) -> housekey::testing::TestResponse {
    visitor.post(path).json(&json!({ "token": token })).await
}

async fn ask_for_link(app: &TestApp, visitor: &TestApp, email: &str) -> String {
    visitor.post("/verify-email/resend").json(&json!({})).await.assert_ok();
    token_for(&mails(app), email)
}

#[housekey::test]
async fn the_link_in_the_mail_proves_the_address(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody_unverified(&app).await;
    let visitor = app.signed_in(&ada).await;
    let token = ask_for_link(&app, &visitor, &ada.email).await;
    assert!(mails.link_to(ada.email.as_str()).contains(&app.route("verify-email.link")));
    assert!(!stored(&app, &ada).await.email_verified, "sending it proves nothing");

    let answer = visitor.post("/verify-email/confirm").form(&[("token", token.as_str())]).await;
    answer.assert_status(303).assert_redirect("/dashboard");
    assert!(stored(&app, &ada).await.email_verified);
}

#[housekey::test]
async fn the_link_works_in_another_browser_and_signs_nobody_in(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody_unverified(&app).await;
    let token = ask_for_link(&app, &app.signed_in(&ada).await, &ada.email).await;
    mails.assert_count(1);
    let elsewhere = app.visitor();
    spend(&elsewhere, "/verify-email/confirm", &token)
        .await
        .assert_ok()
        .assert_json_path("redirect", app.route("sign-in"));
    assert!(stored(&app, &ada).await.email_verified);
    assert_eq!(crate::support::signed_in_as(&elsewhere).await, None);
}

#[housekey::test]
async fn a_link_that_was_tampered_with_or_is_too_old_proves_nothing(app: TestApp) {
    let (ada, eve) = (somebody_unverified(&app).await, somebody_unverified(&app).await);
    let visitor = app.signed_in(&ada).await;
    let token = ask_for_link(&app, &visitor, &ada.email).await;
    let [head, claims, signature] = token.split('.').collect::<Vec<_>>()[..] else { panic!("three parts") };
    let unsigned = format!("eyJhbGciOiJub25lIn0.{claims}.");
    let others = ask_for_link(&app, &app.signed_in(&eve).await, &eve.email).await;
    let swapped = format!("{head}.{}.{signature}", others.split('.').nth(1).unwrap());
    for (number, forged) in
        [tampered(&token), unsigned, swapped, format!("{head}.{claims}."), "nonsense".into()]
            .into_iter()
            .enumerate()
    {
        // From an address each, for six in a minute are too many from one.
        let forger = app.visitor().from(&format!("203.0.113.{}", number + 1));
        spend(&forger, "/verify-email/confirm", &forged).await.assert_status(422).assert_invalid("token");
    }
    app.advance(Duration::from_secs(60 * 60 + 1));
    spend(&visitor, "/verify-email/confirm", &token).await.assert_status(422).assert_invalid("token");
    assert!(!stored(&app, &ada).await.email_verified);
    assert!(!stored(&app, &eve).await.email_verified);
}

// spec: MID-6, ERR-1
#[housekey::test]
async fn another_link_can_be_asked_for_but_not_endlessly(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody_unverified(&app).await;
    let visitor = app.signed_in(&ada).await;
    for _ in 0..3 {
        visitor.post("/verify-email/resend").json(&json!({})).await.assert_ok();
    }
    let refused = visitor.post("/verify-email/resend").json(&json!({})).await;
    refused.assert_status(429);
    assert!(refused.header("retry-after").is_some());
    mails.assert_count(3);
}

#[housekey::test]
async fn who_is_confirmed_gets_no_further_link(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody(&app).await;
    let answer = app.signed_in(&ada).await.post("/verify-email/resend").json(&json!({})).await;
    answer.assert_ok().assert_json_path("redirect", "/dashboard");
    mails.assert_nothing_sent();
}

// spec: STA-5
#[housekey::test]
async fn an_address_that_was_never_confirmed_is_replaced_at_once_and_its_link_dies_with_it(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody_unverified(&app).await;
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    let old_link = ask_for_link(&app, &visitor, &ada.email).await;

    visitor.post("/settings/profile/email").json(&json!({ "email": NEW })).await.assert_ok();
    assert_eq!(stored(&app, &ada).await.email, NEW);
    spend(&visitor, "/verify-email/confirm", &old_link).await.assert_status(422);
    assert!(!stored(&app, &ada).await.email_verified, "nobody has shown that the new one is theirs");

    spend(&visitor, "/verify-email/confirm", &token_for(&mails, NEW)).await.assert_ok();
    assert!(stored(&app, &ada).await.email_verified);
}

// spec: STA-5, NTF-1
#[housekey::test]
async fn a_confirmed_address_changes_only_when_its_holder_and_then_the_new_one_agree(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    visitor.post("/settings/profile/email").form(&[("email", NEW)]).await.assert_status(303);
    assert_eq!(stored(&app, &ada).await.email, ada.email, "the change waits");
    mails.assert_count(1).assert_not_sent_to(NEW);
    assert!(mails.link_to(ada.email.as_str()).contains(&app.route("change-email")));

    let consent = token_for(&mails, &ada.email);
    spend(&visitor, "/change-email/confirm", &consent).await.assert_ok();
    assert_eq!(stored(&app, &ada).await.email, ada.email, "the new one is asked next");

    let proof = token_for(&mails, NEW);
    spend(&visitor, "/verify-email/confirm", &proof).await.assert_ok();
    let moved = stored(&app, &ada).await;
    assert_eq!((moved.email.as_str(), moved.email_verified), (NEW, true));

    // Neither link does anything a second time.
    spend(&visitor, "/change-email/confirm", &consent).await.assert_status(422);
    spend(&visitor, "/verify-email/confirm", &proof).await.assert_status(422);
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_status(422);
    sign_in(&app.visitor(), NEW, PASSWORD).await.assert_ok();
}

#[housekey::test]
async fn a_link_of_somebody_else_does_nothing_for_who_is_signed_in(app: TestApp) {
    let mails = mails(&app);
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    visitor.post("/settings/profile/email").json(&json!({ "email": NEW })).await.assert_ok();
    let consent = token_for(&mails, &ada.email);
    spend(&app.signed_in(&eve).await, "/change-email/confirm", &consent).await.assert_status(422);
    mails.assert_not_sent_to(NEW);
}

#[housekey::test]
async fn moving_to_an_address_that_is_taken_tells_nobody_that_it_is(app: TestApp) {
    let mails = mails(&app);
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let visitor = app.signed_in(&eve).await;
    confirm_password(&visitor).await;
    let taken = visitor.post("/settings/profile/email").json(&json!({ "email": ada.email })).await;
    taken.assert_ok();
    mails.assert_nothing_sent();
    let free = visitor.post("/settings/profile/email").json(&json!({ "email": NEW })).await;
    assert_eq!(taken.text(), free.text());
    assert_eq!(stored(&app, &eve).await.email, eve.email);
    assert_eq!(stored_with(&app, &ada.email).await.map(|user| user.id), Some(ada.id));
}

/// Follows a link by every door there is: the page's form, a script, and the engine's own endpoint.
async fn expect_spent(app: &TestApp, visitor: &TestApp, token: &str) {
    for path in ["/verify-email/confirm", "/change-email/confirm"] {
        spend(visitor, path, token).await.assert_status(422).assert_invalid("token");
        let form = app.visitor().post(path).form(&[("token", token)]).referer("/").await;
        form.assert_status(303).assert_invalid("token");
    }
    for somebody in [visitor, &app.visitor()] {
        somebody.get(&format!("/api/auth/verify-email?token={token}")).await.assert_status(401);
    }
}

#[housekey::test]
async fn a_change_that_was_cancelled_cannot_be_finished_by_any_door(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    let ask = async || visitor.post("/settings/profile/email").json(&json!({ "email": NEW })).await;
    let cancel = async || visitor.post("/settings/profile/email").form(&[("_method", "DELETE")]).await;

    ask().await.assert_ok();
    let consent = token_for(&mails, &ada.email);
    cancel().await.assert_status(303);
    expect_spent(&app, &visitor, &consent).await;
    mails.assert_not_sent_to(NEW);

    // Nor when the old address had agreed already.
    app.advance(Duration::from_secs(60));
    ask().await.assert_ok();
    spend(&visitor, "/change-email/confirm", &token_for(&mails, &ada.email)).await.assert_ok();
    let proof = token_for(&mails, NEW);
    cancel().await.assert_status(303);
    cancel().await.assert_status(303);
    app.advance(Duration::from_secs(60));
    expect_spent(&app, &visitor, &proof).await;
    assert_eq!(stored(&app, &ada).await.email, ada.email);
}

#[housekey::test]
async fn a_second_change_makes_the_links_of_the_first_worthless(app: TestApp) {
    let mails = mails(&app);
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    for email in ["first@example.com", NEW] {
        visitor.post("/settings/profile/email").json(&json!({ "email": email })).await.assert_ok();
    }
    let [first, second] = &mails.sent_to(ada.email.as_str())[..] else { panic!("two mails") };
    let token = |mail: &housekey::mail::OutgoingMail| {
        mail.link().unwrap().split_once("token=").unwrap().1.split('&').next().unwrap().to_owned()
    };
    expect_spent(&app, &visitor, &token(first)).await;
    app.advance(Duration::from_secs(60));
    spend(&visitor, "/change-email/confirm", &token(second)).await.assert_ok();
    mails.assert_not_sent_to("first@example.com").assert_sent_to(NEW);
}

#[housekey::test]
async fn somebody_elses_cancelling_cancels_nothing(app: TestApp) {
    let mails = mails(&app);
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    visitor.post("/settings/profile/email").json(&json!({ "email": NEW })).await.assert_ok();
    app.signed_in(&eve).await.delete("/settings/profile/email").json(&json!({})).await.assert_ok();
    spend(&visitor, "/change-email/confirm", &token_for(&mails, &ada.email)).await.assert_ok();
}

#[housekey::test]
async fn who_was_never_confirmed_is_answered_alike_for_a_taken_address_and_truthfully(app: TestApp) {
    let mails = mails(&app);
    let (ada, eve) = (somebody(&app).await, somebody_unverified(&app).await);
    let visitor = app.signed_in(&eve).await;
    confirm_password(&visitor).await;
    let ask =
        async |email: &str| visitor.post("/settings/profile/email").json(&json!({ "email": email })).await;
    let taken = ask(&ada.email).await;
    taken.assert_ok().assert_see("If nobody has this address yet").assert_dont_see("is changed");
    assert_eq!(stored(&app, &eve).await.email, eve.email);
    mails.assert_nothing_sent();

    let free = ask(NEW).await;
    assert_eq!((free.status(), free.text()), (taken.status(), taken.text()));
    assert_eq!(stored(&app, &eve).await.email, NEW);
    mails.assert_sent_to(NEW);
}

// spec: STA-5
#[housekey::test]
async fn an_address_is_not_changed_in_passing(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    visitor.post("/settings/profile").json(&json!({ "name": "Ada", "email": NEW })).await.assert_ok();
    let generic = visitor.post("/api/auth/update-user").header("origin", "http://localhost:3000");
    generic.json(&json!({ "name": "Ada", "email": NEW })).await.assert_status(400);
    assert_eq!(stored(&app, &ada).await.email, ada.email);
}

#[housekey::test]
async fn what_is_no_address_is_refused(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    for bad in ["", "nobody", "a@b@c", &format!("{}@example.com", "x".repeat(300)), ada.email.as_str()] {
        visitor
            .post("/settings/profile/email")
            .json(&json!({ "email": bad }))
            .await
            .assert_status(422)
            .assert_invalid("email");
    }
}
