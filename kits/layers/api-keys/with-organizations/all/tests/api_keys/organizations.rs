//! Keys of an organisation: who looks after them, and whom a program with one acts for.

use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use crate::support::{id_of, make, me, somebody, sure_of};

const SHARED: &str = "/settings/organization/api-keys";

/// An owner, and the organisation that they created.
async fn owner_of(app: &TestApp, name: &str) -> TestApp {
    let visitor = sure_of(app, &somebody(app).await).await;
    visitor.post("/organizations").json(&json!({ "name": name, "slug": name })).await.assert_ok();
    visitor
}

/// Somebody who is let in with a role.
async fn member_of(app: &TestApp, host: &TestApp, role: &str) -> TestApp {
    let user = somebody(app).await;
    let form = json!({ "emails": user.email, "role": role });
    host.post("/settings/organization/invitations").json(&form).await.assert_ok();
    let waiting =
        async { db()?.table("invitation").where_eq("email", user.email.as_str()).pluck("id").await };
    let ids: Vec<String> = app.within(waiting).await.unwrap();
    let visitor = sure_of(app, &user).await;
    visitor.post(&format!("/invitations/{}/accept", ids[0])).json(&json!({})).await.assert_ok();
    visitor
}

/// A new key of the organisation that a visitor works in, with its id.
async fn make_shared(visitor: &TestApp, name: &str) -> (String, String) {
    let form = json!({ "name": name, "lifetime": "90" });
    let made: Value = visitor.post(SHARED).json(&form).await.assert_ok().json();
    assert_eq!(made["redirect"], SHARED);
    (made["api_key"].as_str().unwrap().to_owned(), id_of(visitor, name).await.unwrap())
}

// spec: KEY-4, ORG-1
#[housekey::test]
async fn a_program_with_the_key_of_an_organisation_acts_for_it(app: TestApp) {
    let owner = owner_of(&app, "engines").await;
    let (key, id) = make_shared(&owner, "build server").await;
    me(&app, &key).await.assert_ok().assert_json(&json!({ "owner": "engines", "key": "build server" }));
    let path = format!("{SHARED}/{id}");
    owner.patch(&path).json(&json!({ "enabled": false })).await.assert_ok();
    me(&app, &key).await.assert_status(401);
    owner.patch(&path).json(&json!({ "enabled": true })).await.assert_ok();
    me(&app, &key).await.assert_ok();
    owner.delete(&path).json(&json!({})).await.assert_ok();
    me(&app, &key).await.assert_status(401);
}

// spec: KEY-4, ORG-1
#[housekey::test]
async fn who_has_not_the_permission_makes_and_changes_no_key(app: TestApp) {
    let owner = owner_of(&app, "engines").await;
    let (key, id) = make_shared(&owner, "build server").await;
    let path = format!("{SHARED}/{id}");
    for role in ["member", "admin"] {
        let visitor = member_of(&app, &owner, role).await;
        let form = json!({ "name": "mine", "lifetime": "90" });
        visitor.post(SHARED).json(&form).await.assert_status(403);
        visitor.patch(&path).json(&json!({ "enabled": false })).await.assert_status(403);
        visitor.delete(&path).json(&json!({})).await.assert_status(403);
    }
    assert_eq!(id_of(&app, "mine").await, None);
    me(&app, &key).await.assert_ok();
}

// spec: KEY-4, ORG-4
#[housekey::test]
async fn the_key_of_another_organisation_is_not_there(app: TestApp) {
    let engines = owner_of(&app, "engines").await;
    let (key, id) = make_shared(&engines, "build server").await;
    // Eve owns another one, and Ada, who owns both, works in the other one now.
    let eve = owner_of(&app, "looms").await;
    engines.post("/organizations").json(&json!({ "name": "both", "slug": "both" })).await.assert_ok();
    for visitor in [&eve, &engines] {
        for path in [format!("{SHARED}/{id}"), format!("/settings/api-keys/{id}")] {
            visitor.patch(&path).json(&json!({ "enabled": false })).await.assert_not_found();
            visitor.delete(&path).json(&json!({})).await.assert_not_found();
        }
    }
    me(&app, &key).await.assert_ok();
}

// spec: KEY-4
#[housekey::test]
async fn the_keys_of_people_and_of_organisations_are_two_lists(app: TestApp) {
    let owner = owner_of(&app, "engines").await;
    let (_, own) = make(&owner, "own").await;
    let (key, _) = make_shared(&owner, "shared").await;
    owner.delete(&format!("{SHARED}/{own}")).json(&json!({})).await.assert_not_found();
    owner
        .post(SHARED)
        .json(&json!({ "name": "forged", "lifetime": "90" }))
        .without_csrf()
        .await
        .assert_status(419);
    // It ends with the organisation.
    owner.delete("/settings/organization").json(&json!({})).await.assert_ok();
    me(&app, &key).await.assert_status(401);
}
