use housekey_engine::options::PasswordOptions;
use housekey_engine::storage::{Filter, Records};
use housekey_engine::{Engine, PasswordHasher, Record, SignIn, SignInEmail};
use http::{Method, StatusCode};
use serde_json::json;

use crate::support::{PASSWORD, TestEngine, options};

#[tokio::test]
// spec: ENG-1
async fn the_right_password_signs_in_and_everything_else_gives_one_answer() {
    let test = TestEngine::new(options());
    test.ada().await;
    let answer = test.browser().sign_in("Ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    let json = answer.json();
    assert_eq!((json["redirect"].as_bool(), json.get("url")), (Some(false), None));
    assert!(answer.cookie("session_token").is_some());

    let wrong = test
        .browser()
        .sign_in("ada@example.com", "wrong password")
        .await
        .refused(401, "INVALID_EMAIL_OR_PASSWORD");
    let unknown =
        test.browser().sign_in("bob@example.com", PASSWORD).await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    assert_eq!(wrong.body, unknown.body);
    let account = test.engine.schema().table("account").unwrap();
    test.storage
        .update(account, &Filter::all(), &Record::new().with("password", housekey_engine::Value::Null))
        .await
        .unwrap();
    let without =
        test.browser().sign_in("ada@example.com", PASSWORD).await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    assert_eq!(wrong.body, without.body);
}

#[tokio::test]
async fn what_is_no_address_or_too_long_is_refused_before_anything_is_looked_up() {
    let test = TestEngine::new(options());
    test.browser().sign_in("ada", PASSWORD).await.refused(400, "INVALID_EMAIL");
    test.browser().sign_in("ada@example.com", &"x".repeat(129)).await.refused(400, "PASSWORD_TOO_LONG");
}

#[tokio::test]
async fn a_callback_is_given_back_and_named_as_location() {
    let test = TestEngine::new(options());
    test.ada().await;
    let body = json!({ "email": "ada@example.com", "password": PASSWORD, "callbackURL": "/dashboard" });
    let answer = test.browser().post("/sign-in/email", body).await.assert(StatusCode::OK);
    assert_eq!(answer.header("location"), Some("/dashboard"));
    assert_eq!((&answer.json()["redirect"], &answer.json()["url"]), (&json!(true), &json!("/dashboard")));
}

#[tokio::test]
async fn refusals_are_the_same_in_a_database_with_hashes_of_both_kinds() {
    let mut legacy = options();
    legacy.email_and_password.password =
        PasswordOptions { hasher: PasswordHasher::BetterAuthScrypt, ..PasswordOptions::default() };
    let old = TestEngine::new(legacy);
    old.ada().await;
    let test = TestEngine { engine: Engine::build(options(), old.storage.clone()).unwrap(), ..old };
    test.browser().sign_up("bob@example.com").await.assert(StatusCode::OK);
    let mut bodies = Vec::new();
    for email in ["nobody@example.com", "ada@example.com", "bob@example.com", "nobody@example.com"] {
        let refused = test.browser().sign_in(email, "wrong password").await;
        bodies.push(refused.refused(401, "INVALID_EMAIL_OR_PASSWORD").body);
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
    test.browser().sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_form_can_sign_in() {
    let test = TestEngine::new(options());
    test.ada().await;
    let body = "email=ada%40example.com&password=correct+horse&rememberMe=false";
    let mut browser = test.browser();
    let answer = browser
        .send(Method::POST, "/sign-in/email", body.into(), Some("application/x-www-form-urlencoded"))
        .await;
    assert!(answer.assert(StatusCode::OK).cookie("dont_remember").is_some());
}

#[tokio::test]
async fn a_session_that_is_not_remembered_ends_with_the_browser_and_is_never_renewed() {
    let test = TestEngine::new(options());
    test.ada().await;
    let mut browser = test.browser();
    let body = json!({ "email": "ada@example.com", "password": PASSWORD, "rememberMe": false });
    let answer = browser.post("/sign-in/email", body).await.assert(StatusCode::OK);
    assert_eq!(answer.cookie("session_token").unwrap().attributes, "Path=/; HttpOnly; SameSite=Lax");
    assert!(answer.cookie("dont_remember").unwrap().value.starts_with("true."));
    test.advance(80_000);
    let answer = browser.get("/get-session").await;
    assert!(answer.json()["user"].is_object() && answer.cookies.is_empty());
    test.advance(10_000);
    assert_eq!(browser.session().await, json!(null));
}

#[tokio::test]
async fn signing_in_to_stay_forgets_that_one_did_not() {
    let test = TestEngine::new(options());
    test.ada().await;
    let mut browser = test.browser();
    let body = json!({ "email": "ada@example.com", "password": PASSWORD, "rememberMe": false });
    browser.post("/sign-in/email", body).await.assert(StatusCode::OK);
    let answer = browser.sign_in("ada@example.com", PASSWORD).await;
    assert!(answer.cookie("dont_remember").unwrap().is_cleared());
    assert!(answer.cookie("session_token").unwrap().attributes.starts_with("Max-Age=604800"));
}

#[tokio::test]
async fn an_unproven_address_is_refused_only_after_the_right_password() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.require_email_verification = true;
        options.email_verification.send_verification_email = mailbox.link("verify");
        options.email_verification.send_on_sign_in = true;
        options
    });
    test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    test.mailbox.take();
    test.browser()
        .sign_in("ada@example.com", "wrong password")
        .await
        .refused(401, "INVALID_EMAIL_OR_PASSWORD");
    assert!(test.mailbox.all().is_empty());
    test.browser().sign_in("ada@example.com", PASSWORD).await.refused(403, "EMAIL_NOT_VERIFIED");
    assert_eq!(test.mailbox.take().kind, "verify");
}

#[tokio::test]
async fn a_hash_of_the_reference_signs_in_and_is_replaced_by_ours() {
    let mut shared = options();
    shared.email_and_password.password =
        PasswordOptions { hasher: PasswordHasher::BetterAuthScrypt, ..PasswordOptions::default() };
    let javascript = TestEngine::new(shared);
    javascript.ada().await;
    let hash = javascript.rows("account").await[0].text("password").unwrap().to_owned();
    assert_eq!(hash.len(), 161);

    let test = TestEngine::new(options());
    test.ada().await;
    let account = test.engine.schema().table("account").unwrap();
    test.storage.update(account, &Filter::all(), &Record::new().with("password", hash)).await.unwrap();
    test.browser()
        .sign_in("ada@example.com", "wrong password")
        .await
        .refused(401, "INVALID_EMAIL_OR_PASSWORD");
    test.browser().sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert!(test.rows("account").await[0].text("password").unwrap().starts_with("$argon2id$"));
    test.browser().sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn more_hashing_than_the_engine_takes_on_is_503_with_a_time_to_come_back() {
    let mut options = options();
    options.email_and_password.password =
        PasswordOptions { threads: Some(1), queue: Some(1), ..PasswordOptions::default() };
    let test = TestEngine::new(options);
    let attempts = (0..12).map(|_| {
        let mut browser = test.browser();
        tokio::spawn(async move { browser.sign_in("ada@example.com", PASSWORD).await })
    });
    let attempts: Vec<_> = attempts.collect();
    let mut refused = 0;
    for attempt in attempts {
        let answer = attempt.await.unwrap();
        if answer.status == StatusCode::SERVICE_UNAVAILABLE {
            assert_eq!(answer.header("retry-after"), Some("1"));
            refused += 1;
        } else {
            answer.refused(401, "INVALID_EMAIL_OR_PASSWORD");
        }
    }
    assert!((1..12).contains(&refused), "{refused} of 12 were refused");
}

#[tokio::test]
async fn server_code_signs_in_with_the_same_function() {
    let test = TestEngine::new(options());
    test.ada().await;
    let mut api = test.engine.api();
    let input =
        SignInEmail { email: "ada@example.com".into(), password: PASSWORD.into(), ..Default::default() };
    let SignIn::Done(signed_in) = api.sign_in_email(input).await.unwrap() else {
        panic!("no challenge is configured")
    };
    let cookie = api.into_headers()["set-cookie"].to_str().unwrap().to_owned();
    let mut headers = http::HeaderMap::new();
    headers.insert("cookie", cookie.split(';').next().unwrap().parse().unwrap());
    let found = test.engine.session(&headers).await.unwrap().unwrap();
    assert_eq!(found.session.token, signed_in.session.token);
}
