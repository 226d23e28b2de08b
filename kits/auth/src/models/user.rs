use housekey::auth::Account;
use housekey::database::{FromRow, Original};
use housekey::prelude::*;
use time::OffsetDateTime;

/// A person with an account. The table is made from `config/auth.rs`; columns of your own go into its `additional_fields`
/// first and then here.
///
/// What decides who gets in is only read here, and changed by `housekey::auth` alone: it ends sessions and links with it.
#[derive(Clone, Debug, FromRow, Model)]
#[row(rename_all = "camelCase")]
#[model(table = "user", timestamps)]
pub struct User {
    pub id: String,
    pub name: String,
    #[row(read_only)]
    pub email: String,
    #[row(read_only)]
    pub email_verified: bool,
    pub image: Option<String>,
    #[row(read_only)]
    pub two_factor_enabled: Option<bool>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub original: Original,
}

impl Account for User {
    fn user_id(&self) -> &str {
        &self.id
    }
}

impl Notifiable for User {
    fn notifiable_key(&self) -> Option<NotifiableKey> {
        Some(NotifiableKey::new("user", &self.id))
    }

    fn route_for(&self, channel: &str) -> Option<String> {
        (channel == "mail").then(|| self.email.clone())
    }
}
