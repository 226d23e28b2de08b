use bytes::Bytes;
use housekey_engine::Engine;
use http::{Method, Request, StatusCode};
use serde_json::Value;

/// An answer to somebody who is not signed in.
pub(crate) async fn send(
    engine: &Engine,
    method: &Method,
    path: &str,
    body: Option<&Value>,
) -> (StatusCode, Value) {
    let mut request = Request::builder().method(method).uri(format!("/api/auth{path}"));
    request = request.header("origin", "http://localhost:3000");
    if body.is_some() {
        request = request.header("content-type", "application/json");
    }
    let body = body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
    let answer = engine.handle(request.body(body).unwrap()).await;
    (answer.status(), serde_json::from_slice(answer.body()).unwrap_or_default())
}
