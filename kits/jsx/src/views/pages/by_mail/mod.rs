//! The pages of signing in by mail. They are there once `config/auth.rs` turns it on.

mod email_code;
mod magic_link;

pub use email_code::{EmailCode, email_code};
pub use magic_link::{MagicLink, magic_link};
