//! What the page of API keys tells an admin who acts as somebody else.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::admin::appoint_admin;
use housekey::database::Factory;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;

const READ: &str = "/api/settings/api-keys";

// spec: KEY-4, ADM-2
#[housekey::test]
async fn whoever_acts_as_somebody_is_offered_no_form(app: TestApp) {
    let alice = app.within(UserFactory::create()).await.unwrap();
    let bob = app.within(UserFactory::create()).await.unwrap();
    let auth = app.services().require::<Auth>().unwrap();
    appoint_admin(&auth.engine().api(), &alice.id, "test").await.unwrap();
    let admin = app.signed_in(&alice).await;
    let password = json!({ "password": UserFactory::PASSWORD });
    admin.post("/confirm-password").json(&password).await.assert_ok();
    admin.get(READ).await.assert_ok().assert_json_path("whyNotCreate", Value::Null);
    admin.post(&format!("/admin/users/{}/impersonate", bob.id)).await.assert_status(303);
    let read: Value = admin.get(READ).await.assert_ok().json();
    assert!(read["whyNotCreate"].is_string() && read["mayChange"] == false, "{read}");
}
