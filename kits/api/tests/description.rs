//! The description of the API, which is made from the routes: what it says is what happens.

use std::collections::BTreeSet;

use housekey::database::Factory;
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;

// spec: KEY-6
#[housekey::test]
async fn the_description_names_every_route_of_the_api_and_no_other(app: TestApp) {
    let description = description(&app).await;
    assert_eq!(description["openapi"], "3.1.1");
    assert_eq!(description["tags"][0]["name"], "Session", "this app's own come first");

    let described: BTreeSet<_> =
        operations(&description).map(|(method, path, _)| format!("{method} {path}")).collect();
    let mut served = BTreeSet::new();
    for route in app.application().routes().list() {
        let describes = route.name.as_deref().is_some_and(|name| name.starts_with("openapi."));
        if route.path.starts_with("/api/") && !route.path.ends_with("{fallback}") && !describes {
            let methods = route.methods.iter().filter(|method| *method != "HEAD");
            served.extend(methods.map(|method| format!("{method} {}", route.path)));
        }
    }
    assert_eq!(described, served);
}

// spec: KEY-6
#[housekey::test]
async fn every_operation_says_what_it_is_for_and_stands_on_the_page(app: TestApp) {
    let description = description(&app).await;
    let page = app.get("/api/docs").await;
    page.assert_ok().assert_header("content-type", "text/html; charset=utf-8");
    for (method, path, operation) in operations(&description) {
        let summary = operation["summary"].as_str().unwrap_or_default();
        assert!(!summary.is_empty(), "{method} {path} does not say what it is for");
        page.assert_see(path).assert_see(summary);
    }
}

// spec: KEY-6
#[housekey::test]
async fn what_has_to_be_sent_is_refused_when_it_is_missing(app: TestApp) {
    let description = description(&app).await;
    let token = sign_in(&app).await;
    for (method, path, operation) in operations(&description).filter(|(_, path, _)| is_ours(path)) {
        let Some(name) = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str()
        else {
            continue;
        };
        let name = name.rsplit('/').next().unwrap_or_default();
        let required =
            description["components"]["schemas"][name]["required"].as_array().expect("fields").clone();
        let client = app.visitor().with_header("authorization", &format!("Bearer {token}"));
        let request = if method == "PATCH" { client.patch(path) } else { client.post(path) };
        let refused = request.without_csrf().json(&json!({})).await;
        refused.assert_status(422);
        for field in required.iter().filter_map(Value::as_str) {
            refused.assert_invalid(field);
        }
    }
}

// spec: KEY-6
#[housekey::test]
async fn the_examples_work_as_they_stand(app: TestApp) {
    let description = description(&app).await;
    let example = |path: &str| {
        let body = &description["paths"][path]["post"]["requestBody"]["content"]["application/json"];
        body["example"].clone()
    };
    let made = app.post("/api/register").without_csrf().json(&example("/api/register")).await;
    made.assert_status(201);
    assert!(description["paths"]["/api/register"]["post"]["responses"].get("201").is_some());
    let signed_in = app.visitor().post("/api/login").without_csrf().json(&example("/api/login")).await;
    let token = signed_in.assert_ok().json::<Value>()["token"].as_str().expect("a token").to_owned();
    let client = app.visitor().with_header("authorization", &format!("Bearer {token}"));
    client.get("/api/me").await.assert_ok();
    let confirm = example("/api/password/confirm");
    client.post("/api/password/confirm").without_csrf().json(&confirm).await.assert_ok();
    let forgot = example("/api/password/forgot");
    app.visitor().post("/api/password/forgot").without_csrf().json(&forgot).await.assert_ok();
}

// spec: KEY-6
#[housekey::test]
async fn answers_hold_what_is_described_and_nothing_else(app: TestApp) {
    let description = description(&app).await;
    let token = sign_in(&app).await;
    let client = app.visitor().with_header("authorization", &format!("Bearer {token}"));
    let me: Value = client.get("/api/me").await.assert_ok().json();
    let described = &description["components"]["schemas"]["Profile"]["properties"];
    let names = |value: &Value| value.as_object().expect("fields").keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(&me["user"]), names(described));
    for secret in ["\"hash\"", "\"backupCodes\"", "\"accessToken\"", "\"refreshToken\""] {
        assert!(!description["components"].to_string().contains(secret), "{secret}");
    }
}

/// A program that reads the description knows what to send: a token, or an API key where one will do.
// spec: KEY-6, KEY-4
#[housekey::test]
async fn who_may_call_a_route_is_described_as_it_is(app: TestApp) {
    let description = description(&app).await;
    let schemes = &description["components"]["securitySchemes"];
    assert_eq!(schemes["x-api-key"]["in"], "header");
    assert_eq!(schemes["x-api-key"]["name"], "x-api-key");
    let ways = |method: &str| {
        let named = description["paths"]["/api/me"][method]["security"].as_array().expect("ways").iter();
        named.flat_map(|way| way.as_object().expect("a way").keys().cloned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(ways("get"), BTreeSet::from(["bearer".into(), "x-api-key".into()]));
    assert_eq!(ways("patch"), BTreeSet::from(["bearer".into()]));

    // What needs nothing named says so by answering, and what needs something by refusing.
    for (method, path, operation) in operations(&description).filter(|(_, path, _)| is_ours(path)) {
        let request = match method.as_str() {
            "GET" => app.visitor().get(path),
            "PATCH" => app.visitor().patch(path).without_csrf().json(&json!({})),
            _ => app.visitor().post(path).without_csrf().json(&json!({})),
        };
        let is_refused = request.await.status() == 401;
        assert_eq!(is_refused, operation.get("security").is_some(), "{method} {path}");
    }
}

// spec: KEY-6
#[housekey::test]
async fn production_describes_nothing_unless_it_is_told_to(app: TestApp) {
    let secret = "a secret of at least thirty-two characters";
    let production = app.with_env("AUTH_SECRET", secret).with_config(|config| {
        config.update::<AppConfig>(|app| {
            app.env = Environment::Production;
            app.url = "https://api.example".into();
        });
    });
    for path in ["/api/docs", "/api/openapi.json"] {
        production.get(path).await.assert_not_found();
    }
    production.get("/").await.assert_ok().assert_dont_see("/api/docs");

    let open = production.with_env("OPENAPI", "true");
    open.get("/api/docs").await.assert_ok();
    assert_eq!(description(&open).await["openapi"], "3.1.1");
}

async fn description(app: &TestApp) -> Value {
    app.get("/api/openapi.json").await.assert_ok().assert_header("content-type", "application/json").json()
}

fn operations(description: &Value) -> impl Iterator<Item = (String, &String, &Value)> {
    let paths = description["paths"].as_object().expect("paths").iter();
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").iter();
        methods.map(move |(method, operation)| (method.to_uppercase(), path, operation))
    })
}

/// Whether an address is one of this app's own; the engine's have tests where the engine is.
fn is_ours(path: &str) -> bool {
    !path.starts_with("/api/auth/")
}

async fn sign_in(app: &TestApp) -> String {
    app.within(UserFactory::create_with(record! { "email" => "ada@example.com" })).await.expect("a user");
    let body = json!({ "email": "ada@example.com", "password": UserFactory::PASSWORD });
    let answer: Value = app.visitor().post("/api/login").without_csrf().json(&body).await.assert_ok().json();
    answer["token"].as_str().expect("a token").to_owned()
}
