use housekey::auth::engine::{SignUpEmail, plugins::two_factor};
use housekey::auth::{Auth, create_account};
use housekey::database::{Factory, Record};
use housekey::prelude::*;
use housekey::random;

use crate::models::User;

/// Makes people with accounts: `UserFactory::create().await?`.
pub struct UserFactory;

impl Factory for UserFactory {
    type Model = User;

    /// Somebody with a confirmed address. It is drawn and not counted: seeds of two runs meet in one database.
    fn definition(_: u64) -> Record {
        record! {
            User::name => "Ada Lovelace",
            User::email => format!("ada.{}@example.com", random::lowercase(12)),
            User::email_verified => true,
        }
    }

    /// The engine makes the account, with its password and all that is done for a new one. Other columns are set afterwards.
    async fn insert(mut columns: Record) -> Result<User> {
        let input = SignUpEmail {
            name: columns.read(User::name)?.unwrap_or_default(),
            email: columns.read(User::email)?.unwrap_or_default(),
            password: Self::PASSWORD.into(),
            ..default()
        };
        let verified = columns.read(User::email_verified)?.unwrap_or_default();
        let auth = Auth::current()?;
        let made = create_account(&auth, input, verified).await?;
        let mut user = User::find_or_404(made.id).await?;
        for written in [User::name.name(), User::email.name(), User::email_verified.name()] {
            columns.remove(written);
        }
        user.update(columns).await?;
        Ok(user)
    }
}

impl UserFactory {
    /// The password of everyone who is made here.
    pub const PASSWORD: &str = "correct horse battery staple";

    /// Somebody with this name.
    pub async fn named(name: &str) -> Result<User> {
        Self::create_with(record! { User::name => name }).await
    }

    /// Somebody who has not opened the link in the mail yet.
    pub async fn unverified() -> Result<User> {
        Self::create_with(record! { User::email_verified => false }).await
    }

    /// Somebody with a second factor, and their recovery codes.
    pub async fn create_with_two_factor(columns: Record) -> Result<(User, Vec<String>)> {
        let user = Self::create_with(columns).await?;
        let auth = Auth::current()?;
        let mut api = auth.engine().api();
        let account = api.user(&user.id).await.or_http_error()?.ok_or_else(Error::not_found)?;
        api.begin_session(account.clone(), None).await.or_http_error()?;
        api.confirm_presence();
        two_factor::enable(&mut api, default()).await.or_http_error()?;
        let code = two_factor::totp_code(&api, &account).await.or_http_error()?;
        let input = two_factor::VerifyCode { code, ..default() };
        let verified = two_factor::verify_totp(&mut api, input).await.or_http_error()?;
        api.end_sessions_of(&user.id, None).await.or_http_error()?;
        Ok((User::find_or_404(user.id).await?, verified.backup_codes))
    }
}
