//! A captcha before endpoints, with a host on this machine that plays the provider.

pub(crate) mod host;

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Answer, Browser, PASSWORD, TestEngine, options};
use host::{Host, Silent};
use housekey_engine::http_client::HttpClient;
use housekey_engine::options::{LinkMail, Shared};
use housekey_engine::plugins::captcha::{self, CaptchaOptions, CaptchaProvider, WhenUnavailable};
use housekey_engine::plugins::email_otp::{EmailOtpMail, EmailOtpOptions, email_otp};
use housekey_engine::plugins::magic_link::{MagicLinkMail, MagicLinkOptions, magic_link};
use housekey_engine::plugins::{anonymous, username};
use housekey_engine::{ApiError, Callback, Engine, MemoryStorage};
use housekey_test_support::ClosedPort;
use http::StatusCode;
use serde_json::json;
use tokio::time::Instant;

const RESPONSE: &str = "what-the-widget-said";

fn turnstile(host: &Host) -> CaptchaOptions {
    at(host, CaptchaOptions::turnstile("the-secret"))
}

fn at(host: &Host, options: CaptchaOptions) -> CaptchaOptions {
    CaptchaOptions {
        site_verify_url: Some(host.url("/siteverify")),
        allow_private_addresses: true,
        ..options
    }
}

fn with(captcha: CaptchaOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options()).plugins([captcha::captcha(captcha)]))
}

fn showing(browser: &mut Browser, response: &str) {
    browser.headers.insert("x-captcha-response", response.parse().unwrap());
}

async fn sign_up(test: &TestEngine) -> Answer {
    let mut browser = test.browser();
    showing(&mut browser, RESPONSE);
    browser.sign_up("ada@example.com").await
}

// spec: KEY-1
#[tokio::test]
async fn whoever_the_provider_believes_gets_further() {
    let host = Host::answering(r#"{"success":true}"#).await;
    let test = with(turnstile(&host));
    sign_up(&test).await.assert(StatusCode::OK);
    let mut browser = test.browser();
    showing(&mut browser, RESPONSE);
    browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(host.asked().len(), 2, "once for every request");
}

#[tokio::test]
async fn whoever_the_provider_does_not_believe_gets_nowhere() {
    for body in [
        r#"{"success":false,"error-codes":["timeout-or-duplicate"]}"#,
        "{}",
        r#"{"success":"true"}"#,
        r#"{"success":1}"#,
        r#"{"success":null}"#,
    ] {
        let host = Host::answering(body).await;
        let test = with(turnstile(&host));
        sign_up(&test).await.refused(403, "VERIFICATION_FAILED");
        assert!(test.rows("user").await.is_empty(), "{body}");
    }
}

#[tokio::test]
async fn a_request_without_a_response_is_refused_and_nobody_is_asked() {
    let host = Host::answering(r#"{"success":true}"#).await;
    let test = with(turnstile(&host));
    test.browser().sign_up("ada@example.com").await.refused(400, "MISSING_RESPONSE");
    let mut browser = test.browser();
    showing(&mut browser, "");
    browser.sign_up("ada@example.com").await.refused(400, "MISSING_RESPONSE");
    showing(&mut browser, &"x".repeat(16 * 1024 + 1));
    browser.sign_up("ada@example.com").await.refused(403, "VERIFICATION_FAILED");
    // Before the body is looked at.
    test.browser().post("/sign-up/email", json!({})).await.refused(400, "MISSING_RESPONSE");
    assert!(host.asked().is_empty());
}

#[tokio::test]
async fn it_stands_before_the_endpoints_that_the_options_name() {
    let host = Host::answering(r#"{"success":true}"#).await;
    let test = with(turnstile(&host));
    test.browser().get("/get-session").await.assert(StatusCode::OK);
    let reset = json!({ "email": "ada@example.com" });
    let answer = test.browser().post("/request-password-reset", reset).await;
    assert!(answer.status == StatusCode::NOT_FOUND || answer.json()["code"] == "MISSING_RESPONSE");
    let test = with(CaptchaOptions { endpoints: vec!["/sign-**".into()], ..turnstile(&host) });
    test.browser().sign_up("ada@example.com").await.refused(400, "MISSING_RESPONSE");
    test.browser().post("/sign-out", json!({})).await.refused(400, "MISSING_RESPONSE");
    test.browser().get("/get-session").await.assert(StatusCode::OK);
    // A path that is written in another way is another path, and leads nowhere.
    for path in
        ["/sign-up//email", "//sign-up/email", "/sign-up/email/", "/sign-up/./email", "/%73ign-up/email"]
    {
        let body = json!({ "name": "Ada", "email": "ada@example.com", "password": PASSWORD });
        let status = test.browser().post(path, body).await.status;
        assert!(status == StatusCode::NOT_FOUND || status == StatusCode::BAD_REQUEST, "{path}: {status}");
    }
    assert!(test.rows("user").await.is_empty());
}

#[tokio::test]
async fn each_provider_is_asked_in_its_own_way() {
    let host = Host::answering(r#"{"success":true}"#).await;
    let ask = async |captcha: CaptchaOptions| {
        let test = with(at(&host, captcha));
        let mut browser = test.browser();
        browser.headers.insert("x-forwarded-for", "203.0.113.7".parse().unwrap());
        showing(&mut browser, "a b&c");
        browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        host.asked().pop().unwrap()
    };
    let turnstile = ask(CaptchaOptions::turnstile("s&s")).await;
    assert!(turnstile.starts_with("POST /siteverify HTTP/1.1") && turnstile.contains("application/json"));
    let (_, body) = turnstile.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body, json!({ "secret": "s&s", "response": "a b&c", "remoteip": "203.0.113.7" }));

    let hcaptcha = CaptchaOptions { site_key: Some("site".into()), ..CaptchaOptions::hcaptcha("s&s") };
    let asked = ask(hcaptcha).await;
    assert!(asked.contains("application/x-www-form-urlencoded"));
    assert!(
        asked.ends_with("\r\n\r\nsecret=s%26s&response=a+b%26c&sitekey=site&remoteip=203.0.113.7"),
        "{asked}"
    );
    let asked = ask(CaptchaOptions::recaptcha("s&s")).await;
    assert!(asked.ends_with("\r\n\r\nsecret=s%26s&response=a+b%26c&remoteip=203.0.113.7"), "{asked}");
}

#[tokio::test]
async fn recaptcha_v3_must_think_well_enough_of_a_visitor_and_v2_says_nothing() {
    let host = Host::answering("").await;
    let test = with(at(&host, CaptchaOptions::recaptcha("the-secret")));
    for (score, status) in [("0.49", 403), ("0", 403), ("-1", 403), ("0.5", 200)] {
        host.say(200, &format!(r#"{{"success":true,"score":{score}}}"#));
        assert_eq!(sign_up(&test).await.status.as_u16(), status, "{score}");
    }
    let strict = with(at(&host, CaptchaOptions { min_score: 0.9, ..CaptchaOptions::recaptcha("s") }));
    host.say(200, r#"{"success":true,"score":0.8}"#);
    sign_up(&strict).await.refused(403, "VERIFICATION_FAILED");
    host.say(200, r#"{"success":true}"#);
    sign_up(&strict).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_response_for_another_host_or_action_is_refused() {
    let host = Host::answering("").await;
    for options in [CaptchaOptions::turnstile("s"), CaptchaOptions::recaptcha("s")] {
        let test = with(at(
            &host,
            CaptchaOptions {
                expected_action: Some("sign-up".into()),
                allowed_hostnames: vec!["app.example".into()],
                ..options
            },
        ));
        for body in [
            r#"{"success":true,"hostname":"app.example"}"#,
            r#"{"success":true,"hostname":"app.example","action":"other"}"#,
            r#"{"success":true,"action":"sign-up"}"#,
            r#"{"success":true,"action":"sign-up","hostname":"evil.example"}"#,
            r#"{"success":true,"action":"sign-up","hostname":"app.example.evil.example"}"#,
            r#"{"success":true,"action":["sign-up"],"hostname":["app.example"]}"#,
        ] {
            host.say(200, body);
            sign_up(&test).await.refused(403, "VERIFICATION_FAILED");
        }
        host.say(200, r#"{"success":true,"action":"sign-up","hostname":"app.example"}"#);
        sign_up(&test).await.assert(StatusCode::OK);
    }
}

/// Answers of a provider that is broken, or not the provider.
fn hostile() -> Vec<String> {
    let long = "x".repeat(2 * 1024 * 1024);
    vec![
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n<html>\n\n\n".into(),
        "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".into(),
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]".into(),
        "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n[true]".into(),
        "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"success\":true}".into(),
        "HTTP/1.1 302 Found\r\nlocation: /yes\r\ncontent-length: 16\r\n\r\n{\"success\":true}".into(),
        "HTTP/1.1 500 Oops\r\ncontent-length: 16\r\n\r\n{\"success\":true}".into(),
        "HTTP/1.1 404 No\r\ncontent-length: 16\r\n\r\n{\"success\":true}".into(),
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{long}", long.len()),
        format!("HTTP/1.1 200 OK\r\nx: {long}\r\n\r\n"),
        "nonsense\r\n\r\n".into(),
        // Nothing at all.
        String::new(),
    ]
}

#[tokio::test]
async fn while_the_provider_cannot_be_asked_nobody_gets_further() {
    let host = Host::answering("").await;
    let test = with(CaptchaOptions { timeout: Duration::from_secs(3), ..turnstile(&host) });
    for answer in hostile() {
        host.send(&answer);
        let refused = sign_up(&test).await.refused(500, "UNKNOWN_ERROR");
        assert_eq!(refused.json()["message"], "Something went wrong");
    }
    assert!(test.rows("user").await.is_empty());
    let closed = ClosedPort::take().unwrap();
    let url = format!("http://{}/", closed.address());
    let gone = CaptchaOptions { site_verify_url: Some(url), ..turnstile(&host) };
    sign_up(&with(gone)).await.refused(500, "UNKNOWN_ERROR");
}

#[tokio::test]
async fn while_the_provider_cannot_be_asked_everybody_gets_further_where_the_options_say_so() {
    let host = Host::answering("").await;
    let open = CaptchaOptions {
        when_unavailable: WhenUnavailable::Allow,
        timeout: Duration::from_secs(3),
        ..turnstile(&host)
    };
    for answer in hostile() {
        host.send(&answer);
        sign_up(&with(open.clone())).await.assert(StatusCode::OK);
    }
    // What it says, it says all the same.
    host.say(200, r#"{"success":false}"#);
    sign_up(&with(open.clone())).await.refused(403, "VERIFICATION_FAILED");
    with(open).browser().sign_up("ada@example.com").await.refused(400, "MISSING_RESPONSE");
}

#[tokio::test]
async fn a_host_of_one_s_own_network_is_asked_only_when_that_is_allowed() {
    let host = Host::answering(r#"{"success":true}"#).await;
    let closed = CaptchaOptions { allow_private_addresses: false, ..turnstile(&host) };
    sign_up(&with(closed)).await.refused(500, "UNKNOWN_ERROR");
    assert!(host.asked().is_empty());
}

#[tokio::test]
async fn server_code_asks_for_a_form_of_its_own() {
    let host = Host::answering(r#"{"success":true}"#).await;
    let test = with(turnstile(&host));
    let api = test.engine.api();
    captcha::check(&api, Some(RESPONSE), "203.0.113.7".parse().ok()).await.unwrap();
    assert!(host.asked()[0].contains("203.0.113.7"));
    assert!(captcha::check(&api, None, None).await.unwrap_err().is(captcha::MISSING_RESPONSE));
    host.say(200, "{}");
    assert!(captcha::check(&api, Some(RESPONSE), None).await.unwrap_err().is(captcha::VERIFICATION_FAILED));
    assert_eq!(CaptchaProvider::CloudflareTurnstile.form_field(), "cf-turnstile-response");
}

#[test]
fn an_engine_with_a_captcha_and_no_secret_is_not_built() {
    let builder = Engine::builder(options()).plugins([captcha::captcha(CaptchaOptions::default())]);
    let error = builder.build(MemoryStorage::new()).unwrap_err();
    assert!(error.to_string().contains("secret key"), "{error}");
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_line_of_the_log_holds_a_response_or_the_secret() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let host = Host::answering(r#"{"success":false,"error-codes":["what-the-widget-said"]}"#).await;
    let test = with(CaptchaOptions { timeout: Duration::from_secs(3), ..turnstile(&host) });
    sign_up(&test).await.refused(403, "VERIFICATION_FAILED");
    host.say(200, RESPONSE);
    sign_up(&test).await.refused(500, "UNKNOWN_ERROR");
    host.send("");
    sign_up(&test).await.refused(500, "UNKNOWN_ERROR");
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(
        text.contains("a captcha was refused") && text.contains("a captcha could not be checked"),
        "{text}"
    );
    assert!(!text.contains(RESPONSE) && !text.contains("the-secret"), "{text}");
    assert!(!format!("{:?}", turnstile(&host)).contains("the-secret"));
}

/// A door beside a guarded one that leads to the same room.
#[tokio::test]
// spec: KEY-2
async fn it_stands_before_the_doors_of_other_plugins_too() {
    let host = Host::answering(r#"{"success":true}"#).await;
    let send_magic_link = Callback::new(|_: MagicLinkMail| async { Ok::<_, ApiError>(()) });
    let send_verification_otp = Callback::new(|_: EmailOtpMail| async { Ok::<_, ApiError>(()) });
    let mut options = options();
    options.email_and_password.send_reset_password =
        Callback::new(|_: LinkMail| async { Ok::<_, ApiError>(()) });
    options.email_verification.send_verification_email =
        Callback::new(|_: LinkMail| async { Ok::<_, ApiError>(()) });
    let plugins = [
        captcha::captcha(turnstile(&host)),
        username(Default::default()),
        anonymous(Default::default()),
        magic_link(MagicLinkOptions { send_magic_link, ..Default::default() }),
        email_otp(EmailOtpOptions { send_verification_otp, ..Default::default() }),
    ];
    let test = TestEngine::new(Engine::builder(options).plugins(plugins));
    let body = json!({
        "name": "Ada", "email": "ada@example.com", "username": "ada", "password": PASSWORD, "type": "sign-in", "otp": "123456",
    });
    for path in [
        "/sign-up/email",
        "/sign-in/email",
        "/request-password-reset",
        "/sign-in/username",
        "/sign-in/magic-link",
        "/sign-in/email-otp",
        "/sign-in/anonymous",
        "/email-otp/send-verification-otp",
        "/email-otp/request-password-reset",
        "/forget-password/email-otp",
        "/send-verification-email",
    ] {
        let answer = test.browser().post(path, body.clone()).await;
        assert_eq!(answer.json()["code"], "MISSING_RESPONSE", "{path}: {answer:?}");
    }
    assert!(test.rows("user").await.is_empty());
}

#[test]
fn a_pattern_that_stands_before_nothing_is_refused_when_the_engine_is_built() {
    let problem = |pattern: &str| {
        let endpoints = vec!["/sign-in/email".to_owned(), pattern.to_owned()];
        let captcha = captcha::captcha(CaptchaOptions { endpoints, ..CaptchaOptions::turnstile("s") });
        let built = Engine::builder(options()).plugins([captcha]).build(MemoryStorage::new());
        built.err().map(|error| error.to_string()).unwrap_or_default()
    };
    for pattern in
        ["*", "/sign-in/emial", "/api/auth/sign-in/email", "sign-in/email", "/sign-in/email/", "/x/**"]
    {
        let told = problem(pattern);
        assert!(told.contains(&format!("`{pattern}`")) && told.contains("captcha"), "{pattern}: {told}");
    }
    for pattern in ["/sign-up/email", "/sign-*", "/sign-in/*", "**", "/get-session"] {
        assert_eq!(problem(pattern), "", "{pattern}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_of_the_app_s_own_that_never_comes_back_is_not_waited_for() {
    let http_client = Shared::new(Arc::new(Silent) as Arc<dyn HttpClient>);
    let test = with(CaptchaOptions { http_client, ..CaptchaOptions::turnstile("the-secret") });
    let asked_at = Instant::now();
    sign_up(&test).await.refused(500, "UNKNOWN_ERROR");
    assert!(asked_at.elapsed() < Duration::from_secs(11), "{:?}", asked_at.elapsed());
}
