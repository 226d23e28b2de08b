//! Accounts for Housekey: the auth engine inside the framework.
//!
//! Nothing here hashes a password, signs a token or checks a link: the [`engine`] does, and knows nothing of this. This
//! layer gives it the app's database, cache, clock and mail, and gives the app who is signed in.
//!
//! A short tour:
//!
//! - [`AuthConfig`] (`config/auth.rs`) is a few settings of this layer; everything else in it is the engine's. [`config`] is what
//!   that file imports.
//! - [`AuthProvider`] brings it into an app: the engine's endpoints below `base_path`, the guards, the services.
//! - [`user`], [`session`], [`require_user`] say who is there; [`when_auth`] and [`when_guest`] do in views, [`user_of`] in a
//!   websocket's handler. [`CurrentUser`] and [`CurrentSession`] are extractors.
//! - [`identify_again`] asks who a request would be from now, and [`AccountChanges`] tells when to: for streams that outlive it.
//! - [`accounts`] are those that this browser is signed in with, where the plugin `multi_session` is on; [`switch_account`] goes from
//!   one to the other.
//! - [`organization`] and [`require_organization`] say which organisation the request is for, [`CurrentOrganization`] is the
//!   extractor; [`invited`] leads a new or known person in.
//! - [`api`] is the engine on behalf of the present request: sign in, sign out, change a password.
//!   [`OrHttpError`] turns what it refuses into the framework's errors.
//! - [`schema`] is what `auth:schema` writes: the tables of the configuration as a migration.
//! - [`notifications`] are the mails about accounts and organisations.
//! - [`guards`] stand in front of routes: `auth`, `guest`, `verified`, `password.confirm`, `offers:feature`, `can:ability`,
//!   `member`, `role:owner`, `admin`.
//! - [`Demands`] says once what an [`Action`] on an account asks for; the guard `action:name` and the engine's endpoints
//!   both go by it.
//! - [`social_providers`] are the buttons for signing in with others; in development an OpenID provider of the app's own stands in
//!   for them.
//! - [`events`] tell what happened to accounts: in the log, in a table, to the person.
//! - [`prune`] removes rows that have run out.
//! - [`gate`] says who may do what: abilities, policies, [`can`](gate::can).
//!
//! ```
//! use housekey_auth::engine::{SignIn, SignInEmail};
//! use housekey_auth::{OrHttpError, api};
//! use housekey_core::Result;
//! use housekey_http::response::{Redirect, redirect};
//!
//! async fn sign_in(email: String, password: String) -> Result<Redirect> {
//!     let input = SignInEmail { email, password: password.into(), ..Default::default() };
//!     Ok(match api()?.sign_in_email(input).await.or_field_error("email")? {
//!         SignIn::Done(_) => redirect("/dashboard"),
//!         SignIn::Challenged(_) => redirect("/two-factor-challenge"),
//!     })
//! }
//! ```

pub mod config;
pub mod events;
pub mod gate;
pub mod guards;
pub mod notifications;
pub mod prune;
pub mod schema;

mod accessors;
mod account;
mod accounts;
mod address;
mod api_key;
mod assembly;
mod auth;
mod call;
mod changes;
mod checks;
mod current;
mod demands;
mod description;
#[cfg(all(feature = "social", debug_assertions))]
mod dev_provider;
mod device;
mod ended;
mod epoch;
mod extract;
mod feature;
mod identify_again;
mod limits;
mod mount;
mod or_http_error;
mod organization;
mod provider;
mod qr;
mod social;

/// The auth engine: options, plugins, the functions of its API.
pub use housekey_engine as engine;
pub use housekey_engine::{Session, User};

pub use accessors::{
    impersonated_by, is_admin, require_user, session, signed_cookie, user, user_of, when_auth, when_guest,
};
pub use account::{Account, create_account};
pub use accounts::{SignedInAccount, accounts, add_account, sign_out_account, switch_account};
pub use api_key::{KeyOwner, VerifiedKey, api_key, require_api_key};
pub use auth::Auth;
pub use call::{api, sign_out};
pub use changes::AccountChanges;
pub use config::{AuthConfig, Identity, MailPages, Notices};
pub use demands::{Action, Demand, Demands};
pub use device::Device;
pub use ended::session_ended;
pub use extract::{CurrentSession, CurrentUser};
pub use feature::{Feature, offers};
pub use identify_again::identify_again;
pub use or_http_error::OrHttpError;
pub use organization::{
    ActiveOrganization, CurrentOrganization, Invited, InvitedOutcome, InvitedSignUp, invited, organization,
    refresh_organization, require_organization,
};
pub use provider::AuthProvider;
pub use qr::qr_svg;
pub use social::{SocialProvider, social_providers};
