//! Visitors who get an account before they say who they are, and keep what is theirs when they do.
//!
//! ```
//! use housekey_engine::plugins::anonymous::{AnonymousOptions, LinkedAccount, anonymous};
//! use housekey_engine::{ApiError, Callback};
//!
//! let plugin = anonymous(AnonymousOptions {
//!     on_link_account: Callback::new(|linked: LinkedAccount| async move {
//!         println!("the basket of {} belongs to {} now", linked.anonymous.user.id, linked.user.user.id);
//!         Ok::<_, ApiError>(())
//!     }),
//!     ..Default::default()
//! });
//! # let _ = plugin;
//! ```
//!
//! Whoever is signed in anonymously and then signs in or up in the same browser, by whatever method, is linked: the callback is
//! told, then the anonymous user is deleted with its sessions. A second factor in between changes nothing of that.
//!
//! The functions of this module are the endpoints for server code: [`sign_in`], [`delete`].
//!
//! # Where this differs from the reference
//!
//! - A callback that fails keeps the anonymous user, and the person is signed in all the same. The next sign-in in the browser
//!   tries it again. The reference answers 500 with the session already begun.
//! - Of two sign-ins at the same time, one links.
//! - Somebody who came anonymously and has another way in by now, such as a provider, is anonymous no more for what counts: they are
//!   neither linked nor deleted, and `/delete-anonymous-user` refuses them. Whoever gets an address is not even called so.
//! - A sign-in that ends with a second factor links too.

pub mod codes;

mod delete;
mod link;
mod options;
mod sign_in;

use std::sync::Arc;

pub use delete::delete;
pub use options::{AnonymousOptions, LinkedAccount};
pub use sign_in::sign_in;

use crate::hooks::{BeforeWrite, DatabaseHooks};
use crate::schema::{Column, SchemaContribution};
use crate::storage::Filter;
use crate::{Api, ApiError, Plugin, Record, Result, User, Value};

/// The column that says so.
const IS_ANONYMOUS: &str = "isAnonymous";

/// Visitors who get an account before they say who they are, and keep what is theirs when they do.
pub fn anonymous(options: AnonymousOptions) -> Plugin {
    let column = Column::boolean(IS_ANONYMOUS).nullable().default_value(false).read_only();
    Plugin::new("anonymous")
        .schema(SchemaContribution::new().column("user", column).names(&options.schema))
        .database_hooks(
            DatabaseHooks::new()
                .before_update("user", |changes| async move { Ok::<_, ApiError>(named(&changes)) }),
        )
        // It ends when it is linked, and not before.
        .keeps_session(|presented, user_id| is_anonymous(&presented.user) && presented.user.id != user_id)
        .after(|api, _| {
            Box::pin(async move {
                link::after_sign_in(api).await;
                Ok(())
            })
        })
        .endpoint(sign_in::endpoint())
        .endpoint(delete::endpoint())
        .state(Arc::new(options))
}

/// Whether a user has not said yet who they are. The user tells; no storage is asked.
pub fn is_anonymous(user: &User) -> bool {
    user.fields.get(IS_ANONYMOUS).and_then(Value::as_bool).unwrap_or(false)
}

/// Whoever gets an address, or proves one, has said who they are.
fn named(changes: &Record) -> BeforeWrite {
    let is_proven = changes.get("emailVerified").and_then(Value::as_bool) == Some(true);
    match changes.has("email") || is_proven {
        true => BeforeWrite::ProceedWith(Record::new().with(IS_ANONYMOUS, false)),
        false => BeforeWrite::Proceed,
    }
}

/// Whether somebody is anonymous and could not come back in another way: else it is an account, which a session alone must not
/// delete and whose belongings are not for the next one who signs in.
async fn is_visitor(api: &Api, user: &User) -> Result<bool> {
    if !is_anonymous(user) || user.email_verified {
        return Ok(false);
    }
    for table in ["account", "passkey"] {
        let Some(table) = api.schema().table(table) else { continue };
        if api.storage().find_one(table, &Filter::by("userId", &user.id)).await?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<AnonymousOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the anonymous plugin was called", "it is not among the engine's plugins")
    })
}
