//! Tokens that other services can check without asking: a JWT for whoever is signed in, and the public keys beside it.
//!
//! `GET /token` gives a token that lives for a quarter of an hour, `GET /jwks` the keys that it can be checked with. Whoever
//! reads the session gets one in the header `set-auth-jwt`. [`Verifier`](crate::jwt::Verifier) is for the services.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::jwt;
//! use housekey_engine::Engine;
//!
//! # let options = EngineOptions::default();
//! let builder = Engine::builder(options).plugins([jwt(Default::default())]);
//! # let _ = builder;
//! ```
//!
//! # Keys
//!
//! The first use makes a key; its private half is kept encrypted with the engine's secret. With
//! [`rotation_interval`](JwtOptions::rotation_interval) a new one takes its place from time to time, and the old one stays
//! published for [`grace_period`](JwtOptions::grace_period), so that tokens which are under way hold. A key that cannot be opened,
//! because the secret has changed, is replaced in the same way. Of several processes that find no key one makes it.
//!
//! A process keeps its key in memory and looks once a minute whether another one made a newer one.
//!
//! The functions of this module are for server code: [`token`], [`sign`], [`verify`], [`key_set`], [`rotate`].

mod algorithm;
mod claims;
mod endpoints;
mod header;
mod keyring;
mod keys;
mod lifetime;
mod options;
mod row;
mod token;
mod verify;

use std::sync::Arc;

pub use algorithm::Algorithm;
pub use keyring::{key_set, rotate};
pub use options::JwtOptions;
pub use token::{sign, token};
pub use verify::verify;

use crate::schema::{Column, SchemaContribution, Table};
use crate::{Api, ApiError, Plugin, Result};

/// Tokens that other services can check without asking: a JWT for whoever is signed in, and the public keys beside it.
pub fn jwt(options: JwtOptions) -> Plugin {
    let mut plugin = Plugin::new("jwt")
        .schema(schema(&options))
        .endpoint(endpoints::token())
        .engine_state(keyring::Keyring::default);
    // Who signs elsewhere has no keys here.
    if !options.sign.is_set() {
        plugin = plugin.endpoint(endpoints::key_set(options.jwks_path.clone()));
    }
    if !options.disable_setting_jwt_header {
        plugin = plugin.after(|api, response| Box::pin(header::set(api, response)));
    }
    if let Some(problem) = options.problem() {
        plugin = plugin.problem(problem);
    }
    plugin.state(Arc::new(options))
}

fn schema(options: &JwtOptions) -> SchemaContribution {
    let table = Table::new("jwks")
        .column_with(Column::text("publicKey"))
        .column_with(Column::text("privateKey").hidden())
        .column_with(Column::date("createdAt"))
        .column_with(Column::date("expiresAt").nullable())
        .column_with(Column::text("alg").nullable())
        .column_with(Column::text("crv").nullable());
    SchemaContribution::new().table(table).names(&options.schema)
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<JwtOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the jwt plugin was called", "it is not among the engine's plugins")
    })
}
