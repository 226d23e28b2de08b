use std::sync::Arc;

use crate::models::{Changes, Commit, Verifications};
use crate::options::LinkMail;
use crate::storage::Filter;
use crate::{
    Api, ApiError, Endpoint, Field, Record, Reply, Result, Secret, SecurityEventKind, Shape, SignedIn, User,
    codes, random,
};

/// A person who wants to leave.
#[derive(Clone, Debug, Default)]
pub struct DeleteAccount {
    /// Their password, which stands in for a recent sign-in.
    pub password: Option<Secret>,
    /// The secret from the mail, if they come from there.
    pub token: Option<Secret>,
    /// Where the link in the mail leads afterwards.
    pub callback_url: Option<String>,
}

/// Whether the account is gone, or a mail was sent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// The user, their sessions and their accounts are gone.
    Done,
    /// A mail asks whether they mean it.
    MailSent,
}

/// `POST /delete-user`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/delete-user", |api| Box::pin(answer(api)))
        .about("Deletes the account of whoever is signed in, or mails them the link that does.")
        .takes([
            Field::secret("password").optional().about("Needed where the session is not fresh."),
            Field::secret("token").optional().about("The token of the mail."),
            Field::url("callbackURL").optional().about("Where the link of the mail leads."),
        ])
        .answers(Shape::object([
            Field::boolean("success"),
            Field::choice("message", ["User deleted", "Verification email sent"]),
        ]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let input = DeleteAccount {
        password: body.optional_text("password").map(Into::into),
        token: body.optional_text("token").map(Into::into),
        callback_url: body.optional_text("callbackURL"),
    };
    body.finish()?;
    let message = match api.delete_user(input).await? {
        Deletion::Done => "User deleted",
        Deletion::MailSent => "Verification email sent",
    };
    Reply::json(&Record::new().with("success", true).with("message", message))
}

impl Api {
    /// Deletes whoever is signed in, or sends them the link that does.
    pub async fn delete_user(&mut self, input: DeleteAccount) -> Result<Deletion> {
        let signed_in = self.require_stored_session().await?;
        let with_password = input.password.as_ref();
        if let Some(password) = with_password {
            self.verify_password(&signed_in.user, password).await?;
        }
        if let Some(token) = input.token {
            self.delete_user_with(&token).await?;
            return Ok(Deletion::Done);
        }
        let options = &self.core.options.user.delete_user;
        if options.send_delete_account_verification.is_set() {
            self.send_deletion_link(&signed_in, input.callback_url.as_deref()).await?;
            return Ok(Deletion::MailSent);
        }
        if with_password.is_none() && !self.is_presence_confirmed() && !self.is_fresh(&signed_in.session) {
            return Err(codes::SESSION_EXPIRED.bad_request());
        }
        let core = Arc::clone(&self.core);
        self.delete_signed_in(Changes::new(&core), &signed_in).await?;
        Ok(Deletion::Done)
    }

    /// Deletes whoever is signed in with the token of the mail they were sent.
    pub async fn delete_user_with(&mut self, token: &Secret) -> Result<()> {
        let Some(signed_in) = self.stored_session().await? else {
            return Err(codes::FAILED_TO_GET_USER_INFO.not_found());
        };
        let identifier = format!("delete-account-{}", token.reveal());
        let core = Arc::clone(&self.core);
        let verifications = Verifications(&core);
        // Someone else's token must not be spent by trying it.
        let found = verifications.find(&identifier).await?.filter(|found| found.value == signed_in.user.id);
        let found = found.ok_or_else(|| codes::INVALID_TOKEN.not_found())?;
        let mut changes = Changes::new(&core);
        changes.delete_expecting("verification", Filter::by("id", &found.id)).await?;
        self.delete_signed_in(changes, &signed_in).await
    }

    async fn send_deletion_link(&self, signed_in: &SignedIn, callback: Option<&str>) -> Result<()> {
        let options = &self.core.options.user.delete_user;
        if !self.may_mail("delete-user", &signed_in.user.email, options.delete_token_expires_in).await {
            return Ok(());
        }
        let token = random::lowercase(32);
        let identifier = format!("delete-account-{token}");
        let user = User::clone(&signed_in.user);
        Verifications(&self.core).create(&identifier, &user.id, options.delete_token_expires_in).await?;
        let url = self.link("/delete-user/callback", Some(&token), callback.unwrap_or("/"));
        let mail = LinkMail { user, url, token };
        self.send("sendDeleteAccountVerification", &options.send_delete_account_verification, mail).await;
        Ok(())
    }

    /// Adds to some changes the end of a user and of everything that is theirs, if no plugin has something against it.
    pub async fn prepare_removal(&self, changes: &mut Changes, user: &User) -> Result<()> {
        for guard in &self.plugin_hooks.removal_guards {
            guard(self, changes, user).await?;
        }
        self.forget_change_in(changes, &user.id).await?;
        self.forget_sessions_in(changes, user).await?;
        changes.delete_with_dependents("user", &user.id).await
    }

    /// Deletes the account together with some changes, which spend the token if there is one.
    async fn delete_signed_in(&mut self, mut changes: Changes, signed_in: &SignedIn) -> Result<()> {
        let core = Arc::clone(&self.core);
        let options = &core.options.user.delete_user;
        let user = User::clone(&signed_in.user);
        if let Some(Err(error)) = options.before_delete.call(user.clone()).await {
            let refused = |error| ApiError::internal("user.deleteUser.beforeDelete failed", error);
            return Err(error.downcast::<ApiError>().map_or_else(refused, |error| *error));
        }
        self.prepare_removal(&mut changes, &user).await?;
        if changes.commit().await? == Commit::Lost {
            return Err(codes::INVALID_TOKEN.not_found());
        }
        self.emit(self.event(SecurityEventKind::AccountDeleted, Some(&user.id))).await;
        self.clear_session_cookies();
        options.after_delete.call_or_log("afterDelete", user).await;
        Ok(())
    }
}
