//! A session handed to another browser, or to another domain, with a token that works once.
//!
//! Whoever is signed in gets a token; whoever brings it within three minutes has the same session. It is for an app whose parts
//! live on domains that share no cookies, and for a desktop program that a browser signs in.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::one_time_token;
//! use housekey_engine::Engine;
//!
//! # let options = EngineOptions::default();
//! let builder = Engine::builder(options).plugins([one_time_token(Default::default())]);
//! # let _ = builder;
//! ```
//!
//! The token is tied to the session: one that ended in the meantime is not given to anybody. The functions of this module are the
//! endpoints for server code: [`generate`], [`verify`].
//!
//! # Where this differs from the reference
//!
//! - Tokens are stored hashed unless the options say otherwise ([`StoredToken::Plain`]).
//! - A request that a foreign page made a browser send is refused: being signed in as somebody else is an attack as well.

mod generate;
mod header;
mod options;
mod verify;

use std::sync::Arc;

pub use generate::generate;
pub use options::{OneTimeTokenOptions, StoredToken};
pub use verify::verify;

use crate::{Api, ApiError, Plugin, Result};

/// A session handed to another browser, or to another domain, with a token that works once.
pub fn one_time_token(options: OneTimeTokenOptions) -> Plugin {
    let mut plugin =
        Plugin::new("one-time-token").endpoint(generate::endpoint()).endpoint(verify::endpoint());
    if options.set_header_on_new_session {
        plugin = plugin.after(|api, response| Box::pin(header::hand_out(api, response)));
    }
    plugin.state(Arc::new(options))
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<OneTimeTokenOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the one-time-token plugin was called", "it is not among the engine's plugins")
    })
}
