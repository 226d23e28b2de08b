//! Validation: from what a client sent to a value the app can trust.
//!
//! - [`Validated`] says what a form, a JSON body or a query string must look like; [`Rules`] is where it says it.
//! - [`Valid`], [`ValidUpload`] and [`ValidQuery`] are the extractors that check it before a handler runs.
//! - What was refused is a 422 for a JSON client. A browser is sent back to its form, where [`errors()`] and
//!   [`old()`] give the messages and the input again, secrets excepted.
//! - Messages are English sentences with named placeholders, which are also the keys of an app's translations.
//!
//! ```
//! use housekey_core::Result;
//! use housekey_http::validation::{Rules, Valid, Validated};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct SignUp {
//!     name: String,
//!     email: String,
//!     password: String,
//! }
//!
//! impl Validated for SignUp {
//!     fn rules(rules: &mut Rules) {
//!         rules.field("name").required().max(120);
//!         rules.field("email").required().email().max(254);
//!         rules.field("password").required().min(8).confirmed();
//!     }
//! }
//!
//! async fn store(Valid(form): Valid<SignUp>) -> Result<String> {
//!     Ok(format!("Welcome, {}.", form.name))
//! }
//! ```

mod back;
mod check;
mod errors;
mod extract;
#[cfg(feature = "types")]
mod fields;
mod form_body;
mod formats;
mod input;
mod lenient;
mod messages;
mod pairs;
mod rules;
mod secrets;
mod shape;
mod upload;
mod validated;

pub use back::flash_unread;
pub use errors::{ErrorBag, errors, old, old_choice, old_list, old_or};
pub use extract::{Valid, ValidQuery, ValidUpload};
pub use rules::{FieldRules, Rules};
pub use upload::{UploadedFile, Uploads};
pub use validated::{Validated, validate};

pub(crate) use back::{origin_page, own_page, send_back};
#[cfg(feature = "types")]
pub(crate) use fields::FieldNames;
pub(crate) use form_body::FormBody;
