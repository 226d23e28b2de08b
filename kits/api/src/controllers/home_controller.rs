use housekey::prelude::*;

use crate::views::pages::welcome::welcome;

/// `GET /`: the one page. Everything else is JSON.
pub async fn index() -> View {
    let app = service::<AppConfig>().unwrap_or_default();
    view(welcome(&app))
}

/// `GET /health`: for load balancers and for the lamp over the door.
pub async fn health() -> &'static str {
    "ok"
}
