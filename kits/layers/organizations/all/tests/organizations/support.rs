//! What the tests of organisations share.

use housekey::database::Factory;
use housekey::mail::{MailFake, Mailer};
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

pub const PASSWORD: &str = UserFactory::PASSWORD;

/// Somebody with an account, a confirmed address and [`PASSWORD`].
pub async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// A visitor who is somebody and has just entered the password again.
pub async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    visitor.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
    visitor
}

/// Creates an organisation, and gives its id.
pub async fn create(app: &TestApp, visitor: &TestApp, name: &str, slug: &str) -> String {
    visitor.post("/organizations").json(&json!({ "name": name, "slug": slug })).await.assert_ok();
    let ids = app.within(async { db()?.table("organization").where_eq("slug", slug).pluck("id").await });
    let ids: Vec<String> = ids.await.unwrap();
    ids.into_iter().next().expect("the organisation is stored")
}

/// An owner who is sure of themselves, and the organisation that they created.
pub async fn owner_of(app: &TestApp, slug: &str) -> (User, TestApp, String) {
    let user = somebody(app).await;
    let visitor = sure_of(app, &user).await;
    let id = create(app, &visitor, slug, slug).await;
    (user, visitor, id)
}

/// Lets somebody in with a role, by an invitation; `host` is in the organisation and may invite. The visitor works there.
pub async fn member_of(app: &TestApp, host: &TestApp, role: &str) -> (User, TestApp) {
    let user = somebody(app).await;
    let visitor = sure_of(app, &user).await;
    let id = invite(app, host, &user.email, role).await;
    visitor.post(&format!("/invitations/{id}/accept")).json(&json!({})).await.assert_ok();
    (user, visitor)
}

/// Invites an address, and gives the id of the invitation.
pub async fn invite(app: &TestApp, host: &TestApp, email: &str, role: &str) -> String {
    let form = json!({ "emails": email, "role": role });
    host.post("/settings/organization/invitations").json(&form).await.assert_ok();
    invitation_to(app, email).await.expect("the invitation is stored")
}

/// The id of the newest invitation to an address that waits.
pub async fn invitation_to(app: &TestApp, email: &str) -> Option<String> {
    let waiting = async {
        let invitations = db()?.table("invitation").where_eq("email", email).where_eq("status", "pending");
        invitations.pluck("id").await
    };
    let ids: Vec<String> = app.within(waiting).await.unwrap();
    ids.into_iter().next_back()
}

/// The role of somebody in an organisation, if they are in it.
pub async fn role_of(app: &TestApp, organization: &str, user: &User) -> Option<String> {
    let row = async {
        let members = db()?.table("member").where_eq("organizationId", organization);
        members.where_eq("userId", user.id.as_str()).value("role").await
    };
    app.within(row).await.unwrap()
}

/// The id of somebody's membership.
pub async fn membership(app: &TestApp, organization: &str, user: &User) -> String {
    let row = async {
        let members = db()?.table("member").where_eq("organizationId", organization);
        members.where_eq("userId", user.id.as_str()).value("id").await
    };
    app.within(row).await.unwrap().expect("a member")
}

/// The organisation that a visitor works in.
pub async fn active(visitor: &TestApp) -> Option<String> {
    let session: Value = visitor.get("/api/auth/get-session").await.json();
    session["session"]["activeOrganizationId"].as_str().map(str::to_owned)
}

/// What would have been sent.
pub fn mails(app: &TestApp) -> MailFake {
    app.services().require::<Mailer>().unwrap().fake()
}

/// The id and the token in the link of the last mail to an address.
pub fn mailed(mails: &MailFake, email: &str) -> (String, String) {
    let link = mails.link_to(email);
    let rest = link.split_once("/invitations/").unwrap_or_else(|| panic!("no invitation in {link}")).1;
    let (id, token) = rest.split_once("?token=").unwrap_or_else(|| panic!("no token in {link}"));
    (id.to_owned(), token.to_owned())
}

/// How many rows of a table there are.
pub async fn rows(app: &TestApp, table: &str) -> u64 {
    app.within(async { db()?.table(table).count().await }).await.unwrap()
}
