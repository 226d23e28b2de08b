//! Which address leads where. `housekey route:list` shows them all.

mod api;
mod web;

pub use api::api;
pub use web::web;
