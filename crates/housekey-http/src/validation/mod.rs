//! Validation: from what a client sent to a value the app can trust.
//!
//! - [`Validated`] says what a form, a JSON body or a query string must look like, by rules on the fields of a struct.
//!   [`FieldRules`] has them all.
//! - [`Valid`], [`ValidUpload`] and [`ValidQuery`] are the extractors that check it before a handler runs.
//! - What was refused is a 422 for a JSON client. A browser is sent back to its form, where [`errors()`] and
//!   [`old()`] give the messages and the input again, secrets excepted.
//! - Messages are English sentences with named placeholders, which are also the keys of an app's translations.
//!
//! ```
//! use housekey_core::{Result, Secret};
//! use housekey_http::validation::{Valid, Validated};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, Validated)]
//! # #[validate(crate = "housekey_http::validation")]
//! struct SignUp {
//!     #[validate(required, max(120))]
//!     name: String,
//!     #[validate(required, email, max(254))]
//!     email: String,
//!     #[validate(required, min(8), confirmed)]
//!     password: Secret,
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
#[cfg(feature = "types")]
mod keywords;
mod kind;
mod lenient;
mod memory_limit;
mod messages;
mod pairs;
mod rules;
mod secrets;
#[cfg(feature = "database")]
mod stored;
mod upload;
mod validated;
mod words;

pub use back::flash_unread;
pub use errors::{ErrorBag, errors, old, old_choice, old_list, old_list_or, old_or};
pub use extract::{Valid, ValidQuery, ValidUpload};
pub use form_body::form_text;
pub use housekey_macros::Validated;
pub use rules::FieldRules;
pub use upload::{UploadedFile, Uploads};
pub use validated::{Validated, validate, validate_texts};

pub(crate) use back::{origin_page, own_page, send_back};
#[cfg(feature = "types")]
pub(crate) use fields::FieldNames;
pub(crate) use form_body::FormBody;
#[cfg(feature = "types")]
pub(crate) use keywords::keywords;
pub(crate) use memory_limit::MemoryLimit;
#[cfg(feature = "database")]
pub(crate) use stored::lost_race;

/// What `#[derive(Validated)]` writes into an app.
#[doc(hidden)]
pub mod derive {
    pub use housekey_core::{FieldErrors, Result};

    pub use super::kind::{AnyKind, Kind, KindOf};
    pub use super::rules::Rules;
}
