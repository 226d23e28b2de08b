//! Names to sign in with, beside the address.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::username;
//! use housekey_engine::Engine;
//!
//! # let options = EngineOptions::default();
//! let builder = Engine::builder(options).plugins([username(Default::default())]);
//! # let _ = builder;
//! ```
//!
//! A user has a `username`, in the form in which it is looked up, and a `displayUsername`, as it was typed. Sign-up and
//! `/update-user` take both. The functions of this module are the endpoints for server code: [`sign_in`], [`is_available`].
//!
//! # Where this differs from the reference
//!
//! - Wrong passwords are counted together with those that are tried with the address: it is one account with one lock.
//! - `/is-username-available` is throttled, and can be left to those who are signed in ([`Availability`]). So is looking for a name
//!   by changing one's own.
//! - What is shown is the name as it was typed, and changes with it. The reference shows whatever somebody likes, another's name
//!   too; an app that wants that says what may be shown
//!   ([`display_username_validator`](UsernameOptions::display_username_validator)).
//! - Some names are [reserved](UsernameOptions::reserved): `admin` is nobody's.
//! - Where an app allows more letters than the usual ones, names that look like others are refused.
//! - Where sign-up does not tell that an address is taken, the name that was asked for with it is nobody else's from then on: else
//!   it would tell.

pub mod codes;

mod fields;
mod is_available;
mod lookalikes;
mod options;
mod reserved;
mod rules;
mod sign_in;
mod taken;

use std::sync::Arc;

pub use is_available::is_available;
pub use options::{Availability, UsernameOptions};
pub use sign_in::{SignInUsername, sign_in};

use crate::hooks::{BeforeWrite, DatabaseHooks};
use crate::options::RateRule;
use crate::schema::{Column, SchemaContribution};
use crate::storage::Filter;
use crate::{Api, ApiError, Plugin, Record, Result, User};

/// The column with the name as it is looked up.
const USERNAME: &str = "username";
/// The column with the name as it was typed.
const DISPLAY_USERNAME: &str = "displayUsername";

/// How many names one client may learn of whether they are taken. Enough for somebody who thinks of a name while typing, and few for
/// whoever goes through a list.
const LOOKS: RateRule = RateRule { window: 60, max: 20 };

/// Names to sign in with, beside the address.
pub fn username(options: UsernameOptions) -> Plugin {
    let options = Arc::new(options);
    let judging = Arc::clone(&options);
    let mut plugin = Plugin::new("username")
        .schema(schema(&options))
        .database_hooks(hooks(&options))
        .user_fields(move |api, asked| {
            let options = Arc::clone(&judging);
            Box::pin(async move { fields::judge(api, &options, asked).await })
        })
        .endpoint(sign_in::endpoint());
    if options.availability != Availability::Nobody {
        plugin = plugin.endpoint(is_available::endpoint()).rate_rule("/is-username-available", LOOKS);
    }
    if let Some(problem) = options.problem() {
        plugin = plugin.problem(problem);
    }
    plugin.state(options)
}

fn schema(options: &UsernameOptions) -> SchemaContribution {
    let mut schema = SchemaContribution::new().column("user", Column::text(USERNAME).nullable().unique());
    if options.display_username {
        schema = schema.column("user", Column::text(DISPLAY_USERNAME).nullable());
    }
    schema.names(&options.schema)
}

/// Whoever writes a name, it is stored in the form in which it is looked up.
fn hooks(options: &Arc<UsernameOptions>) -> DatabaseHooks {
    let (creating, updating) = (Arc::clone(options), Arc::clone(options));
    DatabaseHooks::new()
        .before_create("user", move |user: Record| normalised(Arc::clone(&creating), user))
        .before_update("user", move |user: Record| normalised(Arc::clone(&updating), user))
}

async fn normalised(options: Arc<UsernameOptions>, user: Record) -> Result<BeforeWrite> {
    Ok(match user.text(USERNAME).map(|typed| (typed, rules::normalise(&options, typed))) {
        Some((typed, name)) if typed != name => BeforeWrite::ProceedWith(Record::new().with(USERNAME, name)),
        _ => BeforeWrite::Proceed,
    })
}

/// Who has a name, in the form in which it is looked up.
async fn find(api: &Api, name: &str) -> Result<Option<User>> {
    // No database can be asked for a text with a NUL in it.
    if name.contains('\0') {
        return Ok(None);
    }
    let found = api.storage().find_one(api.table("user")?, &Filter::by(USERNAME, name)).await?;
    found.map(User::from_record).transpose()
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<UsernameOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the username plugin was called", "it is not among the engine's plugins")
    })
}
