use housekey::auth::engine::{SignUpEmail, plugins::two_factor};
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

    /// Makes the account and turns its second factor on; also gives the recovery codes.
    pub async fn create_with_two_factor(self) -> Result<(User, Vec<String>)> {
        let user = self.create().await?;
        let auth = Auth::current()?;
        let mut api = auth.engine().api();
        let account = api.user(&user.id).await.or_http_error()?.ok_or_else(Error::not_found)?;
        api.begin_session(account.clone(), None).await.or_http_error()?;
        api.confirm_presence();
        two_factor::enable(&mut api, Default::default()).await.or_http_error()?;
        let code = two_factor::totp_code(&api, &account).await.or_http_error()?;
        let input = two_factor::VerifyCode { code, ..default() };
        let verified = two_factor::verify_totp(&mut api, input).await.or_http_error()?;
        api.end_sessions_of(&user.id, None).await.or_http_error()?;
        Ok((User::find_or_404(user.id).await?, verified.backup_codes))
    }
}

impl Default for UserFactory {
    fn default() -> Self {
        Self::new()
    }
}
