//! The plugins that come with the engine.

pub mod admin;
pub mod bearer;
mod listing;
pub mod organization;
#[cfg(feature = "passkeys")]
pub mod passkey;
pub mod two_factor;

pub use admin::{AdminOptions, admin};
pub use bearer::{BearerOptions, bearer};
pub use organization::{OrganizationOptions, TeamOptions, organization};
#[cfg(feature = "passkeys")]
pub use passkey::{PasskeyOptions, passkey};
pub use two_factor::{TwoFactorOptions, two_factor};
