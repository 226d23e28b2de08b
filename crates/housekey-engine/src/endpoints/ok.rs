use serde_json::json;

use crate::{Endpoint, Field, Reply, Shape};

/// `GET /ok`: whether the engine is there.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/ok", |_| Box::pin(async { Reply::json(&json!({ "ok": true })) }))
        .about("Says that the engine answers.")
        .answers(Shape::object([Field::boolean("ok")]))
}
