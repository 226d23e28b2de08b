//! Two doors lead to every action on an account: a route of the app and an endpoint of the engine. What it asks for is
//! the same at both.
#[allow(dead_code, reason = "the engine's own tests use all of it")]
#[path = "../../../housekey-engine/tests/passkey/authenticator.rs"]
mod authenticator;
mod confirmation;
mod demands;
mod keys_and_devices;
mod listed;
mod passkeys;
mod setup;
mod ways_in;
