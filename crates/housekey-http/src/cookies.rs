//! Cookies: those the browser sent, and those that will leave with the answer.
//!
//! - [`cookies()`] gives the [`Cookies`] of the present request.
//! - [`Cookies::signed`] and [`Cookies::encrypted`] protect values with `APP_KEY`, each bound to its cookie's name.
//!
//! The session's cookie is not among these: see [`mod@crate::session`].

pub use crate::cookie_jar::{Cookie, Cookies, EncryptedCookies, SameSite, SignedCookies};

use crate::RequestContext;

/// The cookies of the present request. Outside a request there are none, and what is added goes nowhere.
///
/// ```
/// use housekey_http::cookies::{Cookie, cookies};
///
/// fn switch_theme() {
///     if cookies().get("theme").as_deref() != Some("dark") {
///         cookies().add(Cookie::new("theme", "dark"));
///     }
/// }
/// # switch_theme();
/// ```
pub fn cookies() -> Cookies {
    RequestContext::current().map_or_else(Cookies::default, |context| context.cookies().clone())
}
