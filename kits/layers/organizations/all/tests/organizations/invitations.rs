//! Inviting people, and changing one's mind about it.

use std::time::Duration;

use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;

use crate::support::{invitation_to, invite, mailed, mails, member_of, owner_of, rows, somebody};

const INVITATIONS: &str = "/settings/organization/invitations";

// spec: ORG-5
#[housekey::test]
async fn several_addresses_get_a_mail_each_however_they_were_typed(app: TestApp) {
    let mails = mails(&app);
    let (_, owner, _) = owner_of(&app, "engines").await;
    let emails = "one@example.com, Two <TWO@example.com>;\n three@example.com one@example.com";
    let form = owner.post(INVITATIONS).form(&[("emails", emails), ("role", "member")]).await;
    form.assert_status(303);
    for email in ["one@example.com", "two@example.com", "three@example.com"] {
        assert_eq!(mails.sent_to(email).len(), 1, "{email}");
        let (id, _) = mailed(&mails, email);
        assert_eq!(invitation_to(&app, email).await, Some(id));
    }
    assert_eq!(rows(&app, "invitation").await, 3);
}

#[housekey::test]
async fn what_is_wrong_with_one_address_keeps_no_other_from_being_invited(app: TestApp) {
    let (ada, owner, _) = owner_of(&app, "engines").await;
    invite(&app, &owner, "old@example.com", "member").await;
    let emails = format!("new@example.com old@example.com {} nonsense", ada.email);
    let sent = owner.post(INVITATIONS).json(&json!({ "emails": emails, "role": "member" })).await;
    sent.assert_ok();
    assert!(invitation_to(&app, "new@example.com").await.is_some());
    assert_eq!(rows(&app, "invitation").await, 2);

    let emails = format!("old@example.com {}", ada.email);
    let refused = owner.post(INVITATIONS).json(&json!({ "emails": emails, "role": "member" })).await;
    refused.assert_status(422).assert_invalid("emails");
    assert!(refused.text().contains("old@example.com: is invited already."), "{}", refused.text());
    assert!(refused.text().contains("is a member already."), "{}", refused.text());
}

// spec: ERR-1
#[housekey::test]
async fn no_address_too_many_and_no_such_role_are_refused(app: TestApp) {
    let (_, owner, _) = owner_of(&app, "engines").await;
    let many: Vec<String> = (0..21).map(|number| format!("{number}@example.com")).collect();
    for emails in ["", " ,; ", "nonsense", &many.join(",")] {
        let refused = owner.post(INVITATIONS).json(&json!({ "emails": emails, "role": "member" })).await;
        refused.assert_status(422).assert_invalid("emails");
    }
    let refused =
        owner.post(INVITATIONS).json(&json!({ "emails": "a@example.com", "role": "emperor" })).await;
    refused.assert_status(422);
    assert_eq!(rows(&app, "invitation").await, 0);
}

// spec: ORG-1
#[housekey::test]
async fn members_invite_nobody_and_admins_no_owners(app: TestApp) {
    let (_, owner, _) = owner_of(&app, "engines").await;
    let (_, admin) = member_of(&app, &owner, "admin").await;
    let (_, member) = member_of(&app, &owner, "member").await;
    let form = |role: &str| json!({ "emails": "new@example.com", "role": role });
    member.post(INVITATIONS).json(&form("member")).await.assert_status(403);
    admin.post(INVITATIONS).json(&form("owner")).await.assert_status(422);
    assert_eq!(invitation_to(&app, "new@example.com").await, None);
    let id = invite(&app, &admin, "new@example.com", "admin").await;
    member.post(&format!("{INVITATIONS}/{id}/resend")).json(&json!({})).await.assert_status(403);
    member.delete(&format!("{INVITATIONS}/{id}")).json(&json!({})).await.assert_status(403);
    assert_eq!(invitation_to(&app, "new@example.com").await, Some(id));
}

// spec: MID-3
#[housekey::test]
async fn who_has_not_confirmed_their_address_invites_nobody(app: TestApp) {
    let eve = app.within(UserFactory::unverified()).await.unwrap();
    let visitor = app.signed_in(&eve).await;
    visitor.post("/organizations").json(&json!({ "name": "Spam" })).await.assert_ok();
    let refused =
        visitor.post(INVITATIONS).json(&json!({ "emails": "a@example.com", "role": "member" })).await;
    refused.assert_status(403).assert_json_path("code", "EMAIL_NOT_VERIFIED");
    assert_eq!(rows(&app, "invitation").await, 0);
}

#[housekey::test]
async fn an_invitation_that_is_sent_again_is_the_same_and_has_all_its_time(app: TestApp) {
    let mails = mails(&app);
    let (_, owner, _) = owner_of(&app, "engines").await;
    let id = invite(&app, &owner, "new@example.com", "admin").await;
    let expires = async || -> time::OffsetDateTime {
        let row = async { db()?.table("invitation").where_eq("id", id.as_str()).value("expiresAt").await };
        app.within(row).await.unwrap().unwrap()
    };
    let before = expires().await;
    app.advance(Duration::from_secs(3600));
    owner.post(&format!("{INVITATIONS}/{id}/resend")).json(&json!({})).await.assert_ok();
    assert_eq!(mails.sent_to("new@example.com").len(), 2);
    assert_eq!(mailed(&mails, "new@example.com").0, id);
    assert!(expires().await > before);
    assert_eq!(rows(&app, "invitation").await, 1);
}

// spec: ORG-5
#[housekey::test]
async fn the_link_of_an_invitation_that_was_taken_back_does_nothing(app: TestApp) {
    let mails = mails(&app);
    let (_, owner, _) = owner_of(&app, "engines").await;
    let eve = somebody(&app).await;
    let id = invite(&app, &owner, &eve.email, "member").await;
    let (_, token) = mailed(&mails, &eve.email);
    let path = format!("{INVITATIONS}/{id}");
    owner.post(&path).form(&[("_method", "DELETE")]).await.assert_status(303);
    let visitor = app.signed_in(&eve).await;
    let accept = visitor.post(&format!("/invitations/{id}/accept")).json(&json!({ "token": token })).await;
    accept.assert_not_found();
    owner.delete(&path).json(&json!({})).await.assert_not_found();
    owner.post(&format!("{path}/resend")).json(&json!({})).await.assert_not_found();
    assert_eq!(rows(&app, "member").await, 1);
}
