use housekey_core::Result;
use housekey_engine::{Record, SignUpEmail, User};

use crate::{Auth, OrHttpError};

/// Whatever stands for a person's account: the engine's [`User`], or an app's own model of the same row.
pub trait Account {
    fn user_id(&self) -> &str;
}

impl Account for User {
    fn user_id(&self) -> &str {
        &self.id
    }
}

/// Makes an account without signing anybody in and without sending mail: for seeders, factories and commands.
///
/// ```no_run
/// use housekey_auth::engine::SignUpEmail;
/// use housekey_auth::{Auth, create_account};
///
/// async fn demo() -> housekey_core::Result<()> {
///     let ada = SignUpEmail {
///         name: "Ada".into(),
///         email: "ada@example.com".into(),
///         password: "correct horse".into(),
///         ..Default::default()
///     };
///     create_account(&*Auth::current()?, ada, true).await?;
///     Ok(())
/// }
/// ```
pub async fn create_account(auth: &Auth, input: SignUpEmail, email_verified: bool) -> Result<User> {
    let fields = Record::new().with("emailVerified", email_verified);
    auth.engine().api().create_user(input, fields).await.or_new_password_error("password", "email")
}
