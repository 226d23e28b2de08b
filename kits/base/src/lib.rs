//! {{title}}: what the app is made of. `routes` says which address leads where, `controllers` answer, `views` draw.

use housekey::prelude::*;

pub mod controllers;
pub mod middleware;
pub mod routes;
pub mod views;

// Every file of `config/`, as `config::app`, `config::session` and so on.
housekey::config!();

/// The whole app. The console runs it, and every test gets one of its own.
pub fn app() -> App {
    housekey::app(config::files()).routes(routes::web).error_pages(views::errors::page)
}
