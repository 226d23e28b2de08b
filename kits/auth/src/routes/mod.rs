//! Which address leads where. `housekey route:list` shows them all.

mod auth;
mod settings;
mod web;

pub use auth::auth;
pub use settings::settings;
pub use web::web;
