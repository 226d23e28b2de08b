//! The app as a visitor sees it: every test boots one of its own and goes through the front door.

use std::collections::BTreeSet;

use housekey::serde_json::Value;
use housekey::testing::TestApp;

#[housekey::test]
async fn the_one_page_describes_the_api(app: TestApp) {
    let page = app.get("/").await;
    page.assert_status(200)
        .assert_header("content-type", "text/html; charset=utf-8")
        .assert_see("{{title}}")
        .assert_see("/api/openapi.json")
        .assert_no_header("set-cookie");
    page.assert_see("/api/login").assert_see("/api/me").assert_see("Choose a new password");
}

#[housekey::test]
async fn the_health_check_answers_without_starting_a_session(app: TestApp) {
    let health = app.get("/health").await;
    health.assert_status(200).assert_see("ok").assert_no_header("set-cookie");
}

// spec: KIT-2
#[housekey::test]
async fn everything_but_the_one_page_is_json_whatever_a_client_asks_for(app: TestApp) {
    for path in ["/api", "/api/nowhere", "/api/no/where", "/api/docs", "/nowhere", "/no/where"] {
        let answer = app.get(path).header("accept", "text/html").await;
        answer.assert_status(404).assert_header("content-type", "application/json");
        let body: Value = answer.json();
        assert!(body["message"].is_string() && body["requestId"].is_string(), "{path}: {body}");
        if path.starts_with("/api") {
            answer.assert_header("cache-control", "no-store");
        }
    }
    let health = app.get("/health").header("accept", "text/html").await;
    let kind = health.assert_ok().header("content-type").unwrap_or_default().to_owned();
    assert!(!kind.starts_with("text/html"), "{kind}");
    let wrong_method = app.post("/").header("accept", "text/html").form(&[("a", "b")]).await;
    wrong_method.assert_status(405).assert_header("content-type", "application/json");
}

#[housekey::test]
async fn the_page_carries_its_style_with_a_nonce_and_nothing_else_runs(app: TestApp) {
    let page = app.get("/").await;
    let policy = page.assert_ok().header("content-security-policy").expect("a content security policy");
    assert!(!policy.contains("unsafe-inline"), "{policy}");

    let text = page.text();
    let nonce =
        text.split("<style nonce=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a style");
    assert!(policy.contains(&format!("'nonce-{nonce}'")), "{policy}");
    assert!(!text.contains("<script") && !text.contains(" style="), "{text}");
}

// spec: CFG-1
#[housekey::test]
async fn the_engines_endpoints_are_served_unless_the_environment_says_no(app: TestApp) {
    app.get("/api/auth/get-session").await.assert_ok();
    let gate_only = app.with_env("AUTH_MOUNT", "false");
    gate_only.get("/api/auth/get-session").await.assert_not_found();
    gate_only.get("/api/me").await.assert_status(401);
}

#[housekey::test]
async fn the_description_names_every_route_of_the_api_and_no_other(app: TestApp) {
    let description: Value = app.get("/api/openapi.json").await.assert_ok().json();
    assert_eq!(description["openapi"], "3.1.0");

    let mut described = BTreeSet::new();
    for (path, methods) in description["paths"].as_object().expect("paths") {
        described.extend(
            methods
                .as_object()
                .expect("methods")
                .keys()
                .map(|method| format!("{} {path}", method.to_uppercase())),
        );
    }
    let mut served = BTreeSet::new();
    for route in app.application().routes().list() {
        // The engine's own endpoints speak Better Auth, whose documentation describes them.
        let is_ours = route.path.starts_with("/api/") && !route.path.starts_with("/api/auth/");
        if is_ours && route.path != "/api/openapi.json" {
            let methods = route.methods.iter().filter(|method| *method != "HEAD");
            served.extend(methods.map(|method| format!("{method} {}", route.path)));
        }
    }
    assert_eq!(described, served);
}

#[housekey::test]
async fn a_site_that_is_listed_may_call_the_api_and_read_the_token(app: TestApp) {
    let app = app.with_env("CORS_ORIGINS", "https://client.example");
    let answer = app.get("/api/me").header("origin", "https://client.example").await;
    answer.assert_header("access-control-allow-origin", "https://client.example");
    assert!(
        answer.header("access-control-expose-headers").is_some_and(|names| names.contains("set-auth-token"))
    );

    let other = app.get("/api/me").header("origin", "https://other.example").await;
    other.assert_no_header("access-control-allow-origin");
}
