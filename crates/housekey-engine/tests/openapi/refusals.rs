use http::{Method, StatusCode};
use serde_json::json;

use crate::everything;
use crate::send::send;

/// Fields that have to be there and whose absence is found elsewhere: who asks comes first, and then there is nobody of no id, as in
/// the reference.
fn is_found_later(path: &str, field: &str) -> bool {
    path.starts_with("/admin/") && field == "userId"
}

// spec: KEY-6
#[tokio::test]
async fn a_body_without_what_is_required_is_refused_by_name() {
    let engine = everything::engine();
    let mut checked = 0;
    for endpoint in engine.endpoints().iter().filter(|endpoint| endpoint.method() == Method::POST) {
        let (path, description) = (endpoint.path(), endpoint.description());
        let fields = description.body.iter().filter(|field| field.is_required());
        let fields: Vec<_> =
            fields.map(|field| field.name()).filter(|field| !is_found_later(path, field)).collect();
        if fields.is_empty() {
            continue;
        }
        let (status, answer) = send(&engine, endpoint.method(), path, Some(&json!({}))).await;
        assert_eq!(
            (status, &answer["code"]),
            (StatusCode::BAD_REQUEST, &json!("VALIDATION_ERROR")),
            "{path}"
        );
        let message = answer["message"].as_str().unwrap();
        for field in fields {
            let is_named = message.contains(&format!("[body.{field}]")) || message.starts_with("[body] ");
            assert!(is_named, "{path}: {field} is required, and the refusal is: {message}");
            checked += 1;
        }
    }
    assert!(checked > 40, "only {checked} fields were looked at");
}

// spec: KEY-6
#[tokio::test]
async fn the_example_of_a_body_is_not_refused_for_its_form() {
    let engine = everything::engine();
    for endpoint in engine.endpoints().iter().filter(|endpoint| endpoint.method() == Method::POST) {
        let operation = engine.openapi().operation(endpoint);
        let Some(content) = operation["requestBody"]["content"].get("application/json") else { continue };
        // An id of a role or an account may be given in several ways, of which one has to be there.
        if content["schema"].get("required").is_none() {
            continue;
        }
        let path = endpoint.path().replace(":id", "google");
        let (_, answer) = send(&engine, endpoint.method(), &path, Some(&content["example"])).await;
        let is_about_role = path == "/organization/update-role";
        assert!(answer["code"] != "VALIDATION_ERROR" || is_about_role, "{path}: {answer}");
    }
}

// spec: KEY-6
#[tokio::test]
async fn a_missing_body_is_refused_where_one_is_required_and_only_there() {
    let engine = everything::engine();
    for endpoint in engine.endpoints().iter().filter(|endpoint| endpoint.method() == Method::POST) {
        let description = endpoint.description();
        let takes = !description.body.is_empty() || description.columns.is_some();
        let path = endpoint.path().replace(":id", "google");
        let (_, answer) = send(&engine, endpoint.method(), &path, None).await;
        let is_refused = answer["message"].as_str().is_some_and(|message| message.contains("[body"));
        assert_eq!(is_refused, takes && !description.is_body_optional, "{path}: {answer}");
    }
}

// spec: KEY-6
#[tokio::test]
async fn a_query_without_what_is_required_is_refused_by_name() {
    let engine = everything::engine();
    for endpoint in engine.endpoints().iter().filter(|endpoint| endpoint.method() == Method::GET) {
        let path = endpoint.path().replace(":token", "a-token").replace(":id", "google");
        let required = endpoint.description().query.iter().filter(|field| field.is_required());
        let required: Vec<_> = required.map(|field| field.name()).collect();
        let (_, answer) = send(&engine, endpoint.method(), &path, None).await;
        let message = answer["message"].as_str().unwrap_or_default();
        assert_eq!(message.contains("[query"), !required.is_empty(), "{path}: {answer}");
        for field in required {
            let is_named = message.contains(&format!("[query.{field}]")) || message.starts_with("[query] ");
            assert!(is_named, "{path}: {message}");
        }
    }
}

// spec: KEY-6
#[tokio::test]
async fn whoever_is_not_signed_in_is_refused_where_it_says_so() {
    let engine = everything::engine();
    for endpoint in engine.endpoints().iter().filter(|endpoint| endpoint.description().needs_session) {
        let operation = engine.openapi().operation(endpoint);
        assert!(operation["security"].as_array().is_some_and(|ways| !ways.is_empty()));
        let content = operation["requestBody"]["content"].get("application/json");
        let example = content.map_or_else(|| json!({}), |content| content["example"].clone());
        let body = (endpoint.method() == Method::POST).then_some(&example);
        let (status, answer) = send(&engine, endpoint.method(), endpoint.path(), body).await;
        assert!(status.is_client_error(), "{}: {status} {answer}", endpoint.path());
    }
}
