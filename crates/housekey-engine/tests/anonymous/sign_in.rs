use housekey_engine::plugins::anonymous::{self, AnonymousOptions};
use housekey_engine::{ApiError, Callback};
use http::StatusCode;
use serde_json::{Value, json};

use crate::anonymous::{built, exists, options, sessions_of, signed_out, test_engine, visitor};
use crate::sink::Events;

#[tokio::test]
// spec: KEY-1
async fn a_visitor_gets_an_account_without_saying_who_they_are() {
    let (test, _) = test_engine();
    let mut browser = test.browser();
    let answer = browser.post("/sign-in/anonymous", json!({})).await.assert(StatusCode::OK).json();
    let user = &answer["user"];
    assert_eq!(
        (&user["name"], &user["isAnonymous"], &user["emailVerified"]),
        (&json!("Anonymous"), &json!(true), &json!(false))
    );
    let (local, host) = user["email"].as_str().unwrap().split_once('@').unwrap();
    assert_eq!((local.len(), host), (32, "anonymous.placeholder.invalid"));
    assert_eq!(answer["token"], browser.session().await["session"]["token"]);
    assert!(test.rows("account").await.is_empty());
}

#[tokio::test]
// spec: KEY-1
async fn somebody_who_is_anonymous_already_is_not_made_again() {
    let (test, _) = test_engine();
    let (mut browser, _) = visitor(&test).await;
    let refused = "ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY";
    browser.post("/sign-in/anonymous", json!({})).await.refused(400, refused);
    assert_eq!(test.rows("user").await.len(), 1);
}

#[tokio::test]
async fn an_app_can_make_up_names_and_addresses() {
    let named = AnonymousOptions {
        email_domain_name: Some("example.com".into()),
        generate_name: Callback::new(|()| async { Ok::<_, ApiError>("A visitor".to_owned()) }),
        ..AnonymousOptions::default()
    };
    let test = built(options(), named.clone());
    let user = test.browser().post("/sign-in/anonymous", json!({})).await.json()["user"].clone();
    let email = user["email"].as_str().unwrap();
    assert!(email.starts_with("temp-") && email.ends_with("@example.com"), "{email}");
    assert_eq!(user["name"], "A visitor");

    let wrong = Callback::new(|()| async { Ok::<_, ApiError>("nowhere".to_owned()) });
    let test = built(options(), AnonymousOptions { generate_random_email: wrong, ..named });
    test.browser().post("/sign-in/anonymous", json!({})).await.refused(400, "INVALID_EMAIL_FORMAT");
}

#[tokio::test]
// spec: KEY-1
async fn a_visitor_can_be_deleted_and_nobody_else_this_way() {
    let (test, _) = test_engine();
    let (mut browser, id) = visitor(&test).await;
    let answer = browser.post("/delete-anonymous-user", json!({})).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "success": true }));
    assert!(!exists(&test, &id).await && sessions_of(&test, &id).await.is_empty());
    assert!(signed_out(&browser.session().await));
    browser.post("/delete-anonymous-user", json!({})).await.refused(401, "UNAUTHORIZED");
    test.ada().await.post("/delete-anonymous-user", json!({})).await.refused(403, "USER_IS_NOT_ANONYMOUS");

    let kept = built(
        options(),
        AnonymousOptions { disable_delete_anonymous_user: true, ..AnonymousOptions::default() },
    );
    let (mut browser, _) = visitor(&kept).await;
    browser.post("/delete-anonymous-user", json!({})).await.refused(400, "DELETE_ANONYMOUS_USER_DISABLED");
}

#[tokio::test]
async fn nobody_says_of_themselves_that_they_are_anonymous_or_not() {
    let (test, _) = test_engine();
    let mut ada = test.ada().await;
    ada.post("/update-user", json!({ "isAnonymous": true })).await.refused(400, "FIELD_NOT_ALLOWED");
    let (mut browser, _) = visitor(&test).await;
    browser.post("/update-user", json!({ "isAnonymous": false })).await.refused(400, "FIELD_NOT_ALLOWED");
    let body =
        json!({ "name": "B", "email": "b@example.com", "password": "correct horse", "isAnonymous": true });
    let user = test.browser().post("/sign-up/email", body).await.json()["user"].clone();
    assert_ne!(user["isAnonymous"], Value::Bool(true));
}

#[tokio::test]
async fn a_foreign_page_makes_no_visitors() {
    let (test, _) = test_engine();
    let mut browser = test.browser();
    browser.headers.insert("origin", "https://evil.example".parse().unwrap());
    browser.post("/sign-in/anonymous", json!({})).await.refused(403, "INVALID_ORIGIN");
}

#[tokio::test]
async fn server_code_does_the_same() {
    let events = Events::default();
    let mut options = options();
    options.on_security_event = events.sink();
    let test = built(options, AnonymousOptions::default());
    let mut api = test.engine.api();
    let signed_in = anonymous::sign_in(&mut api).await.unwrap();
    assert!(anonymous::is_anonymous(&signed_in.user));
    assert!(anonymous::sign_in(&mut api).await.is_err());
    anonymous::delete(&mut api).await.unwrap();
    assert!(test.rows("user").await.is_empty());
    assert_eq!(events.take(), ["sign-up anonymous", "account-deleted"]);
}
