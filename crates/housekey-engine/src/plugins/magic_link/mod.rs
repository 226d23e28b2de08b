//! Signing in with a link that is sent by mail.
//!
//! Asking for a link sends one that works once. Whoever opens it is signed in; somebody new gets an account, unless the options
//! say otherwise. A second factor is asked for as after a password.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::magic_link::{MagicLinkMail, MagicLinkOptions, magic_link};
//! use housekey_engine::{Callback, Engine};
//!
//! let send_magic_link = Callback::new(|mail: MagicLinkMail| async move {
//!     println!("to {}: a link", mail.email);
//!     Ok::<_, std::io::Error>(())
//! });
//! let links = magic_link(MagicLinkOptions { send_magic_link, ..Default::default() });
//! let builder = Engine::builder(EngineOptions::default()).plugins([links]);
//! # let _ = builder;
//! ```
//!
//! Programs that look through mails open the links in them. With [`confirm_url`](MagicLinkOptions::confirm_url) opening one shows
//! a page and spends nothing; its button does.
//!
//! The functions of this module are for server code: [`send`], [`inspect`], [`spend`].

mod browser;
mod codes;
mod inspect;
mod options;
mod row;
mod send;
mod spend;
mod verify;

use std::sync::Arc;

pub use codes::{LINK_OPENED_ELSEWHERE, SIGN_UP_DISABLED};
pub use inspect::{FoundLink, inspect};
pub use options::{MagicLinkMail, MagicLinkOptions, StoredToken};
pub use send::{SendMagicLink, send};
pub use spend::{SpentLink, spend};

use crate::{Api, ApiError, Plugin, Result};

/// The plugin. Without [`send_magic_link`](MagicLinkOptions::send_magic_link) it serves nothing.
pub fn magic_link(options: MagicLinkOptions) -> Plugin {
    let mut plugin = Plugin::new("magic-link");
    if options.send_magic_link.is_set() {
        plugin = plugin
            .rate_rule("/sign-in/magic-link*", options.rate_limit)
            .rate_rule("/magic-link/verify*", options.rate_limit)
            .endpoint(send::endpoint())
            .endpoint(verify::endpoint())
            .mailed_ways_in(|api, changes, user| Box::pin(row::end_all_in(api, changes, user)));
        if options.confirm_url.is_some() {
            plugin = plugin.endpoint(verify::spending_endpoint());
        }
    }
    plugin.state(Arc::new(options))
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<MagicLinkOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the magic-link plugin was called", "it is not among the engine's plugins")
    })
}
