//! Who visits.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::admin::appoint_admin;
use housekey::auth::events::{EventFilter, find};
use housekey::prelude::*;
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

pub const PASSWORD: &str = UserFactory::PASSWORD;

pub async fn somebody(app: &TestApp, name: &str) -> User {
    app.within(UserFactory::named(name)).await.unwrap()
}

pub async fn appointed(app: &TestApp, name: &str) -> User {
    let user = somebody(app, name).await;
    let auth = app.services().require::<Auth>().unwrap();
    appoint_admin(&auth.engine().api(), &user.id, "test").await.unwrap();
    user
}

/// An admin who has just entered the password again.
pub async fn admin(app: &TestApp) -> (User, TestApp) {
    let alice = appointed(app, "Alice Admin").await;
    let visitor = app.signed_in(&alice).await;
    confirm(&visitor).await;
    (alice, visitor)
}

pub async fn confirm(visitor: &TestApp) {
    visitor.post("/confirm-password").form(&[("password", PASSWORD)]).await.assert_status(303);
}

/// The address a visitor is signed in with.
pub async fn signed_in_as(visitor: &TestApp) -> Option<String> {
    let session: housekey::serde_json::Value = visitor.get("/api/auth/get-session").await.json();
    session["user"]["email"].as_str().map(str::to_owned)
}

/// What a column of somebody's row says now.
pub async fn column(app: &TestApp, user: &User, name: &str) -> Option<String> {
    let read =
        async { db()?.table("user").where_eq("id", user.id.as_str()).pluck::<Option<String>>(name).await };
    app.within(read).await.unwrap().into_iter().next().flatten()
}

pub async fn sessions_of(app: &TestApp, user: &User) -> Vec<String> {
    let own = async { db()?.table("session").where_eq("userId", user.id.as_str()).pluck("id").await };
    app.within(own).await.unwrap()
}

/// The names of what happened to somebody, the newest first, and who did it.
pub async fn told(app: &TestApp, user: &User) -> Vec<(String, Option<String>)> {
    let auth = app.services().require::<Auth>().unwrap();
    let filter = EventFilter { user_id: Some(user.id.clone()), ..default() };
    let events = app.within(async { find(&auth, &filter, 20).await }).await.unwrap();
    let by = |detail: Option<housekey::serde_json::Value>| detail?["by"].as_str().map(str::to_owned);
    events.into_iter().map(|event| (event.kind, by(event.detail))).collect()
}
