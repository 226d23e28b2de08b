use http::{Method, StatusCode};
use serde_json::json;

use crate::support::{House, options};

#[tokio::test]
async fn only_json_is_read_and_forms_where_forms_are_taken() {
    let house = House::new(options());
    let mut browser = house.browser();
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
    browser
        .send(Method::POST, "/update-user", "{}".into(), None)
        .await
        .refused(415, "UNSUPPORTED_MEDIA_TYPE");
    let charset = Some("application/json; charset=utf-8");
    browser.send(Method::POST, "/sign-out", "{}".into(), charset).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn malformed_deep_and_large_bodies_are_refused() {
    let house = House::new(options());
    let mut browser = house.browser();
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
    let house = House::with(|mailbox| {
        let mut options = options();
        options.email_verification.send_verification_email = mailbox.link("verify");
        options.user.change_email.enabled = true;
        options
    });
    let mut foreign = house.ada().await;
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
    house.browser().post("/change-email", json!({})).await.refused(400, "VALIDATION_ERROR");
    house
        .browser()
        .post("/change-email", json!({ "newEmail": "a@example.com" }))
        .await
        .refused(401, "UNAUTHORIZED");
    // A stranger from elsewhere who sends nonsense learns that it is nonsense first.
    let mut stranger = house.browser();
    stranger.headers.insert("origin", "https://evil.test".parse().unwrap());
    stranger.post("/sign-in/email", json!({})).await.refused(400, "VALIDATION_ERROR");
}

#[tokio::test]
// spec: ERR-2
async fn no_answer_is_stored_by_anyone() {
    let house = House::new(options());
    for path in ["/ok", "/get-session", "/list-sessions", "/error"] {
        assert_eq!(house.browser().get(path).await.header("cache-control"), Some("no-store"), "{path}");
    }
}
