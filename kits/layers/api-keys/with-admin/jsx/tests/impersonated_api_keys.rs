//! The page of API keys, as an admin sees it who acts as somebody else.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::admin::appoint_admin;
use housekey::database::Factory;
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;

// spec: KEY-4, ADM-2
#[housekey::test]
async fn whoever_acts_as_somebody_is_offered_no_form(app: TestApp) {
    let alice = app.within(UserFactory::create()).await.unwrap();
    let bob = app.within(UserFactory::create()).await.unwrap();
    let auth = app.services().require::<Auth>().unwrap();
    appoint_admin(&auth.engine().api(), &alice.id, "test").await.unwrap();
    let admin = app.signed_in(&alice).await;
    let password = [("password", UserFactory::PASSWORD)];
    admin.post("/confirm-password").form(&password).await.assert_status(303);
    admin.get("/settings/api-keys").await.assert_ok().assert_see("Make the key");
    admin.post(&format!("/admin/users/{}/impersonate", bob.id)).await.assert_status(303);
    let page = admin.get("/settings/api-keys").await;
    page.assert_ok().assert_see("Nobody makes or changes keys in the name of somebody else.");
    page.assert_dont_see("Make the key");
}
