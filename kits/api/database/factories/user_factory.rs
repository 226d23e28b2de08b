use housekey::auth::engine::SignUpEmail;
use housekey::auth::{Auth, create_account};
use housekey::prelude::*;

use crate::models::User;

/// Makes people with accounts: `UserFactory::new().named("Ada").create().await?`.
#[derive(Clone, Debug)]
pub struct UserFactory {
    name: String,
    email: String,
    verified: bool,
}

impl UserFactory {
    /// The password of everyone who is made here.
    pub const PASSWORD: &str = "correct horse battery staple";

    /// Somebody with an address that nobody else has, and that is confirmed.
    pub fn new() -> Self {
        let number =
            housekey::random::bytes::<6>().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Self { name: "Ada Lovelace".into(), email: format!("ada.{number}@example.com"), verified: true }
    }

    /// With this name.
    pub fn named(self, name: &str) -> Self {
        Self { name: name.into(), ..self }
    }

    /// With this address.
    pub fn email(self, email: &str) -> Self {
        Self { email: email.into(), ..self }
    }

    /// Who has not opened the link in the mail yet.
    pub fn unverified(self) -> Self {
        Self { verified: false, ..self }
    }

    /// Makes the account.
    pub async fn create(self) -> Result<User> {
        let auth = Auth::current()?;
        let input =
            SignUpEmail { name: self.name, email: self.email, password: Self::PASSWORD.into(), ..default() };
        let made = create_account(&auth, input, self.verified).await?;
        User::find_or_404(made.id).await
    }
}

impl Default for UserFactory {
    fn default() -> Self {
        Self::new()
    }
}
