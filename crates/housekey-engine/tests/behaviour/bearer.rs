use housekey_engine::Engine;
use housekey_engine::plugins::{BearerOptions, bearer};
use http::StatusCode;
use serde_json::json;

use crate::support::{Browser, PASSWORD, TestEngine, options};

fn test_engine(bearer_options: BearerOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options()).plugins([bearer(bearer_options)]))
}

fn client(test: &TestEngine, authorization: &str) -> Browser {
    let mut browser = test.browser();
    browser.headers.clear();
    browser.headers.insert("authorization", authorization.parse().unwrap());
    browser
}

#[tokio::test]
// spec: EPC-3
async fn the_token_of_an_answer_opens_the_next_request_with_or_without_its_signature_where_none_is_asked_for()
{
    let test = test_engine(BearerOptions { require_signature: false });
    let answer = test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    let signed = answer.header("set-auth-token").unwrap().to_owned();
    assert_eq!(answer.header("access-control-expose-headers"), Some("set-auth-token"));
    let raw = answer.json()["token"].as_str().unwrap().to_owned();
    assert!(signed.starts_with(&format!("{raw}.")));
    let encoded = signed.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    for authorization in [format!("Bearer {raw}"), format!("Bearer {signed}"), format!("bearer   {encoded} ")]
    {
        let mut client = client(&test, &authorization);
        let session = client.get("/get-session").await;
        assert_eq!(session.json()["user"]["email"], "ada@example.com", "{authorization}");
        assert!(session.header("set-auth-token").is_none());
        client.post("/update-user", json!({ "name": "Ada" })).await.assert(StatusCode::OK);
    }
}

#[tokio::test]
async fn anything_else_is_a_stranger() {
    let test = test_engine(BearerOptions { require_signature: false });
    let answer = test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    let (raw, signed) = (
        answer.json()["token"].as_str().unwrap().to_owned(),
        answer.header("set-auth-token").unwrap().to_owned(),
    );
    let nopad = signed.trim_end_matches('=').replace('+', "-").replace('/', "_");
    for authorization in [
        raw.clone(),
        format!("Basic {raw}"),
        "Bearer ".into(),
        format!("Bearer {raw}.forged"),
        format!("Bearer {nopad}"),
    ] {
        let session = client(&test, &authorization).get("/get-session").await;
        assert_eq!(
            (session.body.as_ref(), session.cookies.len()),
            (b"null".as_slice(), 0),
            "{authorization}"
        );
    }
    let unknown = client(&test, "Bearer unknowntoken").get("/get-session").await;
    assert_eq!((unknown.body.as_ref(), unknown.cookies.len()), (b"null".as_slice(), 3));
}

#[tokio::test]
// spec: EPC-3
async fn a_client_with_a_token_gets_no_copy_of_its_session_and_one_that_it_brings_is_not_believed() {
    let mut options = options();
    options.session.cookie_cache.enabled = true;
    let test = TestEngine::new(Engine::builder(options).plugins([bearer(Default::default())]));
    let mut browser = test.browser();
    let answer = browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
    let token = answer.header("set-auth-token").unwrap().to_owned();
    assert!(answer.cookie("session_data").is_some(), "a browser has one");

    let bearer = format!("Bearer {token}");
    let read = client(&test, &bearer).get("/get-session").await;
    assert!(read.json()["user"].is_object());
    assert!(read.cookies.is_empty(), "{:?}", read.headers);
    let mut change = json!({ "currentPassword": PASSWORD, "newPassword": "another horse" });
    change["revokeOtherSessions"] = json!(true);
    let changed = client(&test, &bearer).post("/change-password", change).await.assert(StatusCode::OK);
    assert!(changed.header("set-auth-token").is_some() && changed.cookie("session_data").is_none());

    // The copy is a good one, and about this very token; but its session has ended.
    let mut both = browser.clone();
    both.headers.insert("authorization", bearer.parse().unwrap());
    assert_eq!(browser.session().await["user"]["email"], "ada@example.com", "what cookies alone would do");
    assert_eq!(both.session().await, json!(null));
}

#[tokio::test]
async fn only_a_signed_token_counts_unless_the_app_says_otherwise() {
    let test = test_engine(BearerOptions::default());
    let answer = test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    let raw = answer.json()["token"].as_str().unwrap().to_owned();
    assert_eq!(client(&test, &format!("Bearer {raw}")).session().await, json!(null));
    let signed = answer.header("set-auth-token").unwrap();
    assert!(client(&test, &format!("Bearer {signed}")).session().await["user"].is_object());
}

#[tokio::test]
async fn a_bearer_wins_over_a_cookie_and_sign_out_ends_its_session() {
    let test = test_engine(BearerOptions::default());
    let mut ada = test.ada().await;
    let bob = test.browser().sign_up("bob@example.com").await.header("set-auth-token").unwrap().to_owned();
    ada.headers.insert("authorization", format!("Bearer {bob}").parse().unwrap());
    assert_eq!(ada.session().await["user"]["email"], "bob@example.com");
    client(&test, &format!("Bearer {bob}")).post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert_eq!(client(&test, &format!("Bearer {bob}")).session().await, json!(null));
    test.browser().sign_in("bob@example.com", PASSWORD).await.assert(StatusCode::OK);
}
