//! An admin who acts as somebody else.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::admin::appoint_admin;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use crate::support::{KEYS, ask_for, id_of, make, me, somebody, sure_of};

// spec: KEY-4, ADM-2
#[housekey::test]
async fn an_admin_who_acts_as_somebody_makes_and_changes_no_key(app: TestApp) {
    let (alice, bob) = (somebody(&app).await, somebody(&app).await);
    let (key, id) = make(&sure_of(&app, &bob).await, "build server").await;
    let auth = app.services().require::<Auth>().unwrap();
    appoint_admin(&auth.engine().api(), &alice.id, "test").await.unwrap();
    let admin = sure_of(&app, &alice).await;
    admin.post(&format!("/admin/users/{}/impersonate", bob.id)).await.assert_status(303);

    assert!(ask_for(&admin, "mine now", "never").await.status().is_client_error());
    let turn = admin.patch(&format!("{KEYS}/{id}")).json(&json!({ "enabled": false })).await;
    assert!(turn.status().is_client_error(), "{}", turn.status());
    assert_eq!(id_of(&app, "mine now").await, None);
    me(&app, &key).await.assert_ok();
}
