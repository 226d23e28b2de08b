//! By what somebody signed in last, through the front door.

use crate::support::{Answer, PASSWORD, SetCookie, TestEngine, options};
use housekey_engine::options::CookieCache;
use housekey_engine::plugins::last_login_method::{LastLoginMethodOptions, Login, last, last_login_method};
use housekey_engine::plugins::two_factor::{TwoFactorOptions, totp_code};
use housekey_engine::plugins::{AnonymousOptions, anonymous, two_factor, username};
use housekey_engine::{ApiError, Callback, Endpoint, Engine, Plugin, Reply};
use http::StatusCode;
use serde_json::{Value, json};

const ADA: &str = "ada@example.com";
const COOKIE: &str = "better-auth.last_used_login_method";

fn test_engine() -> TestEngine {
    with(LastLoginMethodOptions::default())
}

fn with(last: LastLoginMethodOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options()).plugins([last_login_method(last)]))
}

fn stored() -> LastLoginMethodOptions {
    LastLoginMethodOptions { store_in_database: true, ..LastLoginMethodOptions::default() }
}

fn told(answer: &Answer) -> Option<&SetCookie> {
    answer.cookies.iter().find(|cookie| cookie.name == COOKIE)
}

/// A plugin that signs Ada in by a method.
fn door(path: &'static str, method: &'static str, provider: Option<&'static str>) -> Plugin {
    Plugin::new(path).endpoint(Endpoint::post(path, move |api| {
        Box::pin(async move {
            api.set_sign_in_method(method);
            if let Some(provider) = provider {
                api.set_sign_in_provider(provider);
            }
            let user = api.user_by_email(ADA).await?.unwrap();
            api.sign_in_user(user, None).await?;
            Reply::json(&())
        })
    }))
}

#[tokio::test]
// spec: KEY-1
async fn a_cookie_that_scripts_can_read_tells_it() {
    let test = test_engine();
    let mut browser = test.browser();
    let signed_up = browser.sign_up(ADA).await.assert(StatusCode::OK);
    let cookie = told(&signed_up).unwrap();
    assert_eq!(
        (cookie.value.as_str(), cookie.attributes.as_str()),
        ("email", "Max-Age=2592000; Path=/; SameSite=Lax")
    );
    let signed_in = test.browser().sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(told(&signed_in).unwrap().value, "email");
    assert!(signed_in.cookie("session_token").unwrap().attributes.contains("HttpOnly"));
    browser.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert_eq!(browser.cookies[COOKIE], "email", "it outlives the session");
    assert_eq!(last(&test.engine.api_for(&browser.cookie_header())).as_deref(), Some("email"));
}

#[tokio::test]
async fn who_is_not_let_in_used_nothing() {
    let test = test_engine();
    test.ada().await;
    let refused = test.browser().sign_in(ADA, "wrong password").await;
    assert!(told(&refused).is_none());
    let mut ada = test.browser();
    ada.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    assert!(told(&ada.get("/get-session").await).is_none());
    assert!(told(&ada.post("/update-user", json!({ "name": "A" })).await).is_none());
}

#[tokio::test]
// spec: KEY-1
async fn methods_have_the_names_that_the_reference_gives_them() {
    let plugins = [
        last_login_method(LastLoginMethodOptions::default()),
        username(Default::default()),
        anonymous(AnonymousOptions::default()),
        door("/by-google", "social", Some("google")),
        door("/by-passkey", "passkey", None),
        door("/by-link", "magic-link", None),
        door("/by-code", "email-otp", None),
    ];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let body = json!({ "name": "A", "email": ADA, "password": PASSWORD, "username": "ada" });
    test.browser().post("/sign-up/email", body).await.assert(StatusCode::OK);
    for (path, method) in [
        ("/by-google", Some("google")),
        ("/by-passkey", Some("passkey")),
        ("/by-link", Some("magic-link")),
        ("/by-code", Some("email-otp")),
        ("/sign-in/username", Some("username")),
        ("/sign-in/anonymous", None),
    ] {
        let body = json!({ "username": "ada", "password": PASSWORD });
        let answer = test.browser().post(path, body).await.assert(StatusCode::OK);
        assert_eq!(told(&answer).map(|cookie| cookie.value.as_str()), method, "{path}");
    }
}

/// With a second factor it is the first that counts, and not before the second was passed.
#[tokio::test]
// spec: KEY-2
async fn a_second_factor_is_not_what_somebody_signed_in_by() {
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let plugins = [two_factor(at_once), last_login_method(stored())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    test.ada().await.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    let mut browser = test.browser();
    let asked = browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    assert!(told(&asked).is_none());
    let api = test.engine.api();
    let user = api.user_by_email(ADA).await.unwrap().unwrap();
    let code = totp_code(&api, &user).await.unwrap();
    let passed =
        browser.post("/two-factor/verify-totp", json!({ "code": code })).await.assert(StatusCode::OK);
    assert_eq!(told(&passed).unwrap().value, "email");
    assert!(!browser.cookies.contains_key("better-auth.login_method"));
}

#[tokio::test]
async fn it_can_be_kept_with_the_user() {
    let mut options = options();
    options.session.cookie_cache = CookieCache { enabled: true, ..CookieCache::default() };
    let plugins = [last_login_method(stored()), door("/by-passkey", "passkey", None)];
    let test = TestEngine::new(Engine::builder(options).plugins(plugins));
    let mut browser = test.browser();
    let signed_up = browser.sign_up(ADA).await.assert(StatusCode::OK);
    assert_eq!(signed_up.json()["user"]["lastLoginMethod"], "email");
    browser.post("/by-passkey", json!({})).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["lastLoginMethod"], "passkey", "the copy in the cookie knows");
    assert_eq!(test.rows("user").await[0].text("lastLoginMethod"), Some("passkey"));
    browser.post("/update-user", json!({ "lastLoginMethod": "x" })).await.refused(400, "FIELD_NOT_ALLOWED");
}

#[tokio::test]
async fn an_app_can_name_methods_itself() {
    let named = LastLoginMethodOptions {
        cookie_name: "last".into(),
        max_age: 60,
        resolve_method: Callback::new(|login: Login| async move {
            Ok::<_, ApiError>((login.method == Some("password")).then(|| "secret word".to_owned()))
        }),
        ..LastLoginMethodOptions::default()
    };
    let test = with(named);
    let answer = test.browser().sign_up(ADA).await;
    let cookie = answer.cookies.iter().find(|cookie| cookie.name == "last").unwrap();
    assert_eq!(cookie.value, "secret%20word");
    assert!(cookie.attributes.starts_with("Max-Age=60;"), "{cookie:?}");
}

#[tokio::test]
async fn what_a_browser_says_is_taken_for_a_name_at_most() {
    let test = test_engine();
    let mut browser = test.browser();
    for (said, taken) in [("google", true), ("%3Cscript%3E", false), ("a%20b", false), ("", false)] {
        browser.cookies.insert(COOKIE.into(), said.into());
        assert_eq!(last(&test.engine.api_for(&browser.cookie_header())).is_some(), taken, "{said}");
    }
    browser.cookies.insert(COOKIE.into(), "a".repeat(65));
    assert_eq!(last(&test.engine.api_for(&browser.cookie_header())), None);
}

/// A cookie of ours that was signed for another purpose does not name a method.
#[tokio::test]
async fn only_what_was_signed_as_a_method_is_one() {
    let plugins = [
        last_login_method(stored()),
        Plugin::new("door").endpoint(Endpoint::post("/silent", |api| {
            Box::pin(async move {
                let user = api.user_by_email(ADA).await?.unwrap();
                api.sign_in_user(user, None).await?;
                Reply::json(&())
            })
        })),
    ];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let ada = test.ada().await;
    let mut browser = test.browser();
    for planted in [ada.cookies["better-auth.session_token"].clone(), "login-method!admin".into()] {
        browser.cookies.insert("better-auth.login_method".into(), planted);
        let answer = browser.post("/silent", json!({})).await.assert(StatusCode::OK);
        assert!(told(&answer).is_none());
    }
    assert_eq!(json!(test.rows("user").await[0].text("lastLoginMethod")), Value::from("email"));
}

#[tokio::test]
async fn a_sign_in_that_was_given_up_does_not_name_the_next_one() {
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let plugins = [last_login_method(Default::default()), two_factor(at_once), username(Default::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let bob = json!({ "name": "Bob", "email": "bob@example.com", "password": PASSWORD, "username": "bob" });
    test.browser().post("/sign-up/email", bob).await.assert(StatusCode::OK);
    let enable = json!({ "password": PASSWORD });
    test.ada().await.post("/two-factor/enable", enable).await.assert(StatusCode::OK);
    let mut browser = test.browser();
    let asked = browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    assert!(asked.json()["twoFactorRedirect"] == true && told(&asked).is_none());
    let body = json!({ "username": "bob", "password": PASSWORD });
    let answer = browser.post("/sign-in/username", body).await.assert(StatusCode::OK);
    assert_eq!(told(&answer).unwrap().value, "username");
}
