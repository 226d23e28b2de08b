//! The description of an API, through the crate that apps name: what typed routes say, and where it can be read.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(dead_code, reason = "the types are only described")]

mod routes;

use housekey::Config;
use housekey::auth::config::{AuthConfig, Plugins, api_key, bearer};
use housekey::openapi::OpenApiConfig;
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

fn app() -> TestApp {
    TestApp::new(|| with_plugins(Plugins::default).routes(routes::api))
}

fn with_plugins(plugins: fn() -> Plugins) -> App {
    housekey::app(ConfigFiles::new()).configure(move |config: &mut Config| {
        config.update::<AuthConfig>(|auth| auth.plugins = plugins());
    })
}

async fn document(app: &TestApp) -> Value {
    app.get("/api/openapi.json").await.assert_ok().json()
}

// spec: KEY-6
#[tokio::test]
async fn a_body_is_described_by_its_type_and_its_rules() {
    let document = document(&app()).await;
    let operation = &document["paths"]["/api/password"]["put"];
    let content = &operation["requestBody"]["content"];
    assert_eq!(
        content["application/json"]["schema"],
        json!({ "$ref": "#/components/schemas/PasswordRequest" })
    );
    assert!(content.get("application/x-www-form-urlencoded").is_some());

    let schema = &document["components"]["schemas"]["PasswordRequest"];
    assert_eq!(schema["description"], "Another password for the account.");
    assert_eq!(schema["required"], json!(["current_password", "password", "password_confirmation"]));
    let fields = &schema["properties"];
    assert_eq!(
        fields["password"],
        json!({ "type": "string", "format": "password", "minLength": 8, "description": "Typed twice." })
    );
    assert!(fields["sign_out_others"].to_string().contains("boolean"));
    assert_eq!(fields["note"], json!({ "type": ["string", "null"], "maxLength": 200 }));
    assert_eq!(fields["password_confirmation"]["minLength"], 8);
}

// spec: KEY-6
#[tokio::test]
async fn an_answer_is_described_by_its_type_and_what_it_hides_is_not() {
    let document = document(&app()).await;
    let answer = &document["paths"]["/api/people"]["get"]["responses"]["200"]["content"]["application/json"];
    assert_eq!(answer["schema"], json!({ "$ref": "#/components/schemas/Page.Profile" }));
    let schemas = &document["components"]["schemas"];
    assert_eq!(
        schemas["Page.Profile"]["properties"]["items"],
        json!({ "type": "array", "items": { "$ref": "#/components/schemas/Profile" } })
    );
    let profile = &schemas["Profile"];
    assert_eq!(profile["required"], json!(["fullName", "image", "role"]));
    assert_eq!(schemas["Role"], json!({ "enum": ["owner", "member"] }));
    assert!(!document.to_string().contains("password_hash"));
}

// spec: KEY-6
#[tokio::test]
async fn paths_and_queries_are_described_by_their_types() {
    let document = document(&app()).await;
    let query = &document["paths"]["/api/people"]["get"]["parameters"];
    assert_eq!(query[0]["name"], "q");
    assert_eq!((&query[0]["in"], &query[0]["required"]), (&json!("query"), &json!(false)));
    let path = &document["paths"]["/api/teams/{team}/posts/{post}"]["delete"]["parameters"];
    assert_eq!(
        path[0],
        json!({ "name": "team", "in": "path", "required": true, "schema": { "type": "string" } })
    );
    assert_eq!(path[1]["schema"]["type"], "number");
}

// spec: KEY-6
#[tokio::test]
async fn what_the_route_itself_says_is_in_there() {
    let app = TestApp::new(|| with_plugins(|| [bearer(default())].into()).routes(routes::api));
    let document = document(&app).await;
    let operation = &document["paths"]["/api/notes"]["post"];
    assert_eq!(operation["summary"], "Keep a note");
    assert_eq!(operation["description"], "Its title is the only one of its kind.");
    assert_eq!((&operation["tags"], &operation["operationId"]), (&json!(["Notes"]), &json!("notes.store")));
    assert_eq!(operation["responses"]["409"]["description"], "There is a note of this title.");
    let statuses: Vec<_> = operation["responses"].as_object().unwrap().keys().collect();
    assert_eq!(statuses, ["201", "401", "409", "422", "429"]);
    // Cookies do not count where nobody asks for the token of the session.
    assert_eq!(operation["security"], json!([{ "bearer": [] }]));
    // It looks at a password, not at who is there.
    assert!(document["paths"]["/api/password"]["put"].get("security").is_none());
}

// spec: KEY-6, KEY-4
#[tokio::test]
async fn a_guard_says_how_whoever_asks_may_be_known() {
    let app = TestApp::new(|| {
        with_plugins(|| [api_key(default())].into()).routes(|route| {
            route.group().prefix("/api").typed(|route| {
                route.get("/people", async || Json(1_u32)).middleware("auth");
                route.get("/keys", async || Json(1_u32)).middleware("auth:api-key");
                route.get("/both", async || Json(1_u32)).middleware("auth:session,api-key");
                route.get("/allowed", async || Json(1_u32)).middleware("api-key:project.read");
            });
            route.group().prefix("/api/programs").without_csrf().typed(|route| {
                route.get("/both", async || Json(1_u32)).middleware("auth:session,api-key");
            });
        })
    });
    let document = document(&app).await;
    for (path, ways) in [
        ("/api/people", json!([{ "session": [] }])),
        ("/api/keys", json!([{ "x-api-key": [] }])),
        ("/api/both", json!([{ "session": [] }, { "x-api-key": [] }])),
        ("/api/allowed", json!([{ "x-api-key": [] }])),
        // A cookie would be no use there.
        ("/api/programs/both", json!([{ "x-api-key": [] }])),
    ] {
        assert_eq!(document["paths"][path]["get"]["security"], ways, "{path}");
    }
}

// spec: KEY-6
#[tokio::test]
async fn routes_that_are_not_typed_are_not_described_and_the_engines_are() {
    let document = document(&app()).await;
    let paths = document["paths"].as_object().unwrap();
    assert!(!paths.contains_key("/webhook") && !paths.contains_key("/api/docs"));
    assert_eq!(paths["/api/auth/get-session"]["get"]["operationId"], "getSession");
    assert!(document["components"]["schemas"].get("AuthUser").is_some());
    assert!(!paths.keys().any(|path| path.contains("fallback")));
}

// spec: KEY-6
#[tokio::test]
async fn the_page_shows_it_and_escapes_what_it_shows() {
    let app = app();
    let page = app.get("/api/docs").await;
    page.assert_ok().assert_header("content-type", "text/html; charset=utf-8").assert_no_header("set-cookie");
    let text = page.text();
    assert!(text.contains("Keep a note") && text.contains("/api/teams/{team}/posts/{post}"));
    assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !text.contains("<script"), "{text}");
    assert!(!text.contains(" style=") && !text.contains("http://") && !text.contains("https://"));
    let policy = page.header("content-security-policy").unwrap();
    let nonce = text.split("<style nonce=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(policy.contains(&format!("'nonce-{nonce}'")) && !policy.contains("unsafe-inline"), "{policy}");
}

// spec: KEY-6
#[tokio::test]
async fn production_answers_404_unless_it_is_told_to_describe_itself() {
    let production = app().with_config(|config| {
        config.update::<AppConfig>(|app| {
            app.env = Environment::Production;
            app.url = "https://shop.example".into();
        });
        config.update::<AuthConfig>(|auth| {
            auth.engine.secret = "a secret of at least thirty-two characters".into();
        });
    });
    for path in ["/api/docs", "/api/openapi.json"] {
        production.get(path).await.assert_not_found();
    }
    production.with_env("OPENAPI", "true").get("/api/docs").await.assert_ok();
    let told = production.with_config(|config| {
        config.update::<OpenApiConfig>(|openapi| {
            openapi.enabled = Some(true);
            openapi.page = "/developers".into();
        });
    });
    told.get("/developers").await.assert_ok();
    told.get("/api/docs").await.assert_not_found();
    assert_eq!(document(&told).await["servers"][0]["url"], "https://shop.example");
}
