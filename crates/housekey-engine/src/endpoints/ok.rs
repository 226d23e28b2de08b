use serde_json::json;

use crate::{Endpoint, Reply};

/// `GET /ok`: whether the engine is there.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/ok", |_| Box::pin(async { Reply::json(&json!({ "ok": true })) }))
}
