//! `auth:*`: the tables and the secret of accounts.

mod missing;
mod schema;
mod secret;

pub(super) use missing::missing_tables;
pub(super) use schema::AuthSchema;
pub(super) use secret::AuthSecret;
