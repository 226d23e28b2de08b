//! Which address leads where. `housekey route:list` shows them all.

mod api;
mod auth;
mod settings;
mod web;

pub use api::api;
pub use auth::auth;
pub use settings::settings;
pub use web::web;
