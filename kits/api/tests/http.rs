//! The app as a visitor sees it: every test boots one of its own and goes through the front door.

use housekey::serde_json::Value;
use housekey::testing::TestApp;

#[housekey::test]
async fn the_first_page_leads_to_the_description_of_the_api(app: TestApp) {
    let page = app.get("/").await;
    page.assert_status(200)
        .assert_header("content-type", "text/html; charset=utf-8")
        .assert_see("{{title}}")
        .assert_see("/api/docs")
        .assert_see("/api/openapi.json")
        .assert_no_header("set-cookie");
}

#[housekey::test]
async fn the_health_check_answers_without_starting_a_session(app: TestApp) {
    let health = app.get("/health").await;
    health.assert_status(200).assert_see("ok").assert_no_header("set-cookie");
}

// spec: KIT-2
#[housekey::test]
async fn everything_but_the_pages_is_json_whatever_a_client_asks_for(app: TestApp) {
    for path in ["/api", "/api/nowhere", "/api/no/where", "/nowhere", "/no/where"] {
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
async fn a_page_carries_its_style_with_a_nonce_and_nothing_else_runs(app: TestApp) {
    for path in ["/", "/api/docs"] {
        let page = app.get(path).await;
        let policy = page.assert_ok().header("content-security-policy").expect("a content security policy");
        assert!(!policy.contains("unsafe-inline"), "{policy}");

        let text = page.text();
        let nonce =
            text.split("<style nonce=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a style");
        assert!(policy.contains(&format!("'nonce-{nonce}'")), "{policy}");
        assert!(!text.contains("<script") && !text.contains(" style="), "{path}");
    }
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
