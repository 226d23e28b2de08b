//! Whoever holds an invitation: with an account, without one, with the wrong one.

use std::time::Duration;

use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, both};

use crate::support::{PASSWORD, active, invite, mailed, mails, owner_of, role_of, rows, somebody};

async fn stored(app: &TestApp, email: &str) -> Option<{{crate}}::models::User> {
    let ids: Vec<String> =
        app.within(async { db()?.table("user").where_eq("email", email).pluck("id").await }).await.unwrap();
    let [id] = &ids[..] else { return None };
    app.within({{crate}}::models::User::find(id.clone())).await.unwrap()
}

// spec: ORG-5
#[housekey::test]
async fn a_new_person_is_in_with_one_form_and_their_address_is_proven(app: TestApp) {
    let mails = mails(&app);
    let (_, owner, organization) = owner_of(&app, "engines").await;
    invite(&app, &owner, "new@example.com", "admin").await;
    let (id, token) = mailed(&mails, "new@example.com");
    let visitor = app.visitor();
    let form = [("name", "Grace Hopper"), ("password", "a wholly new horse"), ("token", token.as_str())];
    let joined = visitor.post(&format!("/invitations/{id}/sign-up")).form(&form).await;
    joined.assert_status(303).assert_redirect(&app.route("dashboard"));
    let grace = stored(&app, "new@example.com").await.expect("an account");
    assert!(grace.email_verified);
    assert_eq!(role_of(&app, &organization, &grace).await.as_deref(), Some("admin"));
    assert_eq!(active(&visitor).await, Some(organization));
    // And once only.
    let again = app.visitor().post(&format!("/invitations/{id}/sign-up")).form(&form).await;
    again.assert_not_found();
}

// spec: ORG-5
#[housekey::test]
async fn a_copied_link_and_a_forged_token_prove_no_address(app: TestApp) {
    let mails = mails(&app);
    let (_, owner, _) = owner_of(&app, "engines").await;
    invite(&app, &owner, "other@example.com", "member").await;
    let (_, of_another) = mailed(&mails, "other@example.com");
    for (number, token) in [None, Some("0".repeat(64)), Some(of_another)].into_iter().enumerate() {
        let email = format!("copied.{number}@example.com");
        let id = invite(&app, &owner, &email, "member").await;
        let form = json!({ "name": "Grace", "password": "a wholly new horse", "token": token });
        let visitor = app.visitor().from(&format!("203.0.113.{number}"));
        visitor.post(&format!("/invitations/{id}/sign-up")).json(&form).await.assert_ok();
        assert!(!stored(&app, &email).await.expect("an account").email_verified, "{number}");
    }
}

// spec: ORG-5
#[housekey::test]
async fn a_known_person_accepts_and_the_invitation_is_spent(app: TestApp) {
    let (_, owner, organization) = owner_of(&app, "engines").await;
    let eve = somebody(&app).await;
    let id = invite(&app, &owner, &eve.email, "member").await;
    let visitor = app.signed_in(&eve).await;
    let path = format!("/invitations/{id}/accept");
    visitor.csrf_token().await;
    let accept = async || visitor.post(&path).json(&json!({})).await;
    let (first, second) = both(accept(), accept()).await;
    assert!(
        [first.status(), second.status()].contains(&StatusCode::OK),
        "{} {}",
        first.text(),
        second.text()
    );
    assert_eq!(rows(&app, "member").await, 2);
    assert_eq!(role_of(&app, &organization, &eve).await.as_deref(), Some("member"));
    assert_eq!(active(&visitor).await, Some(organization));
    visitor.post(&path).json(&json!({})).await.assert_not_found();
}

// spec: ORG-5
#[housekey::test]
async fn the_wrong_person_joins_nothing_and_spends_nothing(app: TestApp) {
    let mails = mails(&app);
    let (_, owner, organization) = owner_of(&app, "engines").await;
    let (eve, mallory) = (somebody(&app).await, somebody(&app).await);
    let id = invite(&app, &owner, &eve.email, "admin").await;
    let (_, token) = mailed(&mails, &eve.email);
    let visitor = app.signed_in(&mallory).await;
    for action in ["accept", "decline"] {
        let path = format!("/invitations/{id}/{action}");
        let refused = visitor.post(&path).json(&json!({ "token": token })).await;
        // Said on the page of the invitation, where it also says what to do.
        refused.assert_status(422).assert_invalid("invitation");
    }
    assert_eq!(role_of(&app, &organization, &mallory).await, None);
    // Signed out, back at the page, and in as whom it is for.
    let out = visitor.post(&format!("/invitations/{id}/sign-out")).form(&[("token", token.as_str())]).await;
    let page = out.assert_status(303).header("location").unwrap_or_default().to_owned();
    assert!(page.ends_with(&format!("/invitations/{id}?token={token}")), "{page}");
    let session: Value = visitor.get("/api/auth/get-session").await.json();
    assert_eq!(session, Value::Null);
    let eve_there = app.signed_in(&eve).await;
    eve_there.post(&format!("/invitations/{id}/accept")).json(&json!({})).await.assert_ok();
}

// spec: ORG-5
#[housekey::test]
async fn signing_in_leads_back_to_the_invitation(app: TestApp) {
    let (_, owner, _) = owner_of(&app, "engines").await;
    let eve = somebody(&app).await;
    let id = invite(&app, &owner, &eve.email, "member").await;
    let visitor = app.visitor();
    let way = format!("/invitations/{id}/sign-in?token=abc");
    visitor.get(&way).await.assert_status(302).assert_redirect(&app.route("sign-in"));
    let form = [("email", eve.email.as_str()), ("password", PASSWORD)];
    visitor.post("/sign-in").form(&form).await.assert_status(303).assert_redirect(&way);
    let page = format!("/invitations/{id}?token=abc");
    visitor.get(&way).await.assert_status(302).assert_redirect(&page);
}

// spec: ORG-5
#[housekey::test]
async fn unknown_spent_and_expired_invitations_are_answered_alike(app: TestApp) {
    let (_, owner, _) = owner_of(&app, "engines").await;
    let eve = somebody(&app).await;
    let expired = invite(&app, &owner, "late@example.com", "member").await;
    app.advance(Duration::from_secs(8 * 86_400));
    let visitor = app.signed_in(&eve).await;
    let mut answers = Vec::new();
    for id in [expired.as_str(), "nonsense", "00000000000000000000000000000000"] {
        let accept = visitor.post(&format!("/invitations/{id}/accept")).json(&json!({})).await;
        accept.assert_not_found();
        let form = json!({ "name": "Grace", "password": "a wholly new horse" });
        let sign_up = app.visitor().post(&format!("/invitations/{id}/sign-up")).json(&form).await;
        sign_up.assert_not_found();
        let said = |text: String| text.split("requestId").next().unwrap_or_default().to_owned();
        answers.push((said(accept.text()), said(sign_up.text())));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

// spec: ORG-5, ERR-1
#[housekey::test]
async fn a_sign_up_with_an_invitation_keeps_the_rules_of_every_sign_up(app: TestApp) {
    let mails = mails(&app);
    let (_, owner, _) = owner_of(&app, "engines").await;
    let eve = somebody(&app).await;
    invite(&app, &owner, &eve.email, "member").await;
    invite(&app, &owner, "new@example.com", "member").await;
    let (id, token) = mailed(&mails, "new@example.com");
    let path = format!("/invitations/{id}/sign-up");
    let people = rows(&app, "user").await;
    for (password, name) in [("short", "Grace"), ("password1234", "Grace"), ("", "Grace")] {
        let form = json!({ "name": name, "password": password, "token": token });
        app.visitor().post(&path).json(&form).await.assert_status(422).assert_invalid("password");
    }
    let form = json!({ "name": "", "password": "a wholly new horse", "token": token });
    app.visitor().post(&path).json(&form).await.assert_status(422).assert_invalid("name");
    // Another address than the invited one is not asked for.
    let (id, token) = mailed(&mails, &eve.email);
    let form =
        json!({ "name": "Eve", "email": "x@example.com", "password": "a wholly new horse", "token": token });
    let taken = app.visitor().post(&format!("/invitations/{id}/sign-up")).json(&form).await;
    taken.assert_status(422).assert_invalid("email");
    assert_eq!(rows(&app, "user").await, people);
}

// spec: ORG-1
#[housekey::test]
async fn who_declines_is_not_in_and_may_be_invited_again(app: TestApp) {
    let (_, owner, organization) = owner_of(&app, "engines").await;
    let eve = somebody(&app).await;
    let id = invite(&app, &owner, &eve.email, "member").await;
    let visitor = app.signed_in(&eve).await;
    visitor.post(&format!("/invitations/{id}/decline")).form(&[("a", "b")]).await.assert_status(303);
    visitor.post(&format!("/invitations/{id}/accept")).json(&json!({})).await.assert_not_found();
    assert_eq!(role_of(&app, &organization, &eve).await, None);
    let second = invite(&app, &owner, &eve.email, "member").await;
    visitor.post(&format!("/invitations/{second}/accept")).json(&json!({})).await.assert_ok();
}
