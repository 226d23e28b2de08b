//! Answers: error pages and redirects.

mod error_page;
mod redirect;

pub(crate) use error_page::{default_page, escape};
pub use error_page::{ErrorContext, ErrorRenderer};
pub use redirect::{Redirect, back, redirect};
