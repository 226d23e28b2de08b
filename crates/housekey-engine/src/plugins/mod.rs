//! The plugins that come with the engine. They use nothing that another plugin could not.

pub mod bearer;
pub mod two_factor;

pub use bearer::{BearerOptions, bearer};
pub use two_factor::{TwoFactorOptions, two_factor};
