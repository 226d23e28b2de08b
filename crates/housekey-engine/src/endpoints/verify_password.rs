use serde_json::json;

use crate::models::find_credential;
use crate::password::Verdict;
use crate::{Api, Endpoint, Record, Reply, Result, Scope, Secret, User, codes};

/// `POST /verify-password`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/verify-password", |api| Box::pin(answer(api))).scoped(Scope::Server)
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let password = body.secret("password");
    body.finish()?;
    let signed_in = api.require_stored_session().await?;
    api.verify_password(&signed_in.user, &password).await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Checks that this is the user's password; refuses with `INVALID_PASSWORD` when it is not, or there is none.
    pub async fn verify_password(&self, user: &User, password: &Secret) -> Result<()> {
        self.checked_account(user, password)
            .await?
            .map(drop)
            .ok_or_else(|| codes::INVALID_PASSWORD.bad_request())
    }

    /// The user's credential account, if this is its password. Takes the same time without one.
    pub(crate) async fn checked_account(&self, user: &User, password: &Secret) -> Result<Option<Record>> {
        self.core.check_password_length(password)?;
        let account = find_credential(&self.core, user).await?;
        let Some(hash) = account.as_ref().and_then(|account| account.text("password")) else {
            self.core.passwords.pretend(password).await?;
            return Ok(None);
        };
        let verdict = self.core.passwords.verify(password, hash).await?;
        Ok(if verdict == Verdict::Wrong { None } else { account })
    }
}
