//! The engine's own endpoints, for clients that speak Better Auth.

use housekey::database::{Factory, record};
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;

const ADA: &str = "ada@example.com";

/// Every one that can be reached, with what it asks of whoever is signed in. A new one belongs into this list, and into
/// `demands` of `config/auth.rs` if it changes how an account is protected.
const ENDPOINTS: &[&str] = &[
    "ANY /api/auth/{fallback}",
    "GET /api/auth/api-key/get",
    "GET /api/auth/api-key/list",
    "GET /api/auth/error",
    "GET /api/auth/get-session",
    "GET /api/auth/list-accounts",
    "GET /api/auth/list-sessions",
    "GET /api/auth/ok",
    "GET /api/auth/reset-password/{token}",
    "GET /api/auth/verify-email",
    "POST /api/auth/api-key/create: password.confirm, throttle:6,1",
    "POST /api/auth/api-key/delete: password.confirm",
    "POST /api/auth/api-key/update: password.confirm",
    "POST /api/auth/change-password: throttle:6,1",
    "POST /api/auth/request-password-reset",
    "POST /api/auth/reset-password",
    "POST /api/auth/revoke-other-sessions: password.confirm",
    "POST /api/auth/revoke-session: password.confirm",
    "POST /api/auth/revoke-sessions: password.confirm",
    "POST /api/auth/send-verification-email",
    "POST /api/auth/sign-in/email",
    "POST /api/auth/sign-out",
    "POST /api/auth/sign-up/email",
    "POST /api/auth/update-user",
];

// spec: SEC-1
#[housekey::test]
async fn every_endpoint_that_can_be_reached_is_known_with_what_it_asks_for(app: TestApp) {
    let mut listed = Vec::new();
    for route in app.application().routes().list() {
        if route.path.starts_with("/api/auth/") {
            let asked = route.middleware.join(", ");
            let asked = if asked.is_empty() { asked } else { format!(": {asked}") };
            listed.push(format!("{} {}{asked}", route.methods[0], route.path));
        }
    }
    listed.sort_unstable();
    assert_eq!(listed, ENDPOINTS);
}

// spec: SEC-1, MID-4
#[housekey::test]
async fn a_token_alone_ends_no_other_session_until_the_password_was_confirmed(app: TestApp) {
    app.within(UserFactory::create_with(record! { "email" => ADA })).await.expect("a user");
    let (here, elsewhere) = (login(&app).await, login(&app).await);
    let refused = end_others(&here).await;
    refused.assert_status(423).assert_json_path("code", "PASSWORD_CONFIRMATION_REQUIRED");
    elsewhere.get("/api/me").await.assert_ok();

    confirm(&here, "not the password").await.assert_status(422).assert_invalid("password");
    end_others(&here).await.assert_status(423);
    confirm(&here, UserFactory::PASSWORD).await.assert_ok().assert_json(&json!({ "confirmed": true }));
    end_others(&elsewhere).await.assert_status(423);
    end_others(&here).await.assert_ok();
    elsewhere.get("/api/me").await.assert_status(401);
    here.get("/api/me").await.assert_ok();
}

async fn login(app: &TestApp) -> TestApp {
    let body = json!({ "email": ADA, "password": UserFactory::PASSWORD });
    let answer: Value = app.post("/api/login").without_csrf().json(&body).await.json();
    let token = answer["token"].as_str().expect("a token");
    app.visitor().with_header("authorization", &format!("Bearer {token}"))
}

async fn end_others(client: &TestApp) -> TestResponse {
    client.post("/api/auth/revoke-other-sessions").without_csrf().json(&json!({})).await
}

async fn confirm(client: &TestApp, password: &str) -> TestResponse {
    client.post("/api/password/confirm").without_csrf().json(&json!({ "password": password })).await
}
