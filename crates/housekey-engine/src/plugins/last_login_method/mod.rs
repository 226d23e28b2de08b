//! By what somebody signed in last, so that a page can offer it first.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::last_login_method;
//! use housekey_engine::Engine;
//!
//! # let options = EngineOptions::default();
//! let builder = Engine::builder(options).plugins([last_login_method(Default::default())]);
//! # let _ = builder;
//! ```
//!
//! It stands in a cookie that scripts can read, and no endpoint is needed; server code reads it with [`last`]. It is the browser's
//! word: it decides what is shown first, and nothing else.
//!
//! # Where this differs from the reference
//!
//! - A sign-in that ends with a second factor counts, by what it began with.
//! - `username` is a method too.

mod options;
mod remember;
mod resolve;

use std::sync::Arc;

pub use options::{LastLoginMethodOptions, Login};
pub use remember::last;

use crate::schema::{Column, SchemaContribution};
use crate::{Api, ApiError, Plugin, Result};

/// The column that keeps it with the user.
const COLUMN: &str = "lastLoginMethod";

/// By what somebody signed in last, so that a page can offer it first.
pub fn last_login_method(options: LastLoginMethodOptions) -> Plugin {
    let mut plugin = Plugin::new("last-login-method").after(|api, _| {
        Box::pin(async move {
            remember::after_sign_in(api).await;
            Ok(())
        })
    });
    if options.store_in_database {
        let column = Column::text(COLUMN).nullable().read_only();
        plugin = plugin
            .schema(SchemaContribution::new().column("user", column).names(&options.schema))
            .user_fields(|api, asked| Box::pin(remember::at_sign_up(api, asked)));
    }
    plugin.state(Arc::new(options))
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<LastLoginMethodOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the last-login-method plugin was called", "it is not among the engine's plugins")
    })
}
