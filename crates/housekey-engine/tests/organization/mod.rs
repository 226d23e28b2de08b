//! Organisations through the front door: who may do what where, who wins when two come at once, and what must never happen.

mod additional_fields;
mod attacks;
mod events;
mod hooks;
mod invitations;
mod limits;
mod members;
mod organizations;
mod permissions;
mod races;
mod roles;
mod server_code;
mod sessions;
mod teams;

use crate::support::{Answer, Browser, PASSWORD, TestEngine, options};
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::organization::Member;
use housekey_engine::plugins::{OrganizationOptions, organization};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Engine, Record};
use http::StatusCode;
use serde_json::{Value, json};

/// An engine with the plugin.
fn with(organization_options: OrganizationOptions) -> TestEngine {
    built(options(), organization_options)
}

fn built(options: EngineOptions, organization_options: OrganizationOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options).plugins([organization(organization_options)]))
}

fn test_engine() -> TestEngine {
    with(OrganizationOptions::default())
}

fn email(name: &str) -> String {
    format!("{name}@example.com")
}

/// Somebody who signed up, signed in.
async fn person(test: &TestEngine, name: &str) -> Browser {
    let mut browser = test.browser();
    let body = json!({ "name": name, "email": email(name), "password": PASSWORD });
    browser.post("/sign-up/email", body).await.assert(StatusCode::OK);
    browser
}

/// Does something in an organisation.
async fn does(browser: &mut Browser, what: &str, body: Value) -> Answer {
    browser.post(&format!("/organization/{what}"), body).await
}

/// An organisation of somebody; gives its id.
async fn creates(browser: &mut Browser, slug: &str) -> String {
    let body = json!({ "name": slug, "slug": slug });
    text(&does(browser, "create", body).await.assert(StatusCode::OK).json()["id"])
}

/// Invites somebody into the active organisation; gives the invitation's id.
async fn invites(browser: &mut Browser, name: &str, role: &str) -> String {
    let answer = does(browser, "invite-member", json!({ "email": email(name), "role": role })).await;
    text(&answer.assert(StatusCode::OK).json()["id"])
}

/// Somebody who was invited by a member with a role, and accepted.
async fn joins(test: &TestEngine, inviter: &mut Browser, name: &str, role: &str) -> Browser {
    let mut browser = person(test, name).await;
    accepts(inviter, &mut browser, name, role).await;
    browser
}

async fn accepts(inviter: &mut Browser, browser: &mut Browser, name: &str, role: &str) {
    let invitation = invites(inviter, name, role).await;
    does(browser, "accept-invitation", json!({ "invitationId": invitation })).await.assert(StatusCode::OK);
}

/// Ada, who owns `acme`, and its id.
async fn ada_and_acme(test: &TestEngine) -> (Browser, String) {
    let mut ada = person(test, "ada").await;
    let acme = creates(&mut ada, "acme").await;
    (ada, acme)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

async fn user_id(test: &TestEngine, name: &str) -> String {
    let users = test.rows("user").await;
    let user = users.into_iter().find(|row| row.text("email") == Some(&email(name))).unwrap();
    user.text("id").unwrap().to_owned()
}

/// The row that makes somebody a member.
async fn membership(test: &TestEngine, organization: &str, name: &str) -> Option<Record> {
    let user = user_id(test, name).await;
    let is_it =
        |row: &Record| row.text("organizationId") == Some(organization) && row.text("userId") == Some(&user);
    test.rows("member").await.into_iter().find(is_it)
}

async fn member_id(test: &TestEngine, organization: &str, name: &str) -> String {
    membership(test, organization, name).await.unwrap().text("id").unwrap().to_owned()
}

async fn role(test: &TestEngine, organization: &str, name: &str) -> Option<String> {
    membership(test, organization, name).await.map(|row| row.text("role").unwrap().to_owned())
}

async fn owners(test: &TestEngine, organization: &str) -> usize {
    let rows = test.rows("member").await;
    let is_one = |row: &&Record| {
        row.text("organizationId") == Some(organization)
            && row.text("role").unwrap().split(',').any(|role| role == "owner")
    };
    rows.iter().filter(is_one).count()
}

/// Where a browser's session is, as its page sees it.
async fn active(browser: &mut Browser) -> Value {
    browser.session().await["session"]["activeOrganizationId"].clone()
}

/// Changes rows behind the engine's back.
async fn set(test: &TestEngine, table: &str, filter: Filter, record: Record) {
    let table = test.engine.schema().table(table).unwrap();
    test.storage.update(table, &filter, &record).await.unwrap();
}

async fn proves_address(test: &TestEngine, name: &str) {
    let proven = Record::new().with("emailVerified", true);
    set(test, "user", Filter::by("email", email(name)), proven).await;
}

/// What functions for server code are called with.
fn api_of(test: &TestEngine, browser: &Browser) -> housekey_engine::Api {
    test.engine.api_for(&browser.cookie_header())
}

fn roles_of(member: &Member) -> Vec<&str> {
    member.roles().collect()
}
