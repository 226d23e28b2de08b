//! The framework's error pages, to look at: `cargo run -p housekey-view --example error_pages`.
//!
//! `/404` and the other numbers show what a visitor sees, `/development` what a developer sees.

use std::time::Duration;

use housekey_core::{AppConfig, ConfigFiles, Env, Environment, Error, Result};
use housekey_http::axum::extract::Path;
use housekey_http::{App, Routes, Server};
use housekey_view::ViewProvider;
use housekey_view::prelude::*;

#[tokio::main]
async fn main() -> Result<()> {
    let app = App::new(ConfigFiles::new())
        .root(std::env::temp_dir())
        .env(Env::empty())
        .provider(ViewProvider)
        .routes(routes);
    let app = app.configure(|config| {
        config.update(|app: &mut AppConfig| (app.env, app.debug) = (Environment::Development, true));
    });
    Server::bind_to(&app.boot()?, "127.0.0.1", 3999).await?.run().await
}

fn routes(route: &mut Routes) {
    route.get("/{status}", page).where_("status", "[0-9]{3}");
    route.get("/development", async || -> Result<()> {
        cellar().map_err(|error| error.context("drawing the dashboard"))
    });
    route.view("/assets", || view(rsx! { <head>(assets(["resources/js/app.ts"]))</head> }));
}

async fn page(Path(status): Path<u16>) -> Result<()> {
    Err(match status {
        403 => Error::forbidden("You are signed in, but this page is not open to you."),
        404 => Error::not_found(),
        419 => Error::csrf_mismatch(),
        429 => Error::too_many_requests(Duration::from_secs(45)),
        503 => Error::unavailable(Duration::from_secs(600)),
        _ => Error::new(http::StatusCode::from_u16(status)?, "Something went wrong on our side."),
    })
}

fn cellar() -> Result<()> {
    Err(Error::from(std::io::Error::other("storage/cellar.db: permission denied"))
        .context("opening the cellar"))
}
