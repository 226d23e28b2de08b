use http::{Method, StatusCode};
use serde_json::json;

use crate::support::{TestEngine, options};

#[tokio::test]
async fn only_json_is_read_and_forms_where_forms_are_taken() {
    let test = TestEngine::new(options());
    let mut browser = test.browser();
    let plain = browser
        .send(Method::POST, "/update-user", "x".into(), Some("text/plain"))
        .await
        .refused(415, "UNSUPPORTED_MEDIA_TYPE");
    assert_eq!(
        plain.json()["message"],
        r#"Content-Type "text/plain" is not allowed. Allowed types: application/json"#
    );
    for kind in ["application/vnd.api+json", "application/x-www-form-urlencoded", "multipart/form-data"] {
        browser
            .send(Method::POST, "/update-user", "{}".into(), Some(kind))
            .await
            .refused(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    let quoted =
        browser.send(Method::POST, "/update-user", "x".into(), Some("Multipart/Form-Data; boundary=x")).await;
    assert_eq!(
        quoted.json()["message"],
        r#"Content-Type "Multipart/Form-Data; boundary=x" is not allowed. Allowed types: application/json"#
    );
    let charset = Some("application/json; charset=utf-8");
    browser.send(Method::POST, "/sign-out", "{}".into(), charset).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn bytes_without_a_content_type_are_no_body() {
    let test = TestEngine::new(options());
    let mut ada = test.ada().await;
    for kind in [None, Some("")] {
        let answer = ada.send(Method::POST, "/sign-in/email", "{}".into(), kind).await;
        let message = answer.refused(400, "VALIDATION_ERROR").json()["message"].clone();
        assert_eq!(message, "[body] Invalid input: expected object, received undefined");
        ada.clone().send(Method::POST, "/sign-out", "[]".into(), kind).await.assert(StatusCode::OK);
    }
}

#[tokio::test]
async fn signing_out_checks_what_it_is_given() {
    let test = TestEngine::new(options());
    let mut ada = test.ada().await;
    for body in [
        json!([]),
        json!(5),
        json!(null),
        json!("x"),
        json!({ "disableRedirect": "x" }),
        json!({ "state": 5 }),
        json!({ "callbackURL": null }),
    ] {
        ada.post("/sign-out", body).await.refused(400, "VALIDATION_ERROR");
    }
    assert!(ada.session().await["user"].is_object(), "and does nothing when that is wrong");
    let body = json!({ "callbackURL": "/", "disableRedirect": true, "state": "x" });
    ada.post("/sign-out", body).await.assert(StatusCode::OK);
    assert!(ada.session().await.is_null());
}

#[tokio::test]
async fn a_parameter_that_is_there_twice_is_no_text() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        options
    });
    let answer = test.browser().get("/reset-password/x?callbackURL=/a&callbackURL=/b").await;
    let message = answer.refused(400, "VALIDATION_ERROR").json()["message"].clone();
    assert_eq!(message, "[query.callbackURL] Invalid input: expected string, received array");
}

#[tokio::test]
async fn messages_name_fields_as_the_reference_does() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        options
    });
    let mut ada = test.ada().await;
    let mut message = async |path: &str, body| ada.post(path, body).await.json()["message"].clone();
    assert_eq!(
        message("/request-password-reset", json!({ "email": "ada@example.com", "redirectTo": 5 })).await,
        "Invalid redirectURL: expected a string"
    );
    assert_eq!(
        message("/change-password", json!({})).await,
        "[body.newPassword] Invalid input: expected string, received undefined; \
         [body.currentPassword] Invalid input: expected string, received undefined"
    );
    assert_eq!(
        message("/update-user", json!([])).await,
        "[body] Invalid input: expected record, received array"
    );
    assert_eq!(
        message("/sign-up/email", json!([])).await,
        "[body] Invalid input: expected object, received array; \
         [body] Invalid input: expected record, received array"
    );
    assert_eq!(
        message("/sign-up/email", json!({ "name": "Ada", "email": "a@b.co", "password": [] })).await,
        "[body.password] Invalid input: expected string, received array; \
         [body.password] Too small: expected array to have >=1 items"
    );
}

#[tokio::test]
async fn malformed_deep_and_large_bodies_are_refused() {
    let test = TestEngine::new(options());
    let mut browser = test.browser();
    let mut send = async |body: String| {
        browser.send(Method::POST, "/sign-in/email", body.into(), Some("application/json")).await
    };
    let message = send("{".into()).await.refused(400, "BAD_REQUEST").json()["message"].clone();
    assert_eq!(message, "Invalid JSON in request body");
    send("[".repeat(100_000)).await.refused(400, "BAD_REQUEST");
    send(format!("\"{}\"", "x".repeat(2_000_000))).await.refused(413, "PAYLOAD_TOO_LARGE");
    send("[]".into()).await.refused(400, "VALIDATION_ERROR");
    send("null".into()).await.refused(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn checks_come_in_order_content_then_origin_then_validation_then_session() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_verification.send_verification_email = mailbox.link("verify");
        options.user.change_email.enabled = true;
        options
    });
    let mut foreign = test.ada().await;
    foreign.headers.insert("origin", "https://evil.test".parse().unwrap());
    foreign
        .send(Method::POST, "/change-email", "{".into(), Some("application/json"))
        .await
        .refused(400, "BAD_REQUEST");
    foreign
        .send(Method::POST, "/change-email", "x".into(), Some("text/plain"))
        .await
        .refused(415, "UNSUPPORTED_MEDIA_TYPE");
    foreign.post("/change-email", json!({})).await.refused(403, "INVALID_ORIGIN");
    test.browser().post("/change-email", json!({})).await.refused(400, "VALIDATION_ERROR");
    test.browser()
        .post("/change-email", json!({ "newEmail": "a@example.com" }))
        .await
        .refused(401, "UNAUTHORIZED");
    // A stranger from elsewhere who sends nonsense learns that it is nonsense first.
    let mut stranger = test.browser();
    stranger.headers.insert("origin", "https://evil.test".parse().unwrap());
    stranger.post("/sign-in/email", json!({})).await.refused(400, "VALIDATION_ERROR");
}

#[tokio::test]
// spec: ERR-2
async fn no_answer_is_stored_by_anyone() {
    let test = TestEngine::new(options());
    for path in ["/ok", "/get-session", "/list-sessions", "/error"] {
        assert_eq!(test.browser().get(path).await.header("cache-control"), Some("no-store"), "{path}");
    }
}
