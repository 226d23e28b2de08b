//! Cross-origin requests, through the kernel.

use crate::edge::{Answer, BootedApp, boot};
use housekey_http::HttpConfig;
use housekey_http::cors::CorsConfig;
use http::Method;

const FRIEND: &str = "https://app.example";
const STRANGER: &str = "https://evil.example";
const ALLOW_ORIGIN: &str = "access-control-allow-origin";
const ALLOW_CREDENTIALS: &str = "access-control-allow-credentials";

fn site(cors: CorsConfig) -> BootedApp {
    boot(|app| {
        app.configure(|config| config.update::<HttpConfig>(|http| http.cors = cors)).routes(|route| {
            route.get("/api/things", async || "things");
            route.put("/api/things", async || "changed").without_csrf();
            route.get("/page", async || "page");
            route.get("/api/own", async || ([("access-control-allow-origin", "https://own.example")], "own"));
        })
    })
}

fn friends() -> CorsConfig {
    CorsConfig { origins: vec![FRIEND.into()], credentials: true, ..Default::default() }
}

async fn from(app: &BootedApp, path: &str, origin: &str) -> Answer {
    app.get_with(path, &[("origin", origin)]).await
}

async fn ask_first(app: &BootedApp, path: &str, origin: &str, headers: &str) -> Answer {
    let asked = [
        ("origin", origin),
        ("access-control-request-method", "PUT"),
        ("access-control-request-headers", headers),
    ];
    app.ask(Method::OPTIONS, path, &asked).await
}

#[tokio::test]
async fn cors_is_off_until_an_origin_is_listed() {
    let app = site(CorsConfig::default());
    let answer = from(&app, "/api/things", FRIEND).await;
    assert_eq!((answer.header(ALLOW_ORIGIN), answer.header("vary")), ("", ""));
}

#[tokio::test]
async fn a_listed_origin_may_read_the_answer_and_send_cookies() {
    let answer = from(&site(friends()), "/api/things", FRIEND).await;
    assert_eq!(answer.text(), "things");
    assert_eq!(answer.header(ALLOW_ORIGIN), FRIEND);
    assert_eq!(answer.header(ALLOW_CREDENTIALS), "true");
    assert_eq!(answer.header("access-control-expose-headers"), "retry-after, x-request-id");
    assert_eq!(answer.list("vary"), "origin");
}

#[tokio::test]
async fn an_origin_that_only_resembles_a_listed_one_gets_nothing() {
    let app = site(friends());
    for origin in [
        STRANGER,
        "null",
        "http://app.example",
        "https://app.example.evil.example",
        "https://notapp.example",
        "https://app.example:8443",
        "https://app.example/",
        "https://APP.example",
        "",
    ] {
        let answer = from(&app, "/api/things", origin).await;
        assert_eq!((answer.header(ALLOW_ORIGIN), answer.header(ALLOW_CREDENTIALS)), ("", ""), "{origin}");
        assert_eq!(answer.list("vary"), "origin", "a cache must keep the answers apart");
        let question = ask_first(&app, "/api/things", origin, "content-type").await;
        assert_eq!(question.header(ALLOW_ORIGIN), "", "{origin}");
        assert_eq!(question.header("access-control-allow-methods"), "", "{origin}");
    }
    assert_eq!(app.get("/api/things").await.list("vary"), "origin");
}

#[tokio::test]
async fn the_question_before_a_call_is_answered_without_running_the_route() {
    let answer = ask_first(&site(friends()), "/api/things", FRIEND, "content-type, x-csrf-token").await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (204, 0));
    assert_eq!(answer.header(ALLOW_ORIGIN), FRIEND);
    assert_eq!(answer.header("access-control-allow-methods"), "GET, HEAD, POST, PUT, PATCH, DELETE");
    let headers = answer.header("access-control-allow-headers");
    assert!(headers.contains("content-type") && headers.contains("x-csrf-token"), "{headers}");
    assert_eq!(answer.header("access-control-max-age"), "600");
    assert_eq!(answer.list("vary"), "access-control-request-method, access-control-request-headers, origin");
}

#[tokio::test]
async fn any_origin_never_means_any_origin_with_cookies() {
    let any =
        CorsConfig { origins: vec!["*".into(), FRIEND.into()], credentials: true, ..Default::default() };
    let app = site(any);
    for origin in [STRANGER, "null"] {
        let answer = from(&app, "/api/things", origin).await;
        assert_eq!((answer.header(ALLOW_ORIGIN), answer.header(ALLOW_CREDENTIALS)), ("*", ""), "{origin}");
        assert_eq!(answer.list("vary"), "origin");
    }
    let friend = from(&app, "/api/things", FRIEND).await;
    assert_eq!((friend.header(ALLOW_ORIGIN), friend.header(ALLOW_CREDENTIALS)), (FRIEND, "true"));

    let open = site(CorsConfig { origins: vec!["*".into()], ..Default::default() });
    let answer = from(&open, "/api/things", STRANGER).await;
    assert_eq!((answer.header(ALLOW_ORIGIN), answer.list("vary").as_str()), ("*", ""));
}

#[tokio::test]
async fn a_listed_null_origin_gets_no_cookies() {
    let app = site(CorsConfig { origins: vec!["null".into()], credentials: true, ..Default::default() });
    let answer = from(&app, "/api/things", "null").await;
    assert_eq!((answer.header(ALLOW_ORIGIN), answer.header(ALLOW_CREDENTIALS)), ("null", ""));
}

#[tokio::test]
async fn only_the_listed_paths_are_open() {
    let app = site(friends());
    assert_eq!(from(&app, "/page", FRIEND).await.header(ALLOW_ORIGIN), "");
    assert_eq!(ask_first(&app, "/page", FRIEND, "").await.header(ALLOW_ORIGIN), "");
    let exact = site(CorsConfig { paths: vec!["/page".into()], ..friends() });
    assert_eq!(from(&exact, "/page", FRIEND).await.header(ALLOW_ORIGIN), FRIEND);
    assert_eq!(from(&exact, "/api/things", FRIEND).await.header(ALLOW_ORIGIN), "");
}

#[tokio::test]
async fn errors_can_be_read_too_and_a_routes_own_answer_stays() {
    let app = site(friends());
    let missing = from(&app, "/api/missing", FRIEND).await;
    assert_eq!((missing.status.as_u16(), missing.header(ALLOW_ORIGIN)), (404, FRIEND));
    assert_eq!(from(&app, "/api/own", FRIEND).await.list(ALLOW_ORIGIN), "https://own.example");
}

#[tokio::test]
async fn any_header_can_be_allowed() {
    let app = site(CorsConfig { headers: vec!["*".into()], ..friends() });
    let answer = ask_first(&app, "/api/things", FRIEND, "x-anything").await;
    assert_eq!(answer.header("access-control-allow-headers"), "x-anything");
}

// spec: KEY-4
#[tokio::test]
async fn a_page_of_a_listed_origin_may_send_an_api_key() {
    let answer = ask_first(&site(friends()), "/api/things", FRIEND, "x-api-key").await;
    assert!(answer.header("access-control-allow-headers").contains("x-api-key"));
}
