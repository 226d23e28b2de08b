use housekey::openapi::docs_path;
use housekey::prelude::*;

use crate::views::pages::welcome::welcome;

/// `GET /`: the one page. Everything else is JSON.
pub async fn index() -> View {
    let app = service::<AppConfig>().unwrap_or_default();
    // Production describes nothing, unless OPENAPI says so.
    let docs = docs_path();
    view(welcome(&app, docs.as_deref()))
}

/// `GET /health`: for load balancers and for the lamp over the door.
pub async fn health() -> &'static str {
    "ok"
}
