//! Everybody who must not pass.

use housekey::axum::http::Method;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use crate::support::{KEYS, ask_for, id_of, make, me, somebody, sure_of};

/// Every form, with the key that it is about.
fn forms(id: &str) -> [(Method, String); 3] {
    let of = format!("{KEYS}/{id}");
    [(Method::POST, KEYS.to_owned()), (Method::PATCH, of.clone()), (Method::DELETE, of)]
}

/// What makes a key, or turns one off.
fn body() -> housekey::serde_json::Value {
    json!({ "name": "another", "lifetime": "90", "enabled": false })
}

// spec: KEY-4
#[housekey::test]
async fn a_guest_makes_and_changes_no_key(app: TestApp) {
    let (key, id) = make(&sure_of(&app, &somebody(&app).await).await, "build server").await;
    for (method, path) in forms(&id) {
        app.visitor().request(method, &path).json(&body()).await.assert_status(401);
    }
    app.visitor().get(KEYS).await.assert_redirect(&app.route("sign-in"));
    me(&app, &key).await.assert_ok();
    assert_eq!(id_of(&app, "another").await, None);
}

// spec: KEY-4, MID-4
#[housekey::test]
async fn the_password_is_asked_for_first(app: TestApp) {
    let ada = somebody(&app).await;
    let (key, id) = make(&sure_of(&app, &ada).await, "build server").await;
    let visitor = app.signed_in(&ada).await;
    for (method, path) in forms(&id) {
        visitor.request(method, &path).json(&body()).await.assert_status(423);
    }
    me(&app, &key).await.assert_ok();
    assert_eq!(id_of(&app, "another").await, None);
}

// spec: KEY-4
#[housekey::test]
async fn a_page_of_another_site_makes_and_changes_no_key(app: TestApp) {
    let visitor = sure_of(&app, &somebody(&app).await).await;
    let (key, id) = make(&visitor, "build server").await;
    for (method, path) in forms(&id) {
        let forged =
            visitor.request(method, &path).form(&[("name", "another"), ("lifetime", "90"), ("enabled", "")]);
        forged.without_csrf().await.assert_status(419);
    }
    me(&app, &key).await.assert_ok();
    assert_eq!(id_of(&app, "another").await, None);
}

// spec: KEY-4
#[housekey::test]
async fn the_key_of_somebody_else_is_not_there(app: TestApp) {
    let (key, id) = make(&sure_of(&app, &somebody(&app).await).await, "build server").await;
    let eve = sure_of(&app, &somebody(&app).await).await;
    for id in [id.as_str(), "nothing", "..%2Fx"] {
        let path = format!("{KEYS}/{id}");
        eve.patch(&path).json(&json!({ "enabled": false })).await.assert_not_found();
        eve.delete(&path).json(&json!({})).await.assert_not_found();
    }
    me(&app, &key).await.assert_ok();
}

#[housekey::test]
async fn keys_are_made_so_often_in_a_minute_and_no_oftener(app: TestApp) {
    let visitor = sure_of(&app, &somebody(&app).await).await;
    for number in 0..6 {
        ask_for(&visitor, &format!("number {number}"), "90").await.assert_ok();
    }
    ask_for(&visitor, "one more", "90").await.assert_status(429);
    assert_eq!(id_of(&app, "one more").await, None);
}
