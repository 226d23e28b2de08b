//! Who somebody is, and what they may change about it.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::api_key::{self, KeyFor, NewApiKey};
use housekey::database::Factory;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

#[housekey::test]
async fn a_client_with_a_token_learns_who_it_is_and_nothing_more(app: TestApp) {
    let (ada, client) = signed_in(&app).await;

    let me = client.get("/api/me").await;
    me.assert_ok().assert_json_path("user.id", ada.id).assert_json_path("user.emailVerified", true);
    me.assert_header("cache-control", "no-store").assert_no_header("set-cookie");

    let body: Value = me.json();
    let fields: Vec<&String> = body["user"].as_object().expect("a user").keys().collect();
    assert_eq!(fields, ["createdAt", "email", "emailVerified", "id", "image", "name"]);
}

#[housekey::test]
async fn without_a_token_there_is_nobody_whatever_the_client_asks_for(app: TestApp) {
    for accept in ["application/json", "text/html", "*/*"] {
        let answer = app.get("/api/me").header("accept", accept).await;
        answer.assert_status(401).assert_header("content-type", "application/json");
    }
    app.patch("/api/me").without_csrf().json(&json!({ "name": "Eve" })).await.assert_status(401);
}

#[housekey::test]
async fn a_token_that_was_changed_cut_short_or_made_up_is_nobodys(app: TestApp) {
    let (_, token) = token(&app).await;
    let (bare, signature) = token.split_once('.').expect("a signed token");
    let forged = format!("{bare}.{}", "A".repeat(signature.len()));
    for wrong in [bare, &forged, &token[..token.len() - 2], "", ".", "made up"] {
        let answer = app.get("/api/me").header("authorization", &format!("Bearer {wrong}")).await;
        answer.assert_status(401);
    }
    app.get("/api/me").header("authorization", &format!("Basic {token}")).await.assert_status(401);
    app.get("/api/me").header("authorization", &format!("Bearer {token}")).await.assert_ok();
}

#[housekey::test]
async fn a_cookie_says_nothing_here(app: TestApp) {
    let (_, token) = token(&app).await;
    let cookie = format!("better-auth.session_token={token}");
    app.get("/api/me").header("cookie", &cookie).await.assert_status(401);
}

#[housekey::test]
async fn a_name_can_be_changed_and_an_empty_one_is_refused(app: TestApp) {
    let (ada, client) = signed_in(&app).await;

    let changed = client.patch("/api/me").without_csrf().json(&json!({ "name": "Countess" })).await;
    changed.assert_ok().assert_json_path("user.name", "Countess");
    client.get("/api/me").await.assert_json_path("user.name", "Countess");

    let refused = client.patch("/api/me").without_csrf().json(&json!({ "name": "" })).await;
    refused.assert_status(422).assert_invalid("name");

    // What is not asked for is not taken.
    let sneaky = json!({ "name": "Ada", "email": "eve@example.com", "emailVerified": false });
    client.patch("/api/me").without_csrf().json(&sneaky).await.assert_ok();
    client
        .get("/api/me")
        .await
        .assert_json_path("user.email", ada.email)
        .assert_json_path("user.emailVerified", true);
}

#[housekey::test]
async fn a_program_with_an_api_key_learns_whose_it_is_and_changes_nothing(app: TestApp) {
    let (ada, client) = signed_in(&app).await;
    let key = app
        .within(async {
            let api = Auth::current().expect("accounts").engine().api();
            let made = api_key::create_for(&api, KeyFor::User(&ada.id), NewApiKey::default()).await;
            made.expect("a key").key.reveal().to_owned()
        })
        .await;
    let program = app.with_header("x-api-key", &key);
    program
        .get("/api/me")
        .await
        .assert_ok()
        .assert_json_path("user.id", ada.id)
        .assert_no_header("set-cookie");
    program.patch("/api/me").without_csrf().json(&json!({ "name": "Eve" })).await.assert_status(401);
    client.get("/api/me").header("x-api-key", "made up").await.assert_status(401);
    app.get(&format!("/api/me?api_key={key}")).await.assert_status(400);
}

/// From a sign-in to the end of a program's key, over HTTP alone.
// spec: KEY-4
#[housekey::test]
async fn somebody_makes_a_key_for_a_program_uses_it_and_ends_it(app: TestApp) {
    let (ada, client) = signed_in(&app).await;
    let wanted = json!({ "name": "nightly" });
    let make = async || client.post("/api/auth/api-key/create").without_csrf().json(&wanted).await;
    make().await.assert_status(423);
    let password = json!({ "password": UserFactory::PASSWORD });
    client.post("/api/password/confirm").without_csrf().json(&password).await.assert_ok();
    let made: Value = make().await.assert_ok().json();
    let key = made["key"].as_str().expect("a key");

    let program = app.visitor().with_header("x-api-key", key);
    program.get("/api/me").await.assert_ok().assert_json_path("user.id", ada.id);
    // It is shown once, and no session is made from it.
    let listed = client.get("/api/auth/api-key/list").await;
    assert!(listed.assert_ok().text().contains("nightly") && !listed.text().contains(key));
    assert_eq!(program.get("/api/auth/get-session").await.assert_ok().text(), "null");
    program.post("/api/logout").without_csrf().await.assert_status(401);

    let id = json!({ "keyId": made["id"] });
    client.post("/api/auth/api-key/delete").without_csrf().json(&id).await.assert_ok();
    program.get("/api/me").await.assert_status(401);
}

/// Somebody, and a client that carries their token.
async fn signed_in(app: &TestApp) -> (User, TestApp) {
    let user = app.within(UserFactory::create()).await.expect("a user");
    let client = app.signed_in(&user).await;
    (user, client)
}

/// Somebody, and a token of theirs.
async fn token(app: &TestApp) -> (User, String) {
    app.within(async {
        let user = UserFactory::create().await.expect("a user");
        let auth = Auth::current().expect("accounts");
        let mut api = auth.engine().api();
        let account = api.user(&user.id).await.expect("a store").expect("the user");
        api.begin_session(account, None).await.expect("a session");
        (user, api.session_token_to_set().expect("a token"))
    })
    .await
}
