//! What both the auth engine and the framework stand on, and nothing that knows either of them.
//!
//! - [`Secret`] is text that does not print; [`constant_time_eq`] compares without telling where two texts differ.
//! - [`Clock`] is where time comes from, so that a test can stop it.
//! - [`random`] has tokens and ids that nobody can guess.
//! - [`iso8601`] writes times and days.
//! - [`IpRange`] is a network such as `10.0.0.0/8`.
//! - [`is_email`] is the one rule for e-mail addresses.
//! - [`BoundedMap`] is a map whose memory has an end.
//! - [`cookies`] reads the cookies of a request; [`SameSite`] says which requests carry one.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::panic))]

pub mod cookies;
pub mod iso8601;
pub mod random;

mod bounded_map;
mod clock;
mod email;
mod ip_range;
mod same_site;
mod secret;

pub use bounded_map::BoundedMap;
pub use clock::Clock;
pub use email::is_email;
pub use ip_range::{InvalidIpRange, IpRange};
pub use same_site::SameSite;
pub use secret::{Secret, constant_time_eq};
