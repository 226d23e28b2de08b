//! `password.confirm`: an action that asks for the password again. spec: MID-4, STA-8
//!
//! The guard lets a request pass while the *window* is open: for a while (`confirm_window` in `config/auth.rs`) after
//! the password was entered. Otherwise it answers 423. A JSON client gets that as JSON; it asks for the password,
//! posts it and repeats its request. A browser gets a page that asks, with the refused request sealed into the form,
//! and once the password is right that request is carried out: once, within five minutes, for the session it came from.
//!
//! - [`confirm_password`] is the whole controller of the page's form; [`confirm`], [`confirm_with`] and [`replay`] are
//!   its parts. `confirm_with_passkey` takes a passkey instead.
//! - [`is_confirmed`] tells a page whether to show what it should not show to whoever finds an open browser.
//! - [`AppConfirm::confirm_page`] draws the page; the [`ConfirmForm`] says what belongs into it.
//!
//! ```
//! use housekey_auth::guards::{Confirmation, confirm_password};
//! use housekey_core::Result;
//! use housekey_http::validation::Valid;
//! use housekey_http::{Response, Routes};
//!
//! async fn store(Valid(given): Valid<Confirmation>) -> Result<Response> {
//!     confirm_password(given, "/dashboard").await
//! }
//!
//! fn web(route: &mut Routes) {
//!     route.post("/confirm-password", store).middleware(["auth", "throttle:6,1"]);
//!     route.delete("/account", async || "gone").middleware(["auth", "password.confirm"]);
//! }
//! ```

mod guard;
pub(crate) mod in_person;
mod page;
#[cfg(feature = "passkeys")]
mod passkey;
mod password;
mod refused;
mod replay;
pub(crate) mod window;

pub use page::{AppConfirm, ConfirmForm};
#[cfg(feature = "passkeys")]
pub use passkey::confirm_with_passkey;
pub use password::{Confirmation, confirm, confirm_password, confirm_with, is_confirmed};
pub use replay::replay;

pub(crate) use guard::{ask, confirm as factory};
