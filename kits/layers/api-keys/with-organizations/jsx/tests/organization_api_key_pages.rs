//! The page of an organisation's API keys, as a browser without script gets it.

use housekey::database::Factory;
use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;

const SHARED: &str = "/settings/organization/api-keys";

async fn somebody(app: &TestApp) -> (TestApp, String) {
    let user = app.within(UserFactory::create()).await.unwrap();
    let visitor = app.signed_in(&user).await;
    let password = [("password", UserFactory::PASSWORD)];
    visitor.post("/confirm-password").form(&password).await.assert_status(303);
    visitor.get("/dashboard").await;
    (visitor, user.email)
}

// spec: KEY-4, ORG-1
#[housekey::test]
async fn owners_see_the_keys_and_other_members_who_looks_after_them(app: TestApp) {
    let (owner, _) = somebody(&app).await;
    owner.post("/organizations").json(&json!({ "name": "engines", "slug": "engines" })).await.assert_ok();
    owner.get(SHARED).await.assert_ok().assert_see("No key yet.");
    let form = [("name", "deploys"), ("lifetime", "90")];
    owner.post(SHARED).form(&form).await.assert_status(303).assert_redirect(SHARED);
    let page = owner.get(SHARED).await;
    page.assert_see("Copy your key now").assert_header("cache-control", "no-store");
    let page = owner.get(SHARED).await;
    page.assert_see("deploys").assert_dont_see("Copy your key now");
    for part in page.text().split(r#"<form method="post" action="/settings/organization"#).skip(1) {
        let address = part.split('"').next().unwrap_or_default();
        assert!(address.contains("?organization="), "{address}");
    }
    owner.get("/settings/api-keys").await.assert_dont_see("deploys");

    let (eve, email) = somebody(&app).await;
    let invitation = json!({ "emails": email, "role": "member" });
    owner.post("/settings/organization/invitations").json(&invitation).await.assert_ok();
    let ids: Vec<String> = app.within(async { db()?.table("invitation").pluck("id").await }).await.unwrap();
    eve.post(&format!("/invitations/{}/accept", ids[0])).json(&json!({})).await.assert_ok();
    let page = eve.get(SHARED).await;
    page.assert_ok().assert_see("Owners look after the keys").assert_dont_see("deploys");
    page.assert_dont_see("Make the key");
}
