use http::StatusCode;
use std::sync::Arc;

use serde::Serialize;

use super::request_password_reset::RESET_LINK;
use crate::models::{Changes, Commit, UserView, Verifications, find_credential};
use crate::password::Owner;
use crate::storage::Filter;
use crate::{
    Api, Endpoint, Field, Record, Reply, Result, Secret, SecurityEventKind, Shape, SignedIn, User, codes,
};

/// A new password, and the old one.
#[derive(Clone, Debug, Default)]
pub struct ChangePassword {
    pub current_password: Secret,
    pub new_password: Secret,
    pub revoke_other_sessions: bool,
}

/// The answer to a change of the password.
#[derive(Clone, Debug)]
pub struct ChangedPassword {
    pub user: User,
    /// The session that replaces the old one, when others were ended.
    pub session: Option<Arc<SignedIn>>,
}

/// `POST /change-password`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/change-password", |api| Box::pin(answer(api)))
        .about("Changes the password of whoever is signed in.")
        .takes([
            Field::secret("newPassword"),
            Field::secret("currentPassword"),
            Field::boolean("revokeOtherSessions")
                .optional()
                .about("Ends every session; the token of the answer is a new one."),
        ])
        .answers(Shape::object([
            Field::text("token").or_null().about("A new one, where the sessions ended."),
            Field::row("user", "user"),
        ]))
        .needs_session()
        .refuses(StatusCode::BAD_REQUEST, [codes::INVALID_PASSWORD])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        token: Option<&'a str>,
        user: UserView<'a>,
    }
    let mut body = api.request().read_body();
    let input = ChangePassword {
        new_password: body.secret("newPassword"),
        current_password: body.secret("currentPassword"),
        revoke_other_sessions: body.optional_bool("revokeOtherSessions").unwrap_or(false),
    };
    body.finish()?;
    let changed = api.change_password(input).await?;
    let token = changed.session.as_ref().map(|signed_in| signed_in.session.token.as_str());
    Reply::json(&Body { token, user: api.user_view(&changed.user)? })
}

impl Api {
    /// Changes the password of whoever is signed in. Links that would set another one, links and codes that would sign
    /// somebody in, and a change of address that is under way, end with it.
    pub async fn change_password(&mut self, input: ChangePassword) -> Result<ChangedPassword> {
        let core = Arc::clone(&self.core);
        let user = User::clone(&self.require_stored_session().await?.user);
        self.check_password_of(Owner::from(&user), &input.new_password).await?;
        if find_credential(&core, &user).await?.is_none() {
            return Err(codes::CREDENTIAL_ACCOUNT_NOT_FOUND.bad_request());
        }
        let account = self.checked_account(&user, &input.current_password).await?;
        let account = account.ok_or_else(|| codes::INVALID_PASSWORD.bad_request())?;
        let hash = core.passwords.hash(&input.new_password).await?;
        let mut changes = Changes::new(&core);
        // The old hash is part of the condition: of two changes at the same time, one wins.
        let same = Filter::by("id", account.text("id").unwrap_or_default())
            .and_by("password", account.text("password").unwrap_or_default());
        changes.update_expecting("account", same, Record::new().with("password", &hash)).await?;
        Verifications(&core).delete_owned_in(&mut changes, RESET_LINK, &user.id).await?;
        self.forget_change_in(&mut changes, &user.id).await?;
        self.end_mailed_in(&mut changes, &user).await?;
        let session = if input.revoke_other_sessions {
            self.prepare_end(&mut changes, &user.id, None).await?;
            Some(self.prepare_session(&mut changes, &user.id, None).await?)
        } else {
            None
        };
        if changes.commit().await? == Commit::Lost {
            return Err(codes::INVALID_PASSWORD.bad_request());
        }
        self.remember_device(&user, &hash);
        self.forget_reset_mails(&user.email).await;
        let session = match session {
            Some(session) => Some(self.adopt_session(SignedIn::new(session, user.clone()), None).await),
            None => None,
        };
        self.emit(self.event(SecurityEventKind::PasswordChanged, Some(&user.id))).await;
        if session.is_some() {
            self.emit_sessions_revoked(&user.id, true).await;
        }
        Ok(ChangedPassword { user, session })
    }
}
