//! {{title}}: what the app is made of. `routes` says which address leads where, `controllers` answer, `views` draw.

use housekey::prelude::*;

pub mod controllers;
pub mod middleware;
pub mod models;
pub mod requests;
pub mod routes;
pub mod views;

#[path = "../database/factories/mod.rs"]
pub mod factories;
#[path = "../database/seeders/mod.rs"]
pub mod seeders;

// Every file of `config/`, as `config::app`, `config::session` and so on; and of `database/migrations/`.
housekey::config!();
housekey::migrations!();

/// The whole app. The console runs it, and every test gets one of its own.
pub fn app() -> App {
    housekey::app(config::files())
        .migrations(migrations::all())
        .seeder(seeders::DatabaseSeeder)
        .routes(routes::web)
        .routes(routes::auth)
        .routes(routes::settings)
        .middleware("accounts", middleware::accounts)
        .confirm_page(controllers::pages::auth_pages::confirm)
        .error_pages(views::errors::page)
}
