//! Validation: from what a client sent to a value the app can trust.
//!
//! - [`Validated`] says what a form, a JSON body or a query string must look like, by rules on the fields of a struct.
//!   [`FieldRules`] has them all.
//! - [`Valid`], [`ValidUpload`] and [`ValidQuery`] are the extractors that check it before a handler runs.
//! - What was refused is a 422 for a JSON client. A browser is sent back to its form, where [`errors()`] and
//!   [`old()`] give the messages and the input again, secrets excepted.
//! - Messages are English sentences with named placeholders, which are also the keys of an app's translations.
//!
//! The rules and their checking are `housekey-validation`; here is what reads a request for them and answers a refusal.
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
mod errors;
mod extract;
mod form_body;
mod memory_limit;
mod pairs;
mod read_input;
mod upload;

pub use back::flash_unread;
pub use errors::{ErrorBag, errors, old, old_choice, old_list, old_list_or, old_or};
pub use extract::{Valid, ValidQuery, ValidUpload};
pub use form_body::form_text;
#[doc(hidden)]
pub use housekey_validation::derive;
pub use housekey_validation::{FieldRules, Validated, validate, validate_texts};
pub use upload::{UploadedFile, Uploads};

pub(crate) use back::{origin_page, own_page, send_back};
pub(crate) use form_body::FormBody;
pub(crate) use memory_limit::MemoryLimit;
