use http::StatusCode;
use std::sync::Arc;

use serde_json::json;

use super::request_password_reset::{RESET_ADDRESS, RESET_LINK};
use crate::models::{
    CREDENTIAL, Changes, Commit, Verification, Verifications, credential_account, find_credential,
};
use crate::password::Owner;
use crate::storage::Filter;
use crate::{Api, Endpoint, Field, Record, Reply, Result, Secret, SecurityEventKind, Shape, User, codes};

/// A new password, and the right to set it.
#[derive(Clone, Debug, Default)]
pub struct ResetPassword {
    /// The secret from the mail.
    pub token: Secret,
    pub new_password: Secret,
}

/// `POST /reset-password`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/reset-password", |api| Box::pin(answer(api)))
        .about(
            "Sets a new password with the token of the mail. The token works once, and every \
             session of the account ends.",
        )
        .takes([
            Field::secret("newPassword"),
            Field::secret("token")
                .optional()
                .about("The token of the mail; it may stand in the query instead."),
        ])
        .takes_query([Field::secret("token").optional()])
        .answers(Shape::status())
        .refuses(StatusCode::BAD_REQUEST, [codes::INVALID_TOKEN])
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
        Ok(self.reset_link(token).await?.map(|(_, user)| user))
    }

    /// The row of a reset link and whose it is, unless the account has moved to another address since it was sent.
    async fn reset_link(&self, token: &Secret) -> Result<Option<(Verification, User)>> {
        let verifications = Verifications(&self.core);
        let Some(found) = verifications.find(&format!("{RESET_LINK}{}", token.reveal())).await? else {
            return Ok(None);
        };
        let user = self.user(&found.value).await?;
        // The reference keeps no address with a link.
        let sent_to = verifications.find(&format!("{RESET_ADDRESS}{}", token.reveal())).await?;
        let still = |user: &User| sent_to.is_none_or(|sent_to| sent_to.value == user.email);
        Ok(user.filter(still).map(|user| (found, user)))
    }

    /// Sets a new password with the token of a reset link. The token works once, and with it end the other links and
    /// codes of the account, a change of its address that is under way, its trusted devices and, unless the options say otherwise, its
    /// sessions.
    ///
    /// A reset that is the first proof of the address marks it as proven. Until then anybody could have signed up with it: every
    /// session ends then, and so does every other way in.
    // spec: SEC-2
    pub async fn reset_password(&mut self, input: ResetPassword) -> Result<()> {
        let core = Arc::clone(&self.core);
        let link = self.reset_link(&input.token).await?;
        let owner = link.as_ref().map(|(_, user)| Owner::from(user)).unwrap_or_default();
        self.check_password_of(owner, &input.new_password).await?;
        let invalid = || codes::INVALID_TOKEN.bad_request();
        let (found, user) = link.ok_or_else(invalid)?;
        let mut changes = Changes::new(&core);
        changes.delete_expecting("verification", Filter::by("id", &found.id)).await?;
        let sent_to = format!("{RESET_ADDRESS}{}", input.token.reveal());
        Verifications(&core).delete_in(&mut changes, &sent_to).await?;
        match self.reset_password_with(changes, user, &input.new_password).await? {
            Commit::Lost => Err(invalid()),
            Commit::Done => Ok(()),
        }
    }

    /// Sets a new password for a user together with some changes, which spend what allows it. With it ends what
    /// [`reset_password`](Self::reset_password) ends. The password is not judged here:
    /// [`check_new_password`](Self::check_new_password) first.
    pub async fn reset_password_with(
        &mut self,
        mut changes: Changes,
        user: User,
        new_password: &Secret,
    ) -> Result<Commit> {
        let core = Arc::clone(&self.core);
        let hash = core.passwords.hash(new_password).await?;
        let options = &core.options.email_and_password;
        let first_proof = !user.email_verified;
        let verifications = Verifications(&core);
        verifications.delete_all_owned_in(&mut changes, &user.id).await?;
        self.forget_change_in(&mut changes, &user.id).await?;
        self.end_mailed_in(&mut changes, &user).await?;
        if find_credential(&core, &user).await?.is_some() {
            let account = Filter::by("userId", &user.id).and_by("providerId", CREDENTIAL);
            changes.update("account", account, Record::new().with("password", &hash)).await?;
        } else {
            changes.create("account", credential_account(&user.id, &hash)).await?;
        }
        let ends_sessions = first_proof || options.revoke_sessions_on_password_reset;
        if ends_sessions {
            self.prepare_end(&mut changes, &user.id, None).await?;
        }
        if first_proof {
            self.take_back_in(&mut changes, &user).await?;
        }
        if changes.commit().await? == Commit::Lost {
            return Ok(Commit::Lost);
        }
        // What strangers tried at the old password must not keep whoever has the new one waiting.
        self.remember_device(&user, &hash);
        self.forget_guesses(&user.email).await;
        self.forget_reset_mails(&user.email).await;
        self.emit_reset(&user, first_proof, ends_sessions).await;
        self.send("onPasswordReset", &options.on_password_reset, user).await;
        Ok(Commit::Done)
    }

    async fn emit_reset(&self, user: &User, first_proof: bool, ends_sessions: bool) {
        let reset = self.event(SecurityEventKind::PasswordReset, Some(&user.id));
        self.emit(if first_proof { reset.with("firstProof", true) } else { reset }).await;
        if first_proof {
            self.emit(self.event(SecurityEventKind::EmailVerified, Some(&user.id))).await;
        }
        if ends_sessions {
            self.emit_sessions_revoked(&user.id, false).await;
        }
    }
}
