//! Admins: people who see, change, ban, remove and act as other people.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::admin;
//! use housekey_engine::{Engine, MemoryStorage};
//!
//! let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
//! let engine = Engine::builder(options).plugins([admin(Default::default())]).build(MemoryStorage::new()).unwrap();
//! assert!(engine.endpoints().iter().any(|endpoint| endpoint.path() == "/admin/list-users"));
//! ```
//!
//! What somebody may do, their role says ([`AdminOptions::access`]); who counts as an admin, [`AdminOptions::admin_roles`] and
//! [`AdminOptions::admin_user_ids`] say. Beyond the reference:
//!
//! - Only an admin makes, changes, bans or removes an admin, whatever else other roles may do.
//! - There is always an admin left who is not banned, also when two of them go at the same moment.
//! - Nobody is told the token of somebody else's session.
//! - The functions of this module are the endpoints for server code: [`list_users`], [`ban_user`], … They ask whether whoever is
//!   signed in may do that, as the endpoints do.
//! - Everything that is done to somebody is a [`SecurityEvent`](crate::SecurityEvent) about them, with `by`.

mod appoint;
mod ban;
mod codes;
mod create_user;
mod factors;
mod get_user;
mod has_permission;
mod impersonate;
mod last_admin;
mod list_users;
mod options;
mod permission;
mod remove_user;
mod roles;
mod sessions;
mod set_role;
mod set_user_password;
mod stop_impersonating;
mod target;
mod update_user;
mod user_data;

use std::sync::Arc;

pub use appoint::appoint_admin;
pub use ban::{Ban, ban_user, unban_user};
pub use codes::*;
pub use factors::{Factors, reset_two_factor, send_password_reset, user_factors};
pub use get_user::find_user;
pub use impersonate::impersonate_user;
pub use list_users::{UserFilter, UserQuery, UserSearch, count_users, list_users};
pub use options::{AdminOptions, BannedMessage};
pub use permission::{is_admin, is_allowed};
pub use remove_user::remove_user;
pub use sessions::{list_user_sessions, revoke_user_session, revoke_user_sessions};
pub use set_role::set_role;
pub use stop_impersonating::{forget_admin_session, stop_impersonating};

use crate::hooks::{BeforeWrite, DatabaseHooks};
use crate::schema::{Column, SchemaContribution};
use crate::{Api, ApiError, Plugin, Record, Result};

/// Admins: people who see, change, ban, remove and act as other people.
pub fn admin(options: AdminOptions) -> Plugin {
    let plugin = Plugin::new("admin")
        .schema(schema(&options))
        .database_hooks(first_role(&options))
        .session_guard(|api, user| Box::pin(ban::admit(api, user)))
        .removal_guard(|api, changes, user| Box::pin(last_admin::before_removal(api, changes, user)))
        .before(|api| Box::pin(stop_impersonating::before_sign_out(api)))
        .endpoint(list_users::endpoint())
        .endpoint(get_user::endpoint())
        .endpoint(create_user::endpoint())
        .endpoint(update_user::endpoint())
        .endpoint(set_role::endpoint())
        .endpoint(ban::ban_endpoint())
        .endpoint(ban::unban_endpoint())
        .endpoint(set_user_password::endpoint())
        .endpoint(remove_user::endpoint())
        .endpoint(sessions::list_endpoint())
        .endpoint(sessions::revoke_endpoint())
        .endpoint(sessions::revoke_all_endpoint())
        .endpoint(impersonate::endpoint())
        .endpoint(stop_impersonating::endpoint())
        .endpoint(has_permission::endpoint());
    let plugin = match options.problem() {
        Some(problem) => plugin.problem(problem),
        None => plugin,
    };
    plugin.state(Arc::new(options))
}

fn schema(options: &AdminOptions) -> SchemaContribution {
    SchemaContribution::new()
        .column("user", Column::text("role").nullable().read_only())
        .column("user", Column::boolean("banned").nullable().default_value(false).read_only())
        .column("user", Column::text("banReason").nullable().read_only())
        .column("user", Column::date("banExpires").nullable().read_only())
        .column("session", Column::text("impersonatedBy").nullable().read_only())
        // A list without a wish is in the first order; without an index every page of it would read all users.
        .index("user", ["createdAt", "id"])
        .index("user", ["name", "id"])
        .search_index("user", "email")
        .search_index("user", "name")
        .names(&options.schema)
}

/// Gives everybody who is created a role.
fn first_role(options: &AdminOptions) -> DatabaseHooks {
    let role = options.default_role.clone();
    DatabaseHooks::new().before_create("user", move |user: Record| {
        let role = role.clone();
        async move {
            Ok::<_, ApiError>(match user.has("role") {
                true => BeforeWrite::Proceed,
                false => BeforeWrite::ProceedWith(Record::new().with("role", role)),
            })
        }
    })
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<AdminOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the admin plugin was called", "it is not among the engine's plugins")
    })
}
