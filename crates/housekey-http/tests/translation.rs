//! The visitor's language, through the kernel.

use axum::body::Body;
use housekey_core::translation::{Locale, t};
use housekey_core::{AppConfig, ConfigFile, ConfigFiles, Env, Environment};
use housekey_http::{App, Routes, TranslationProvider, axum};
use http::Request;
use http_body_util::BodyExt as _;
use tower_service::Service as _;

fn web(route: &mut Routes) {
    route.get("/", async || t("Sign in"));
    route.get("/dutch", async || {
        Locale::new("nl").apply();
        t("Sign in")
    });
}

async fn ask(lang: &str, path: &str, accept: Option<&str>) -> String {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("lang")).unwrap();
    std::fs::write(root.path().join("lang/de.json"), lang).unwrap();
    std::fs::write(root.path().join("lang/nl.json"), r#"{"Sign in": "Inloggen"}"#).unwrap();
    let files = ConfigFiles::new().with(ConfigFile::new("app", "config/app.rs", || AppConfig {
        env: Environment::Testing,
        ..AppConfig::default()
    }));
    let app = App::new(files).root(root.path()).env(Env::empty()).provider(TranslationProvider).routes(web);
    let mut request = Request::get(path);
    if let Some(accept) = accept {
        request = request.header("accept-language", accept);
    }
    let mut kernel = app.boot().unwrap().kernel();
    let answer = kernel.call(request.body(Body::empty()).unwrap()).await.unwrap();
    String::from_utf8(answer.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

const GERMAN: &str = r#"{"Sign in": "Anmelden"}"#;

#[tokio::test]
async fn a_visitor_is_answered_in_the_best_language_there_is() {
    assert_eq!(ask(GERMAN, "/", Some("fr, de-AT;q=0.8, nl;q=0.5")).await, "Anmelden");
    assert_eq!(ask(GERMAN, "/", Some("en-GB, de;q=0.5")).await, "Sign in");
    assert_eq!(ask(GERMAN, "/", Some("ja")).await, "Sign in");
    assert_eq!(ask(GERMAN, "/", None).await, "Sign in");
}

#[tokio::test]
async fn what_the_app_chose_wins_over_what_the_browser_asked_for() {
    assert_eq!(ask(GERMAN, "/dutch", Some("de")).await, "Inloggen");
}

// spec: NTF-6
#[tokio::test]
async fn a_sentence_without_a_translation_stays_english() {
    assert_eq!(ask("{}", "/", Some("de")).await, "Sign in");
}
