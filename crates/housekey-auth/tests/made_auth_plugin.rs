//! What `housekey make:auth-plugin door-pass` writes, in the surroundings it expects: the tests that run here are its own.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs, unreachable_pub, reason = "a file that the console wrote looks as it does in an app")]

#[path = "../../housekey-console/tests/made/auth_plugins/door_pass.rs"]
mod door_pass;

extern crate self as housekey;
pub(crate) use housekey_auth as auth;
pub(crate) use housekey_macros::test;
pub(crate) use housekey_testing as testing;
#[allow(clippy::single_component_path_imports, reason = "the file says `housekey::serde_json`")]
pub(crate) use serde_json;

/// An app that knows nothing of the plugin: its tests need none that does.
fn app() -> housekey_http::App {
    housekey_http::App::new(housekey_core::ConfigFiles::new())
}
