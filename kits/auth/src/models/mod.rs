//! What the app knows about, one file for each.

mod user;

pub use user::User;
