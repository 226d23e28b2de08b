//! Which address leads where. One file for each kind of visitor; `housekey route:list` shows them all.

mod web;

pub use web::web;
