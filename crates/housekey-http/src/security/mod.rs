//! Security headers: strict by default, per directive in `config/security.rs`, and never over what a route said itself.

mod config;
mod csp;
mod headers;
mod sources;

pub use config::{CspConfig, HstsConfig, SecurityConfig, sources};
pub use sources::{CspSources, allow_sources};

pub(crate) use headers::SecurityHeaders;
