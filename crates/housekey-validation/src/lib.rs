//! Validation: from what a client sent to a value the app can trust. Nothing here knows of a request; `housekey-http` reads
//! those, and has the extractors.
//!
//! - [`Validated`] says what some input must look like, by rules on the fields of a struct. [`FieldRules`] has them all.
//! - [`validate`] and [`validate_texts`] check values that are at hand. [`RawInput`] is what was read from a request; arranged
//!   by the [`Rules`] it is an [`Input`], which [`validate_input`] checks.
//! - [`uploads`] are the files among the fields.
//! - Messages are English sentences with named placeholders, which are also the keys of an app's translations.
//!
//! What is asked, and in which order: the rules (`check/`), then the types of the fields (`lenient.rs`), then what the type
//! itself asks ([`Validated::after`]). The rules `unique` and `exists` look into the database (feature `database`), and leave
//! behind whom to tell when another request was faster (`stored.rs`).

pub mod uploads;

#[cfg(feature = "database")]
mod bound_rows;
mod check;
#[cfg(feature = "database")]
mod database_rules;
#[cfg(feature = "types")]
mod fields;
mod formats;
mod input;
#[cfg(feature = "types")]
mod keywords;
mod kind;
mod lenient;
mod messages;
mod rules;
mod secrets;
#[cfg(feature = "database")]
mod stored;
mod validated;
mod words;

#[cfg(feature = "database")]
pub use bound_rows::remember_bound_row;
#[cfg(feature = "types")]
pub use fields::FieldNames;
pub use housekey_macros::Validated;
pub use input::{FRAMEWORK_FIELDS, Input, RawInput};
#[cfg(feature = "types")]
pub use keywords::keywords;
pub use rules::{FieldRules, Rules};
pub use secrets::is_secret_name;
#[cfg(feature = "database")]
pub use stored::lost_race;
pub use validated::{Validated, validate, validate_input, validate_texts};

/// What `#[derive(Validated)]` writes into an app.
#[doc(hidden)]
pub mod derive {
    pub use housekey_core::{FieldErrors, Result};

    pub use crate::kind::{AnyKind, Kind, KindOf};
    pub use crate::rules::Rules;
}
