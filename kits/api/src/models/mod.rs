//! What the app knows about, one file for each.

mod profile;
mod user;

pub use profile::Profile;
pub use user::User;
