use housekey_auth::engine::Record;
use housekey_auth::{Auth, InvitedSignUp, invited, organization};
use housekey_core::{Error, Result};
use housekey_http::Routes;
use housekey_http::axum::Json;
use housekey_http::axum::extract::{Path, Query};
use housekey_testing::TestApp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::organizations::mail::invite;
use crate::organizations::{app, mails, organization_of, somebody, with_plugins};
use crate::support::{PASSWORD, engine_post, test_app};

#[derive(Deserialize)]
struct Link {
    token: Option<String>,
}

pub(crate) fn routes(route: &mut Routes) {
    route.get("/invitations/{id}", show).sensitive();
    route.post("/invitations/{id}/sign-up", sign_up).sensitive();
    route.post("/invitations/{id}/accept", accept).sensitive();
}

async fn show(Path(id): Path<String>, Query(link): Query<Link>) -> Result<String> {
    let invited = invited(&id, link.token.as_deref()).await?.ok_or_else(Error::not_found)?;
    Ok(format!(
        "{} {} {} {}",
        invited.organization_name, invited.inviter_name, invited.email, invited.is_proven
    ))
}

async fn sign_up(Path(id): Path<String>, Query(link): Query<Link>) -> Result<Json<Value>> {
    let invited = invited(&id, link.token.as_deref()).await?.ok_or_else(Error::not_found)?;
    let new = InvitedSignUp { name: "New".into(), password: PASSWORD.into(), fields: Record::new() };
    let outcome = invited.sign_up(new).await?;
    let there = organization().map(|active| active.name().to_owned());
    Ok(Json(json!({ "outcome": format!("{outcome:?}"), "organization": there })))
}

async fn accept(Path(id): Path<String>) -> Result<String> {
    let invited = invited(&id, None).await?.ok_or_else(Error::not_found)?;
    Ok(invited.accept().await?.name().to_owned())
}

struct Sent {
    app: TestApp,
    ada: TestApp,
    id: String,
    token: String,
}

async fn sent_in(app: TestApp, email: &str) -> Sent {
    let (_, ada) = somebody(&app, "ada@example.com").await;
    organization_of(&ada, "acme").await;
    let id = invite(&ada, email).await["id"].as_str().unwrap().to_owned();
    let token = mails(&app).link_to(email).split("token=").nth(1).unwrap().to_owned();
    Sent { app, ada, id, token }
}

async fn sent(email: &str) -> Sent {
    sent_in(app().await, email).await
}

async fn sign_up_at(visitor: &TestApp, id: &str, query: &str) -> housekey_testing::TestResponse {
    visitor.post(&format!("/invitations/{id}/sign-up{query}")).json(&json!({})).await
}

async fn row(app: &TestApp, table: &str, column: &str, value: &str) -> Option<Record> {
    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let table = api.table(table).unwrap();
    let filter = housekey_auth::engine::storage::Filter::by(column.to_owned(), value);
    api.storage().find_one(table, &filter).await.unwrap()
}

// spec: ORG-5
#[tokio::test]
async fn the_link_in_the_mail_makes_a_verified_member_in_one_step() {
    let Sent { app, id, token, .. } = sent("new@example.com").await;
    let new = app.visitor();
    let page = new.get(&format!("/invitations/{id}?token={token}")).await;
    page.assert_see("ACME ada new@example.com true");
    page.assert_ok();
    // A program that opens every link of a mail has changed nothing.
    assert_eq!(row(&app, "invitation", "id", &id).await.unwrap().text("status"), Some("pending"));
    let joined = sign_up_at(&new, &id, &format!("?token={token}")).await;
    joined.assert_ok();
    joined.assert_json_path("outcome", "Joined").assert_json_path("organization", "ACME");
    new.get("/where").await.assert_see("ACME");
    let user = app.get("/where").await;
    user.assert_see("nowhere");
    let session: Value = new.get("/api/auth/get-session").await.json();
    assert_eq!(
        (&session["user"]["email"], &session["user"]["emailVerified"]),
        (&json!("new@example.com"), &json!(true))
    );
    // Spent.
    new.get(&format!("/invitations/{id}?token={token}")).await.assert_status(404);
    sign_up_at(&app.visitor(), &id, &format!("?token={token}")).await.assert_status(404);
}

/// Whoever invites knows the id. It must not make them the owner of an account with a stranger's address.
// spec: ORG-5
#[tokio::test]
async fn who_invites_cannot_prove_the_mailbox_of_whom_they_invited() {
    let Sent { app, ada, id, token } = sent("victim@example.com").await;
    let other = sent_token(&app, &ada, "mine@example.com").await;
    let changed = token.chars().rev().collect::<String>();
    for forged in [
        "",
        "?token=",
        "?token=1",
        &format!("?token={other}"),
        &format!("?token={changed}"),
        &format!("?token={id}"),
    ] {
        let eve = app.visitor();
        eve.get(&format!("/invitations/{id}{forged}")).await.assert_see("victim@example.com false");
    }
    let eve = app.visitor();
    sign_up_at(&eve, &id, &format!("?token={other}")).await;
    let user = row(&app, "user", "email", "victim@example.com").await;
    assert_ne!(user.and_then(|user| user.get("emailVerified").and_then(|v| v.as_bool())), Some(true));
}

async fn sent_token(app: &TestApp, ada: &TestApp, email: &str) -> String {
    invite(ada, email).await;
    mails(app).link_to(email).split("token=").nth(1).unwrap().to_owned()
}

// spec: ORG-5
#[tokio::test]
async fn a_copied_link_is_a_sign_up_like_any_other_where_addresses_must_be_proven() {
    let app = test_app(
        |auth| {
            with_plugins(auth);
            auth.engine.email_and_password.require_email_verification = true;
        },
        crate::organizations::routes,
    )
    .await;
    let Sent { app, id, .. } = sent_in(app, "new@example.com").await;
    let new = app.visitor();
    sign_up_at(&new, &id, "").await.assert_ok().assert_json_path("outcome", "ProveAddress");
    new.get("/where").await.assert_see("nowhere");
    // The same answer for an address that has an account by now.
    sign_up_at(&app.visitor(), &id, "").await.assert_ok().assert_json_path("outcome", "ProveAddress");
    assert_eq!(row(&app, "invitation", "id", &id).await.unwrap().text("status"), Some("pending"));
}

// spec: ORG-5
#[tokio::test]
async fn the_page_is_the_same_for_an_address_with_an_account_and_for_one_without() {
    let app = app().await;
    let known = app.user("known@example.com").await;
    let Sent { app, ada, id, token } = sent_in(app, "known@example.com").await;
    let unknown = invite(&ada, "unknown@example.com").await["id"].as_str().unwrap().to_owned();
    let page = async |id: &str| app.visitor().get(&format!("/invitations/{id}")).await.text();
    assert_eq!(page(&id).await.replace("known@", "un@"), page(&unknown).await.replace("unknown@", "un@"));
    // Who has read the mail may know, and their account is as it was.
    let refused = sign_up_at(&app.visitor(), &id, &format!("?token={token}")).await;
    refused.assert_status(422);
    let visitor = app.signed_in(&known).await;
    visitor.post(&format!("/invitations/{id}/accept")).await.assert_see("ACME");
    visitor.get("/where").await.assert_see("ACME");
}

// spec: ORG-5
#[tokio::test]
async fn an_invitation_is_for_its_address_and_ends() {
    let Sent { app, ada, id, token } = sent("new@example.com").await;
    let (_, eve) = somebody(&app, "eve@example.com").await;
    eve.post(&format!("/invitations/{id}/accept")).accept_json().await.assert_status(403);
    app.visitor().post(&format!("/invitations/{id}/accept")).accept_json().await.assert_status(401);
    engine_post(&ada, "organization/cancel-invitation", &json!({ "invitationId": id })).await.assert_ok();
    app.visitor().get(&format!("/invitations/{id}?token={token}")).await.assert_status(404);
    let id = invite(&ada, "new@example.com").await["id"].as_str().unwrap().to_owned();
    app.visitor().get(&format!("/invitations/{id}?token={token}")).await.assert_see("false");
    app.advance(std::time::Duration::from_secs(172_801));
    app.visitor().get(&format!("/invitations/{id}")).await.assert_status(404);
    app.visitor().get("/invitations/nothing").await.assert_status(404);
}

// spec: ORG-5
#[tokio::test]
async fn where_nobody_may_sign_up_an_invitation_changes_nothing_about_it() {
    let app = test_app(
        |auth| {
            with_plugins(auth);
            auth.engine.email_and_password.disable_sign_up = true;
        },
        crate::organizations::routes,
    )
    .await;
    let Sent { app, id, token, .. } = sent_in(app, "new@example.com").await;
    sign_up_at(&app.visitor(), &id, &format!("?token={token}")).await.assert_status(404);
    assert!(row(&app, "user", "email", "new@example.com").await.is_none());
}
