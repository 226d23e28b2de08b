//! Answers: error pages, redirects, downloads, tables.

mod csv;
mod download;
mod error_page;
mod redirect;

pub use self::csv::{CsvRows, csv};
pub use download::{attachment, download};
pub use error_page::{ErrorContext, ErrorRenderer};
pub(crate) use error_page::{default_page, escape};
pub use redirect::{Redirect, back, redirect};
