//! Organisations, where the app has them.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::organization::{NewOrganization, create_organization};
use housekey::default;
use housekey::testing::TestApp;

use crate::support::{admin, somebody};

// spec: ADM-1
#[housekey::test]
async fn organisations_are_listed_and_shown_with_their_members(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    let bob = somebody(&app, "Bob").await;
    let auth = app.services().require::<Auth>().unwrap();
    let mut api = auth.engine().api();
    let account = api.user(&bob.id).await.unwrap().unwrap();
    api.begin_session(account, None).await.unwrap();
    let new = NewOrganization { name: "Bakery <b>".into(), slug: "bakery".into(), ..default() };
    create_organization(&mut api, new).await.unwrap();

    let list = visitor.get("/admin/organizations").await;
    list.assert_ok().assert_see("Bakery &lt;b&gt;").assert_see("bakery");
    visitor.get("/admin/organizations?search=BAK").await.assert_see("bakery");
    visitor.get("/admin/organizations?search=b%25y").await.assert_see("There is no such organization.");
    let his = visitor.get(&format!("/admin/users/{}", bob.id)).await;
    his.assert_see("bakery").assert_see("owner");
}
