use housekey_engine::plugins::magic_link::{MagicLinkOptions, StoredToken};
use http::StatusCode;
use serde_json::{Value, json};

use crate::magic_link::{ADA, assert_leads, assert_refused, built, link, test_engine, user_of};
use crate::support::{PASSWORD, TestEngine, options};

#[tokio::test]
// spec: KEY-1
async fn a_link_makes_an_account_for_somebody_new() {
    let test = test_engine();
    let body = json!({ "email": "Ada@example.com", "name": "Ada", "callbackURL": "/in", "newUserCallbackURL": "/new" });
    test.browser().post("/sign-in/magic-link", body).await.assert(StatusCode::OK);
    assert!(test.rows("user").await.is_empty(), "asking makes nobody");
    let mut browser = test.browser();
    let answer = browser.open(&test.mailbox.take().url).await;
    assert_leads(&answer, "/new");
    let user = user_of(&mut browser).await;
    assert_eq!(user["email"], ADA);
    assert_eq!(user["name"], "Ada");
    assert_eq!(user["emailVerified"], true);
    assert!(test.rows("account").await.is_empty());
    assert!(test.rows("verification").await.is_empty());
}

#[tokio::test]
// spec: KEY-1
async fn a_link_signs_in_whoever_has_an_account() {
    let test = test_engine();
    test.browser().open(&link(&test, ADA).await.url).await;
    let mut browser = test.browser();
    let answer = browser.open(&link(&test, "ADA@example.com").await.url).await;
    assert_leads(&answer, "/in");
    assert_eq!(user_of(&mut browser).await["email"], ADA);
    assert_eq!(test.rows("user").await.len(), 1);
}

#[tokio::test]
async fn without_an_address_to_go_to_the_session_comes_back() {
    let test = test_engine();
    let mail = link(&test, ADA).await;
    let answer = test.browser().get(&format!("/magic-link/verify?token={}", mail.token)).await;
    let body = answer.assert(StatusCode::OK).json();
    assert_eq!(body["token"], body["session"]["token"]);
    assert_eq!(body["user"]["email"], ADA);
    let keys: Vec<_> = body.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 3);
}

#[tokio::test]
// spec: KEY-2
async fn a_link_works_once_and_not_for_ever() {
    let test = test_engine();
    let mail = link(&test, ADA).await;
    assert_leads(&test.browser().open(&mail.url).await, "/in");
    let mut thief = test.browser();
    let again = thief.open(&mail.url).await;
    assert_leads(&again, "/in?error=INVALID_TOKEN");
    assert_refused(&again, "INVALID_TOKEN");
    assert_eq!(thief.session().await, Value::Null);

    let mail = link(&test, ADA).await;
    test.advance(300);
    assert_refused(&test.browser().open(&mail.url).await, "INVALID_TOKEN");
}

#[tokio::test]
async fn an_error_goes_where_the_link_says() {
    let test = test_engine();
    let open =
        async |query: &str| test.browser().get(&format!("/magic-link/verify?token=nonsense{query}")).await;
    assert_leads(&open("").await, "/?error=INVALID_TOKEN");
    assert_leads(&open("&callbackURL=/in%3Fa=1").await, "/in?a=1&error=INVALID_TOKEN");
    assert_leads(&open("&callbackURL=/in&errorCallbackURL=/oh%3Ferror=x").await, "/oh?error=INVALID_TOKEN");
}

#[tokio::test]
// spec: KEY-2
async fn nobody_signs_up_where_that_is_turned_off() {
    // A link that was asked for while it was still allowed.
    let test = test_engine();
    let mail = link(&test, ADA).await;
    let closed = MagicLinkOptions { disable_sign_up: true, ..MagicLinkOptions::default() };
    let closed = test.under(built(&test.mailbox, options(), closed));
    let answer = closed.browser().open(&mail.url).await;
    assert_leads(&answer, "/in?error=new_user_signup_disabled");
    assert!(test.rows("user").await.is_empty());
}

#[tokio::test]
async fn several_links_of_one_address_each_work() {
    let test = test_engine();
    let (first, second) = (link(&test, ADA).await, link(&test, ADA).await);
    assert_leads(&test.browser().open(&second.url).await, "/in");
    assert_leads(&test.browser().open(&first.url).await, "/in");
    assert_eq!(test.rows("user").await.len(), 1);
}

#[tokio::test]
async fn what_a_hook_refuses_says_why() {
    use housekey_engine::hooks::{BeforeWrite, DatabaseHooks};
    use housekey_engine::{ErrorCode, Record};
    const CLOSED: ErrorCode = ErrorCode::new("CLOSED", "We are closed");
    let refusing = |refusal: Option<ErrorCode>| {
        TestEngine::with(|mailbox| {
            let mut options = options();
            options.database_hooks =
                DatabaseHooks::new().before_create("user", move |_: Record| async move {
                    refusal.map_or(Ok(BeforeWrite::Refuse), |code| Err(code.forbidden()))
                });
            built(mailbox, options, MagicLinkOptions::default())
        })
    };
    let test = refusing(Some(CLOSED));
    let answer = test.browser().open(&link(&test, ADA).await.url).await;
    assert_leads(&answer, "/in?error=CLOSED&error_description=We+are+closed");
    let test = refusing(None);
    let answer = test.browser().open(&link(&test, ADA).await.url).await;
    assert_leads(&answer, "/in?error=failed_to_create_user");
}

#[tokio::test]
async fn somebody_with_a_password_can_use_both() {
    let test = test_engine();
    let mut browser = test.ada().await;
    prove(&test).await;
    assert_leads(&test.browser().open(&link(&test, ADA).await.url).await, "/in");
    assert_eq!(user_of(&mut browser).await["email"], ADA, "the other session goes on");
    test.browser().sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
}

/// Marks Ada's address as proven, behind the engine's back.
async fn prove(test: &TestEngine) {
    use housekey_engine::Record;
    use housekey_engine::storage::{Filter, Records as _};
    let table = test.engine.schema().table("user").unwrap();
    let proven = Record::new().with("emailVerified", true);
    test.storage.update(table, &Filter::by("email", ADA), &proven).await.unwrap();
}

#[tokio::test]
async fn what_stands_in_the_database_opens_nothing() {
    let test = test_engine();
    let mail = link(&test, ADA).await;
    let plain = MagicLinkOptions { store_token: StoredToken::Plain, ..MagicLinkOptions::default() };
    let other = test.under(built(&test.mailbox, options(), plain));
    assert_refused(&other.browser().open(&mail.url).await, "INVALID_TOKEN");
    let stored = test.rows("verification").await[0].text("identifier").unwrap().to_owned();
    let stored = stored.strip_prefix("magic-link:").unwrap();
    let answer = test.browser().get(&format!("/magic-link/verify?token={stored}")).await;
    assert_refused(&answer, "INVALID_TOKEN");
}
