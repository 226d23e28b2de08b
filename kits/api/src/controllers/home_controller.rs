use housekey::prelude::*;

use crate::controllers::api::description_controller::sections;
use crate::views::pages::welcome::welcome;

/// `GET /`: the one page. Everything else is JSON.
pub async fn index() -> View {
    let app = service::<AppConfig>().unwrap_or_default();
    view(welcome(&app, &sections()))
}

/// `GET /health`: for load balancers and for the lamp over the door.
pub async fn health() -> &'static str {
    "ok"
}
