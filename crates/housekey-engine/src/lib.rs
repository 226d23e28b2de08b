//! An authentication engine that stands alone: an [`http`] request in, an [`http`] response out, rows behind a trait.
//!
//! It speaks the wire and data format of Better Auth, so that the official JavaScript clients work against it, and a
//! database, a cookie or a password hash of a JavaScript deployment works with it. It knows nothing of any framework.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use bytes::Bytes;
//! use housekey_engine::options::{EmailAndPassword, EngineOptions};
//! use housekey_engine::plugins::two_factor;
//! use housekey_engine::{Engine, MemoryStorage};
//!
//! let options = EngineOptions {
//!     secret: "a secret of at least thirty-two characters".into(),
//!     base_url: "http://localhost:3000".into(),
//!     email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
//!     ..Default::default()
//! };
//! let plugins = [two_factor(Default::default())];
//! let engine = Engine::builder(options).plugins(plugins).build(MemoryStorage::new()).unwrap();
//!
//! let body = r#"{"name":"Ada","email":"ada@example.com","password":"correct horse"}"#;
//! let request = http::Request::post("/api/auth/sign-up/email").header("content-type", "application/json");
//! let response = engine.handle(request.body(Bytes::from(body)).unwrap()).await;
//! assert_eq!(response.status(), 200);
//! # });
//! ```
//!
//! # A tour
//!
//! - [`Engine::builder`] takes [`options`](options::EngineOptions), [`Plugins`] and a [`Storage`](storage::Storage).
//!   [`Engine::handle`] answers requests, [`Engine::schema`] says which tables are needed, [`Engine::endpoints`] what is
//!   served.
//! - [`Api`] is the engine as functions: [`Api::sign_in_email`], [`Api::session`], … The endpoints call these too.
//! - What an option does not turn on does not exist: its endpoint answers 404 and is not listed.
//! - A [`Plugin`] is data: schema, endpoints, hooks, rate rules, a challenge. [`plugins`] has two-factor, bearer, admins,
//!   organisations and, with the feature `passkeys`, passkeys.
//! - `social`, with the feature of that name, signs people in with Google, GitHub and any OpenID provider.
//! - `jwt`, with the feature of that name, checks tokens of the plugin of the same name in another service.
//! - `http_client`, with the feature `http-client`, asks other hosts safely; plugins may use it.
//! - [`storage`] is the trait to implement for a database, with a suite to check it and a memory to start with.
//! - [`access`] says which role may do what; plugins and apps share it.
//! - [`testing`] is what the tests of a plugin are written with.
//! - [`hooks`] are called around requests and around every write.
//! - A [`SecurityEvent`] tells what happened to an account, for whoever has to look into it.
//! - An [`ApiError`] is a refusal with the answer it becomes; its [`codes`] are those that clients know.
//!
//! # What happens to a request
//!
//! Rate limit, content type and body, origin, hooks, validation, session, endpoint, hooks: in this order, so that a body
//! that is wrong says so before anyone asks who sent it. The cookies of an [`Api`] are added to whatever comes out; an
//! answer that is a failure of ours takes cookies away and grants none.
//!
//! # What is promised
//!
//! - Writes that belong together happen together ([`Changes`]), or not at all. Of two who spend the same token, code or
//!   session, one does.
//! - A secret is compared in constant time, never printed ([`Secret`]), and hashed on threads of its own.
//! - An address that is known and one that is not get the same answer in the same time.
//! - No input makes it panic; `cargo xtask fuzz` tries.

#![doc = include_str!("../docs/plugin.md")]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod access;
pub mod hooks;
#[cfg(feature = "http-client")]
pub mod http_client;
#[cfg(feature = "jwt")]
pub mod jwt;
pub mod options;
pub mod plugins;
pub mod schema;
#[cfg(feature = "social")]
pub mod social;
pub mod storage;
pub mod testing;

mod api;
mod callback;
mod cookies;
mod core;
mod crypto;
mod description;
mod endpoints;
mod engine;
mod error;
mod events;
mod future;
#[cfg(any(feature = "jwt", feature = "social"))]
mod jose;
mod models;
mod openapi;
mod password;
mod plugin;
mod rate_limit;
mod record;
mod session;
mod timing;
mod url;
mod wire;

pub use crate::url::{component as encode_component, with_parameter};
pub use crate::wire::{Body, ClientAddress, Incoming, Media, Reader, Reply, type_of};
pub use api::{Api, Challenge, ChallengeHook, FieldsOrigin, UserFields};
pub use callback::Callback;
pub use cookies::CookieSpec;
pub use crypto::hash_token;
pub use description::{Columns, Credential, Description, Field, Shape, ShapeKind};
pub use endpoints::*;
pub use engine::{BuildError, Engine, EngineBuilder};
pub use error::{ApiError, ErrorCode, Result, codes};
pub use events::{SecurityEvent, SecurityEventKind};
pub use future::{BoxError, BoxFuture};
pub use housekey_base::{Clock, Secret, constant_time_eq, random};
pub use models::{
    Changes, Commit, Fields, OptimisticLock, RowView, Session, SessionView, SignedIn, User, UserView,
    Verification, Verifications,
};
pub use openapi::OpenApi;
pub use options::{PasswordCheck, PasswordHasher};
pub use password::HashedCodes;
pub use plugin::{Endpoint, Handler, Plugin, Plugins};
pub use rate_limit::{Hit, RateLimitStore};
pub use record::{FieldName, Record, Value, parse_iso};
#[cfg(feature = "social")]
pub use social::{
    AccessToken, AccountChoice, AccountInfo, AccountOwner, IdToken, LinkSocial, RefreshedTokens,
    SignInSocial, SignOut, SocialStart,
};
pub use storage::MemoryStorage;
pub use timing::{with_minimum_duration, with_minimum_duration_on_error};
