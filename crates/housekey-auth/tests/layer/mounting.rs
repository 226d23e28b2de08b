use housekey_auth::{Auth, user};
use housekey_http::Routes;
use serde_json::json;

use crate::support::{PASSWORD, engine_post, house, sign_in, sign_up};

fn routes(route: &mut Routes) {
    route.get("/me", async || user().map_or_else(|| "nobody".to_owned(), |user| user.email.clone()));
    route.get("/members", async || "members").middleware("auth");
}

// spec: CLI-6, SVC-2
#[tokio::test]
async fn every_endpoint_of_the_engine_is_among_the_routes() {
    let app = house(|auth| auth.engine.plugins = Default::default(), routes).await;
    let listed: Vec<String> = app
        .application()
        .routes()
        .iter()
        .filter(|route| route.path().starts_with("/api/auth/"))
        .map(|route| route.path().to_owned())
        .collect();
    for path in ["/api/auth/sign-in/email", "/api/auth/get-session", "/api/auth/change-email"] {
        assert!(listed.iter().any(|listed| listed == path), "{path} is missing from {listed:?}");
    }
    let auth = app.services().require::<Auth>().unwrap();
    let offered =
        auth.engine().endpoints().iter().filter(|e| e.scope() == housekey_auth::engine::Scope::Client);
    assert_eq!(listed.len(), offered.count());
}

// spec: CFG-1
#[tokio::test]
async fn an_app_that_does_not_mount_serves_no_endpoint_and_keeps_its_guards() {
    let app = house(|auth| auth.mount = false, routes).await;
    sign_in(&app, "ada@example.com", PASSWORD).await.assert_not_found();
    app.get("/api/auth/get-session").await.assert_not_found();
    app.get("/members").await.assert_redirect("/sign-in");
}

// spec: CFG-6, ERR-1
#[tokio::test]
async fn sign_up_is_404_until_the_options_enable_it() {
    let app = house(|auth| auth.engine.email_and_password.enabled = false, routes).await;
    let body = json!({ "name": "Ada", "email": "ada@example.com", "password": PASSWORD });
    engine_post(&app, "sign-up/email", &body).await.assert_not_found();
}

// spec: ENG-1, ENG-2, ERR-1
#[tokio::test]
async fn the_engine_answers_through_the_pipeline_without_our_csrf_token() {
    let app = house(|_| (), routes).await;
    sign_up(&app, "ada@example.com").await;
    let visitor = app.visitor();
    sign_in(&visitor, "ada@example.com", "wrong password").await.assert_status(401);
    sign_in(&visitor, "ada@example.com", PASSWORD).await.assert_ok().assert_no_header("x-powered-by");
    let session = visitor.get("/api/auth/get-session").await;
    session.assert_json_path("user.email", "ada@example.com").assert_header("cache-control", "no-store");
    visitor.get("/me").await.assert_see("ada@example.com");
}

// spec: EPC-3
#[tokio::test]
async fn a_bearer_token_counts_on_the_apps_own_routes_too() {
    let app = house(|_| (), routes).await;
    let token = sign_up(&app, "ada@example.com").await.header("set-auth-token").unwrap().to_owned();
    let program = app.visitor();
    let bearer = format!("Bearer {token}");
    program.get("/me").header("authorization", &bearer).await.assert_see("ada@example.com");
    program.get("/members").header("authorization", &bearer).await.assert_ok();
    for bad in ["Bearer nonsense", "Bearer ", "Basic abc", "Bearer a.b"] {
        program.get("/me").header("authorization", bad).await.assert_see("nobody");
    }
}

#[tokio::test]
async fn where_identity_is_a_bearer_token_a_cookie_is_nobody() {
    let app = house(|auth| auth.identity = housekey_auth::Identity::Bearer, routes).await;
    let token = sign_up(&app, "ada@example.com").await.header("set-auth-token").unwrap().to_owned();
    assert!(app.cookie("better-auth.session_token").is_some());
    app.get("/me").await.assert_see("nobody");
    let bearer = format!("Bearer {token}");
    app.visitor().get("/me").header("authorization", &bearer).await.assert_see("ada@example.com");
}
