use std::sync::Arc;

use serde_json::json;

use crate::models::{CREDENTIAL, Changes, Commit, Verifications, credential_account, find_credential};
use crate::storage::Filter;
use crate::{Api, Endpoint, Record, Reply, Result, Secret, User, codes};

/// A new password, and the right to set it.
#[derive(Clone, Debug, Default)]
pub struct ResetPassword {
    /// The secret from the mail.
    pub token: Secret,
    /// The new password.
    pub new_password: Secret,
}

/// `POST /reset-password`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/reset-password", |api| Box::pin(answer(api)))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (new_password, token) = (body.secret("newPassword"), body.optional_text("token"));
    body.finish()?;
    let token = token.or_else(|| api.request().query("token")).unwrap_or_default().into();
    api.reset_password(ResetPassword { token, new_password }).await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Whose password the token of a reset link may set; `None` when it was used, has expired or never was. Spends nothing:
    /// for the page that asks for the new password.
    pub async fn password_reset_owner(&self, token: &Secret) -> Result<Option<User>> {
        let identifier = format!("reset-password:{}", token.reveal());
        match Verifications(&self.core).find(&identifier).await? {
            Some(found) => self.user(&found.value).await,
            None => Ok(None),
        }
    }

    /// Sets a new password with the token of a reset link. The token works once; unless the options say otherwise,
    /// every session of the user ends.
    pub async fn reset_password(&mut self, input: ResetPassword) -> Result<()> {
        let core = Arc::clone(&self.core);
        core.check_new_password(&input.new_password)?;
        let invalid = || codes::INVALID_TOKEN.bad_request();
        let identifier = format!("reset-password:{}", input.token.reveal());
        let found = Verifications(&core).find(&identifier).await?.ok_or_else(invalid)?;
        let user = core.storage.find_one(core.table("user")?, &Filter::by("id", &found.value)).await?;
        let user = User::from_record(user.ok_or_else(|| codes::USER_NOT_FOUND.bad_request())?)?;
        let hash = core.passwords.hash(&input.new_password).await?;
        let options = &core.options.email_and_password;
        let mut changes = Changes::new(&core);
        changes.delete_expecting("verification", Filter::by("id", &found.id)).await?;
        if find_credential(&core, &user).await?.is_some() {
            let account = Filter::by("userId", &user.id).and_by("providerId", CREDENTIAL);
            changes.update("account", account, Record::new().with("password", hash)).await?;
        } else {
            changes.create("account", credential_account(&user.id, &hash)).await?;
        }
        if options.revoke_sessions_on_password_reset {
            self.prepare_end(&mut changes, &user.id, None).await?;
        }
        if changes.commit().await? == Commit::Lost {
            return Err(invalid());
        }
        self.send("onPasswordReset", &options.on_password_reset, user).await;
        Ok(())
    }
}
