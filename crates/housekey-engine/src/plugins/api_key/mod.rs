//! API keys: what a script or another server shows instead of a session.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::api_key;
//! use housekey_engine::{Engine, MemoryStorage};
//!
//! let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
//! let plugins = [api_key(Default::default())];
//! let engine = Engine::builder(options).plugins(plugins).build(MemoryStorage::new()).unwrap();
//! assert!(engine.endpoints().iter().any(|endpoint| endpoint.path() == "/api-key/create"));
//! ```
//!
//! A key is shown once, when it is made; the storage has its hash. It belongs to a user or to an organisation, and ends with it. The
//! functions of this module are the endpoints for server code ([`create`], [`list`], [`find`], [`update`], [`delete`]), and more:
//! [`verify`] says whose a key is and counts its use, [`create_for`] makes one without anybody being signed in.
//!
//! # Where this differs from the reference
//!
//! - A key is never a session. No endpoint of the engine takes one, so none puts it into a cookie or gives it back as a token.
//! - No key is limited unless somebody said so: `rate_limit` is off. Where it is on, windows begin at fixed moments, so that somebody who
//!   stays below the limit is never refused.
//! - A use is counted by one statement of the database that looks at its own conditions. Where nothing is counted, the time of the last use
//!   is written once a minute, and not with every request.
//! - Keys end in a [checksum](has_checksum), so that scanners know one when they see it. Keys without it work too.
//! - A key in an address is refused: addresses are in logs and histories.
//! - Whoever acts as somebody else (an admin) makes and changes no keys: those would be there after they are gone.
//! - A banned user's keys do not work. Those of a deleted user are deleted with them.

mod address;
mod checksum;
mod codes;
mod create;
mod delete;
mod expired;
mod find;
mod generate;
mod input;
mod list;
mod lookup;
mod options;
mod owner;
mod row;
mod rules;
mod update;
mod usage;
mod verify;

use std::sync::Arc;

pub use address::has_key_in_query;
pub use checksum::has_checksum;
pub use codes::*;
pub use create::{CreatedApiKey, KeyFor, NewApiKey, create, create_for};
pub use delete::delete;
pub use expired::delete_expired;
pub use find::find;
pub use list::{KeyPage, KeyQuery, count, list};
pub use options::{ApiKeyConfig, ApiKeyOptions, KeyExpiration, KeyRateLimit, OwnerKind};
pub use owner::KeyOwner;
pub use row::{ApiKey, Refill};
pub use update::{ApiKeyChanges, update};
pub use verify::{KeyCheck, VerifiedKey, verify};

use crate::schema::{Column, SchemaContribution, Table};
use crate::storage::Filter;
use crate::{Api, ApiError, Changes, Plugin, Record, Result, User};

/// API keys: what a script or another server shows instead of a session.
pub fn api_key(options: ApiKeyOptions) -> Plugin {
    let plugin = Plugin::new("api-key")
        .schema(schema(&options))
        .before(|api| Box::pin(async move { address::check(api) }))
        .recovery("apikey", "referenceId", Record::new())
        .removal_guard(|api, changes, user| Box::pin(before_removal(api, changes, user)))
        .endpoint(create::endpoint())
        .endpoint(find::endpoint())
        .endpoint(list::endpoint())
        .endpoint(update::endpoint())
        .endpoint(delete::endpoint());
    let plugin = match options.problem() {
        Some(problem) => plugin.problem(problem),
        None => plugin,
    };
    plugin.state(Arc::new(options))
}

fn schema(options: &ApiKeyOptions) -> SchemaContribution {
    let number = |field: &'static str| Column::integer(field).nullable().read_only();
    let date = |field: &'static str| Column::date(field).nullable().read_only();
    let text = |field: &'static str| Column::text(field).nullable().read_only();
    let usual = options.configurations.first().map(|config| config.rate_limit).unwrap_or_default();
    let table = Table::new("apikey")
        .column_with(Column::text("configId").indexed().default_value(options::DEFAULT).read_only())
        .column_with(text("name"))
        .column_with(text("start"))
        // A user's or an organisation's, so that no foreign key can say which.
        .column_with(Column::text("referenceId").indexed().read_only())
        .column_with(text("prefix"))
        .column_with(Column::text("key").indexed().hidden().read_only())
        .column_with(number("refillInterval"))
        .column_with(number("refillAmount"))
        .column_with(date("lastRefillAt"))
        .column_with(Column::boolean("enabled").nullable().default_value(true).read_only())
        .column_with(Column::boolean("rateLimitEnabled").nullable().default_value(usual.enabled).read_only())
        .column_with(number("rateLimitTimeWindow").default_value(i64::from(usual.time_window)))
        .column_with(number("rateLimitMax").default_value(i64::from(usual.max_requests)))
        .column_with(number("requestCount").default_value(0_i64))
        .column_with(number("remaining"))
        .column_with(date("lastRequest"))
        .column_with(date("expiresAt"))
        .column_with(Column::date("createdAt").read_only())
        .column_with(Column::date("updatedAt").read_only())
        .column_with(text("permissions"))
        .column_with(text("metadata"));
    SchemaContribution::new().table(table).names(&options.schema)
}

/// Adds to the changes that delete a user the end of their keys.
async fn before_removal(api: &Api, changes: &mut Changes, user: &User) -> Result<()> {
    for config in options(api)?.of_kind(OwnerKind::User) {
        let theirs = Filter::by("referenceId", &user.id).and_by("configId", &config.config_id);
        changes.delete("apikey", theirs).await?;
    }
    Ok(())
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<ApiKeyOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the api-key plugin was called", "it is not among the engine's plugins")
    })
}
