use housekey_engine::{Endpoint, Engine};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::openapi::everything;
use crate::openapi::send::send;

/// Fields that have to be there and whose absence is found elsewhere: who asks comes first, and then there is nobody of no id, as in
/// the reference.
fn is_found_later(path: &str, field: &str) -> bool {
    path.starts_with("/admin/") && field == "userId"
}

/// Where one of several optional fields has to be there, which only words can say.
const ONE_OF_SEVERAL: [&str; 6] = [
    "/get-access-token",
    "/refresh-token",
    "/account-info",
    "/organization/delete-role",
    "/organization/get-role",
    "/organization/update-role",
];

fn posts(engine: &Engine) -> impl Iterator<Item = &Endpoint> {
    engine.endpoints().iter().filter(|endpoint| endpoint.method() == Method::POST)
}

/// What is wrong. RFC 8628 has a name of its own for it.
fn message(answer: &Value) -> &str {
    answer["message"].as_str().or(answer["error_description"].as_str()).unwrap_or_default()
}

// spec: KEY-6
#[tokio::test]
async fn a_body_without_what_is_required_is_refused_by_name() {
    let engine = everything::engine();
    let (mut checked, mut problems) = (0, Vec::new());
    for endpoint in posts(&engine) {
        let path = endpoint.path();
        let fields = endpoint.description().body.iter().filter(|field| field.is_required());
        let fields = fields.map(|field| field.name()).filter(|field| !is_found_later(path, field));
        let fields: Vec<_> = fields.collect();
        if fields.is_empty() {
            continue;
        }
        let (status, answer) = send(&engine, endpoint.method(), path, Some(&json!({}))).await;
        // Of permissions the reference says no more than that the whole is wrong.
        let names = |field: &&str| {
            message(&answer).contains(&format!("[body.{field}]")) || message(&answer).starts_with("[body] ")
        };
        if status != StatusCode::BAD_REQUEST || !fields.iter().all(names) {
            problems.push(format!("{path} requires {fields:?} and says {status} {answer}"));
        }
        checked += fields.len();
    }
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(checked > 60, "only {checked} fields were looked at");
}

// spec: KEY-6
#[tokio::test]
async fn the_example_of_a_body_is_not_refused_for_its_form() {
    let engine = everything::engine();
    let mut problems = Vec::new();
    for endpoint in posts(&engine).filter(|endpoint| !ONE_OF_SEVERAL.contains(&endpoint.path())) {
        let operation = engine.openapi().operation(endpoint);
        let Some(content) = operation["requestBody"]["content"].get("application/json") else { continue };
        let path = endpoint.path().replace(":id", "google");
        let (_, answer) = send(&engine, endpoint.method(), &path, Some(&content["example"])).await;
        if answer["code"] == "VALIDATION_ERROR" {
            problems.push(format!("{path}: {} is refused: {answer}", content["example"]));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

// spec: KEY-6
#[tokio::test]
async fn a_missing_body_is_refused_where_one_is_required_and_only_there() {
    let engine = everything::engine();
    let mut problems = Vec::new();
    for endpoint in posts(&engine) {
        let description = endpoint.description();
        let takes = !description.body.is_empty() || description.columns.is_some();
        let path = endpoint.path().replace(":id", "google");
        let (_, answer) = send(&engine, endpoint.method(), &path, None).await;
        let is_refused = message(&answer).contains("[body");
        if is_refused != (takes && !description.is_body_optional) {
            problems.push(format!("{path}: {answer}"));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

// spec: KEY-6
#[tokio::test]
async fn a_query_without_what_is_required_is_refused_by_name() {
    let engine = everything::engine();
    let mut problems = Vec::new();
    let gets = engine.endpoints().iter().filter(|endpoint| endpoint.method() == Method::GET);
    for endpoint in gets.filter(|endpoint| !ONE_OF_SEVERAL.contains(&endpoint.path())) {
        let path = endpoint.path().replace(":token", "a-token").replace(":id", "google");
        let required = endpoint.description().query.iter().filter(|field| field.is_required());
        let required: Vec<_> = required.map(|field| field.name()).collect();
        let (_, answer) = send(&engine, endpoint.method(), &path, None).await;
        let message = message(&answer);
        let names = |field: &&str| message.contains(&format!("[query.{field}]"));
        if message.contains("[query") == required.is_empty() || !required.iter().all(names) {
            problems.push(format!("{path} requires {required:?} and says {answer}"));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
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
