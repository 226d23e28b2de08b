//! `auth:*`: the tables and the secret of accounts.

mod schema;
mod secret;

pub(super) use schema::AuthSchema;
pub(super) use secret::AuthSecret;
