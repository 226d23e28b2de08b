//! Accounts in an app, in one program: as many as there are folders, each would be linked with all of the framework.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod api_keys;
mod confirm;
#[cfg(all(feature = "jwt", feature = "passkeys", feature = "social"))]
mod doors;
mod events;
mod layer;
mod log;
mod mail;
mod organizations;
mod policies;
mod support;
#[cfg(feature = "http-client")]
mod ways;
