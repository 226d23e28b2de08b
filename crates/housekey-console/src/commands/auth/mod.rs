//! `auth:*`: the tables and the secret of accounts, and what happened to them.

mod events;
mod missing;
mod prune;
mod schema;
mod secret;

pub(super) use events::AuthEvents;
pub(super) use missing::missing_tables;
pub(super) use prune::AuthPrune;
pub(super) use schema::AuthSchema;
pub(super) use secret::AuthSecret;
