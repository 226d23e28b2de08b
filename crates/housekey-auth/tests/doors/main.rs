//! Two doors lead to every action on an account: a route of the app and an endpoint of the engine. What it asks for is
//! the same at both.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[allow(dead_code, reason = "the engine's own tests use all of it")]
#[path = "../../../housekey-engine/tests/passkey/authenticator.rs"]
mod authenticator;
mod confirmation;
mod demands;
mod keys_and_devices;
mod listed;
mod passkeys;
mod setup;
#[allow(dead_code, reason = "each test file uses its part")]
#[path = "../layer/support.rs"]
mod support;
mod ways_in;
