use crate::api::Guess;
use crate::models::find_credential;
use crate::password::{Verdict, check_password_length};
use crate::{Api, Record, Result, Secret, User, codes};

impl Api {
    /// Checks that this is the user's password; refuses with `INVALID_PASSWORD` when it is not, or there is none.
    ///
    /// Server code only: the reference answers `POST /verify-password` too, which lets whoever holds a session try
    /// passwords. Attempts are counted for the user, where rate limits are on.
    pub async fn verify_password(&self, user: &User, password: &Secret) -> Result<()> {
        self.checked_account(user, password)
            .await?
            .map(drop)
            .ok_or_else(|| codes::INVALID_PASSWORD.bad_request())
    }

    /// The user's credential account, if this is its password. Takes the same time without one.
    pub(crate) async fn checked_account(&self, user: &User, password: &Secret) -> Result<Option<Record>> {
        check_password_length(&self.core.options, password)?;
        let account = find_credential(&self.core, user).await?;
        let hash = account.as_ref().and_then(|account| account.text("password"));
        let verdict = self.judge_password(Guess::Again(user), password, hash).await?;
        Ok(if verdict == Verdict::Wrong { None } else { account })
    }
}
