//! How often one account may be guessed at and written to, whoever asks and from wherever.

use housekey_engine::options::{RateLimitStorage, RateRule};
use housekey_engine::plugins::two_factor;
use housekey_engine::{ApiError, Callback, Engine, EngineBuilder, PasswordCheck, Secret};
use http::StatusCode;
use serde_json::json;

use crate::elsewhere;
use crate::support::{Answer, Browser, Mailbox, PASSWORD, TestEngine, options};

const ADA: &str = "ada@example.com";
const NEW: &str = "a new password";

fn configured(mailbox: &Mailbox) -> EngineBuilder {
    let mut options = options();
    options.rate_limit.enabled = Some(true);
    // Hundreds of passwords are tried here, and what each costs is not the question.
    options.email_and_password.password.hash =
        Callback::new(|password: Secret| async move { Ok::<_, ApiError>(password.reveal().to_owned()) });
    options.email_and_password.password.verify = Callback::new(|check: PasswordCheck| async move {
        Ok::<_, ApiError>(check.password.reveal() == check.hash)
    });
    options.email_and_password.send_reset_password = mailbox.link("reset");
    options.email_verification.send_verification_email = mailbox.link("verify");
    options.user.delete_user.enabled = true;
    Engine::builder(options).plugins([two_factor(Default::default())])
}

/// A browser at an address of its own.
fn from(test: &TestEngine, number: usize) -> Browser {
    at(test.browser(), number)
}

fn at(mut browser: Browser, number: usize) -> Browser {
    let address = format!("203.0.{}.{}", 1 + number / 200, 1 + number % 200);
    browser.headers.insert("x-forwarded-for", address.parse().unwrap());
    browser
}

/// Ada has an account, made in a browser that is known to it.
async fn ada(test: &TestEngine) -> Browser {
    let mut browser = from(test, 900);
    browser.sign_up(ADA).await.assert(StatusCode::OK);
    browser
}

/// Wrong passwords for an address, each from another client; how many were looked at.
async fn guess(test: &TestEngine, email: &str, times: usize) -> usize {
    let mut judged = 0;
    for number in 0..times {
        let answer = from(test, number).sign_in(email, "a wrong guess").await;
        match answer.status {
            StatusCode::UNAUTHORIZED => judged += 1,
            status => assert_eq!(status, StatusCode::TOO_MANY_REQUESTS),
        }
    }
    judged
}

#[tokio::test]
// spec: SEC-4
async fn fifty_clients_that_guess_at_one_account_are_stopped() {
    let test = TestEngine::with(configured);
    ada(&test).await;
    assert_eq!(guess(&test, ADA, 50).await, 10);
    let refused = from(&test, 60).sign_in("ADA@example.com", PASSWORD).await;
    assert_eq!(refused.header("retry-after"), Some("300"));
    assert_eq!(
        refused.assert(StatusCode::TOO_MANY_REQUESTS).json(),
        json!({ "message": "Too many requests. Please try again later." })
    );
    assert_eq!(guess(&test, "bob@example.com", 1).await, 1, "others go on");
}

#[tokio::test]
// spec: SEC-4
async fn waits_grow() {
    let test = TestEngine::with(configured);
    ada(&test).await;
    let mut judged = Vec::new();
    for _ in 0..5 {
        judged.push(guess(&test, ADA, 12).await);
        test.advance(300);
    }
    assert_eq!(judged, [10, 10, 10, 0, 0], "thirty in an hour");
    let mut in_a_day = 30;
    for _ in 0..20 {
        test.advance(3600);
        for _ in 0..2 {
            in_a_day += guess(&test, ADA, 12).await;
            test.advance(300);
        }
    }
    assert_eq!(in_a_day, 100, "a hundred in a day");
}

#[tokio::test]
// spec: SEC-4
async fn an_address_that_nobody_has_is_counted_like_any_other() {
    let test = TestEngine::with(configured);
    ada(&test).await;
    let mut answers: Vec<Vec<(StatusCode, Vec<u8>)>> = Vec::new();
    for email in [ADA, "nobody@example.com"] {
        let mut given = Vec::new();
        for number in 0..15 {
            let answer = from(&test, number).sign_in(email, "a wrong guess").await;
            given.push((answer.status, answer.body.to_vec()));
        }
        answers.push(given);
        test.advance(10);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0][14].0, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
// spec: SEC-4
async fn guesses_that_arrive_at_the_same_time_are_counted_before_they_are_compared() {
    let test = elsewhere::test_engine(|mailbox| {
        let mut builder = configured(mailbox);
        builder.options.rate_limit.storage = RateLimitStorage::Database;
        builder
    });
    ada(&test).await;
    let sent: Vec<_> = (0..60)
        .map(|number| {
            let mut browser = from(&test, number);
            tokio::spawn(async move { browser.sign_in(ADA, "a wrong guess").await.status })
        })
        .collect();
    let mut judged = 0;
    for status in sent {
        judged += usize::from(status.await.unwrap() == StatusCode::UNAUTHORIZED);
    }
    assert!(judged <= 10, "{judged} were compared");
}

#[tokio::test]
// spec: SEC-4
async fn processes_that_share_a_database_share_the_count() {
    let configure = |mailbox: &Mailbox| {
        let mut builder = configured(mailbox);
        builder.options.rate_limit.storage = RateLimitStorage::Database;
        builder
    };
    let test = TestEngine::with(configure);
    ada(&test).await;
    let other = test.under(configure(&test.mailbox));
    assert_eq!(guess(&test, ADA, 6).await, 6);
    assert_eq!(guess(&other, ADA, 20).await, 4);
}

#[tokio::test]
async fn right_passwords_are_not_counted() {
    let test = TestEngine::with(configured);
    ada(&test).await;
    for number in 0..40 {
        from(&test, number).sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    }
}

#[tokio::test]
// spec: SEC-4
async fn strangers_do_not_lock_the_owner_out_of_a_browser_that_is_known() {
    let test = TestEngine::with(configured);
    let mut owner = ada(&test).await;
    owner.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    guess(&test, ADA, 50).await;
    from(&test, 70).sign_in(ADA, PASSWORD).await.assert(StatusCode::TOO_MANY_REQUESTS);
    owner.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);

    // Nor may such a browser try as often as it likes.
    let mut judged = 0;
    for number in 0..30 {
        owner = at(owner, 100 + number);
        judged += usize::from(owner.sign_in(ADA, "a wrong guess").await.status == StatusCode::UNAUTHORIZED);
    }
    assert_eq!(judged, 10);
}

#[tokio::test]
// spec: SEC-4
async fn a_browser_is_known_to_one_account_and_one_password_and_cannot_be_made_up() {
    let test = TestEngine::with(configured);
    let owner = ada(&test).await;
    let mut bob = from(&test, 901);
    bob.sign_up("bob@example.com").await.assert(StatusCode::OK);
    guess(&test, ADA, 50).await;
    let name = "better-auth.known_device";
    let real = owner.cookies[name].clone();
    let token = owner.cookies["better-auth.session_token"].clone();
    let made_up = [bob.cookies[name].clone(), token, real[..real.len() - 2].to_owned(), "x".to_owned()];
    for (number, value) in made_up.into_iter().enumerate() {
        let mut thief = from(&test, 80 + number);
        thief.cookies.insert(name.into(), value);
        thief.sign_in(ADA, PASSWORD).await.assert(StatusCode::TOO_MANY_REQUESTS);
    }
    let mut thief = from(&test, 90);
    thief.cookies.insert(name.into(), real.clone());
    thief.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);

    let mut signed_in = at(owner, 91);
    let change = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
    signed_in.post("/change-password", change).await.assert(StatusCode::OK);
    let mut thief = from(&test, 92);
    thief.cookies.insert(name.into(), real);
    thief.sign_in(ADA, NEW).await.assert(StatusCode::TOO_MANY_REQUESTS);
    signed_in.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    signed_in.sign_in(ADA, NEW).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SEC-4
async fn a_reset_stays_open_and_lets_its_browser_in() {
    let test = TestEngine::with(configured);
    ada(&test).await;
    guess(&test, ADA, 50).await;
    let mut owner = from(&test, 60);
    owner.post("/request-password-reset", json!({ "email": ADA })).await.assert(StatusCode::OK);
    let body = json!({ "newPassword": NEW, "token": test.mailbox.take().token });
    owner.post("/reset-password", body).await.assert(StatusCode::OK);
    guess(&test, ADA, 50).await;
    owner.sign_in(ADA, NEW).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SEC-4
async fn whoever_is_signed_in_is_counted_too_and_does_not_wait_for_strangers() {
    let test = TestEngine::with(configured);
    let mut owner = ada(&test).await;
    guess(&test, ADA, 50).await;
    let endpoints = ["/change-password", "/delete-user", "/two-factor/enable"];
    let body =
        |password: &str| json!({ "password": password, "currentPassword": password, "newPassword": NEW });
    let mut judged = 0;
    for number in 0..30 {
        owner = at(owner, 200 + number);
        let path = endpoints[number % 3];
        let answer: Answer = owner.post(path, body("a wrong guess")).await;
        match answer.status {
            StatusCode::BAD_REQUEST => judged += 1,
            status => assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{path}"),
        }
    }
    assert_eq!(judged, 10);
    test.advance(300);
    at(owner, 300).post(endpoints[0], body(PASSWORD)).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn the_app_may_say_how_often_or_not_to_count() {
    for (rules, expected) in [(vec![], 50), (vec![RateRule { window: 60, max: 2 }], 2)] {
        let test = TestEngine::with(|mailbox| {
            let mut builder = configured(mailbox);
            builder.options.rate_limit.per_account.passwords = rules;
            builder
        });
        ada(&test).await;
        assert_eq!(guess(&test, ADA, 50).await, expected);
    }
}

#[tokio::test]
// spec: SEC-4
async fn nobody_s_mailbox_is_filled_and_a_link_that_works_is_in_it() {
    let test = TestEngine::with(configured);
    ada(&test).await;
    let ask = async |email: &str, path: &str| {
        let mut bodies = Vec::new();
        for number in 0..20 {
            let answer = from(&test, number).post(path, json!({ "email": email })).await;
            bodies.push(answer.assert(StatusCode::OK).body);
        }
        test.advance(60);
        bodies
    };
    for path in ["/request-password-reset", "/send-verification-email"] {
        let before = test.mailbox.all().len();
        let known = ask(ADA, path).await;
        assert_eq!(test.mailbox.all().len() - before, 5, "{path}");
        assert_eq!(known, ask("nobody@example.com", path).await, "{path}");
    }
    let link = test.mailbox.all().into_iter().find(|mail| mail.kind == "reset").unwrap();
    let body = json!({ "newPassword": NEW, "token": link.token });
    from(&test, 60).post("/reset-password", body).await.assert(StatusCode::OK);

    // The others ended with it, so the next one is sent.
    let before = test.mailbox.all().len();
    from(&test, 61).post("/request-password-reset", json!({ "email": ADA })).await.assert(StatusCode::OK);
    assert_eq!(test.mailbox.all().len(), before + 1);
}
