//! `auth:*`: the tables, the secret, the providers and the admins of accounts, and what happened to them.

mod admin;
mod events;
mod missing;
#[cfg(feature = "social")]
mod providers;
mod prune;
mod schema;
mod secret;

pub(super) use admin::AuthAdmin;
pub(super) use events::AuthEvents;
pub(super) use missing::missing_tables;
#[cfg(feature = "social")]
pub(super) use providers::AuthProviders;
pub(super) use prune::AuthPrune;
pub(super) use schema::AuthSchema;
pub(super) use secret::AuthSecret;
