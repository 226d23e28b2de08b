//! Refuses passwords that are known from thefts, wherever a password is set.
//!
//! The service that knows them ([Have I Been Pwned](https://haveibeenpwned.com/API/v3#PwnedPasswords)) does not learn the password: it
//! is sent five letters of its SHA-1, answers with everything that begins with them, padded so that not even the length tells
//! anything, and the rest is compared here.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::breached_passwords;
//! use housekey_engine::Engine;
//!
//! let builder = Engine::builder(EngineOptions::default()).plugins([breached_passwords(Default::default())]);
//! # let _ = builder;
//! ```
//!
//! Server code asks with [`is_breached`].
//!
//! # Where this differs from the reference
//!
//! - It holds wherever a password is set, server code included, and has no list of paths.
//! - [`when_unavailable`](BreachedPasswordsOptions::when_unavailable) can take passwords while the service is down.
//! - Answers are kept for a few minutes, so that somebody who tries the same password twice is not held up twice.

mod cache;
mod check;
mod options;
mod range;

use std::sync::Arc;

pub use check::is_breached;
pub use options::BreachedPasswordsOptions;

pub use crate::http_client::WhenUnavailable;
use crate::{Api, ApiError, Plugin, Result};

/// Refuses passwords that are known from thefts, wherever a password is set.
pub fn breached_passwords(options: BreachedPasswordsOptions) -> Plugin {
    let client = options.client();
    let engine_options = options.clone();
    Plugin::new("have-i-been-pwned")
        .password_check(|api, password| Box::pin(check::refuse_breached(api, password)))
        .engine_state(move || check::Service::new(Arc::clone(&client), &engine_options))
        .state(Arc::new(options))
}

/// The plugin's options, as far as the engine has the plugin.
fn options_of(api: &Api) -> Result<Arc<BreachedPasswordsOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the have-i-been-pwned plugin was called", "it is not among the engine's plugins")
    })
}
