//! Several accounts in one browser, one of them active.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::multi_session;
//! use housekey_engine::Engine;
//!
//! # let options = EngineOptions::default();
//! let builder = Engine::builder(options).plugins([multi_session(Default::default())]);
//! # let _ = builder;
//! ```
//!
//! Beside the cookie of the active session there is one for each session of the browser, signed like it. Whoever signs in as
//! somebody else keeps the sessions that were there, whatever
//! [`revoke_on_sign_in`](crate::options::SessionOptions::revoke_on_sign_in) says; signing out ends all of them. A token in a
//! request is never enough to switch: the browser must hold the signed cookie of that very session. A second factor is asked for
//! before there is a session, so what is not passed is in no list.
//!
//! The functions of this module are the endpoints for server code: [`list`], [`set_active`], [`revoke`]; and [`sign_out`], which
//! leaves the other accounts signed in.
//!
//! # Where this differs from the reference
//!
//! - The cookie of a session that ends with the browser ends with it too.
//! - It is set again whenever the session's own cookie is, so that it does not run out sooner.
//! - Cookies of sessions that have ended do not count towards the maximum, and are taken away at the next sign-in.
//! - A cookie whose name is that of another session is not believed.
//! - A session that was there before, without such a cookie, gets one when somebody else signs in.
//! - Somebody an admin acts as is not among the accounts of the admin's browser.

pub mod codes;

mod cookies;
mod keep;
mod list;
mod options;
mod revoke;
mod set_active;
mod sign_out;

use std::sync::Arc;

pub use list::list;
pub use options::MultiSessionOptions;
pub use revoke::revoke;
pub use set_active::set_active;
pub use sign_out::sign_out;

use crate::{Api, ApiError, Plugin, Reply, Result, SessionView, SignedIn, UserView};

/// Several accounts in one browser, one of them active.
pub fn multi_session(options: MultiSessionOptions) -> Plugin {
    Plugin::new("multi-session")
        .keeps_session(|presented, user_id| {
            // An admin who acts as somebody has not signed in as them: that session has no cookie of its own, and would live on.
            presented.user.id != user_id && presented.session.impersonated_by().is_none()
        })
        .after(|api, _| Box::pin(keep::after_request(api)))
        .sign_out(|api| Box::pin(sign_out::end_all(api)))
        .endpoint(list::endpoint())
        .endpoint(set_active::endpoint())
        .endpoint(revoke::endpoint())
        .state(Arc::new(options))
}

/// A session and its user, as clients see them.
#[derive(serde::Serialize)]
struct AccountView<'a> {
    session: SessionView<'a>,
    user: UserView<'a>,
}

impl<'a> AccountView<'a> {
    fn of(api: &'a Api, account: &'a SignedIn) -> Result<Self> {
        Ok(Self { session: api.session_view(&account.session)?, user: api.user_view(&account.user)? })
    }
}

fn status() -> Result<Reply> {
    Reply::json(&serde_json::json!({ "status": true }))
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<MultiSessionOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the multi-session plugin was called", "it is not among the engine's plugins")
    })
}
