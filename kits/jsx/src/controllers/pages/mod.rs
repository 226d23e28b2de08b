//! Pages: what they want to know is put together here, and drawn in `views`.

pub mod account_pages;
pub mod auth_pages;
pub mod dashboard_page;
pub mod mail_sign_in_pages;

mod moment;

use housekey::auth::Auth;
use housekey::auth::engine::User;
use housekey::axum::http::{HeaderValue, header};
use housekey::prelude::*;

use crate::views::layouts::Member;

/// Somebody as the pages' frame shows them.
pub fn member_of(user: &User) -> Member {
    Member { name: user.name.clone(), email: user.email.clone(), email_verified: user.email_verified }
}

/// The shortest password that is taken.
pub fn shortest_password() -> Result<u16> {
    let auth = Auth::current()?;
    Ok(auth.config().engine.email_and_password.min_password_length.try_into().unwrap_or(u16::MAX))
}

/// A page that must not be found again with the back button: it shows something private.
pub fn private(page: View) -> View {
    page.header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
}
