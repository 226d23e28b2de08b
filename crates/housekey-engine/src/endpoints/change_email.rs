use std::sync::Arc;

use http::StatusCode;
use serde_json::json;

use super::request_password_reset::RESET_LINK;
use super::send_verification_email::EmailChange;
use super::verify_email::{CONFIRMATION, VERIFICATION};
use crate::options::ChangeEmailMail;
use crate::storage::Filter;
use crate::timing::with_minimum_duration;
use crate::{
    Api, ApiError, Changes, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape, SignedIn, User,
};

/// A person who has another address.
#[derive(Clone, Debug, Default)]
pub struct ChangeEmailTo {
    pub new_email: String,
    /// Where the link in the mail leads.
    pub callback_url: Option<String>,
}

/// `POST /change-email`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/change-email", |api| Box::pin(answer(api)))
        .about(
            "Changes the address of whoever is signed in, at once or after a mail was answered. \
             That the new address is somebody else's is not told.",
        )
        .takes([
            Field::email("newEmail"),
            Field::url("callbackURL").optional().about("Where the link of the mail leads."),
        ])
        .answers(Shape::status())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let input =
        ChangeEmailTo { new_email: body.email("newEmail"), callback_url: body.optional_text("callbackURL") };
    body.finish()?;
    api.change_email(input).await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Changes the address of whoever is signed in, at once or after a mail was answered.
    ///
    /// An address that was never proven may be replaced at once, if the options allow it. For a proven one, the old
    /// address is asked first, then the new one. That the new address is someone else's is not told, by the time neither.
    // spec: SEC-5
    pub async fn change_email(&mut self, input: ChangeEmailTo) -> Result<()> {
        let core = Arc::clone(&self.core);
        let signed_in = self.require_stored_session().await?;
        core.check_email(&input.new_email)?;
        let user = &signed_in.user;
        let new_email = input.new_email.to_lowercase();
        let refuse = |message: &'static str| Err(ApiError::message_only(StatusCode::BAD_REQUEST, message));
        if new_email == user.email {
            return refuse("Email is the same");
        }
        let options = &core.options.user.change_email;
        let can_send = core.options.email_verification.send_verification_email.is_set();
        let at_once = !user.email_verified && options.update_email_without_verification;
        if !at_once && !can_send {
            return refuse("Verification email isn't enabled");
        }
        let callback = input.callback_url.as_deref();
        with_minimum_duration(
            &core.clock,
            Box::pin(self.start_change(&signed_in, new_email, at_once, callback)),
        )
        .await
    }

    async fn start_change(
        &mut self,
        signed_in: &SignedIn,
        new_email: String,
        at_once: bool,
        callback: Option<&str>,
    ) -> Result<()> {
        let core = Arc::clone(&self.core);
        let (user, options) = (&signed_in.user, &core.options.user.change_email);
        // Before it is looked up whose the address is: what is seen of a change is the same for one that is taken.
        let change = if at_once { None } else { self.remember_change(user, &new_email).await? };
        let change = change.as_deref();
        if !at_once {
            self.emit(self.event(SecurityEventKind::EmailChangeAsked, Some(&user.id))).await;
        }
        let taken = core.storage.find_one(core.table("user")?, &Filter::by("email", &new_email)).await?;
        if taken.is_some() {
            return Ok(());
        }
        if at_once {
            let mut changes = self.changes();
            self.move_in(&mut changes, user, Some(signed_in)).await?;
            let user = self.write_user(changes, signed_in, Record::new().with("email", new_email)).await?;
            self.emit_email_changed(&user, true).await;
            if core.options.email_verification.send_verification_email.is_set() {
                self.send_verification(&user, callback).await;
            }
        } else if user.email_verified && options.send_change_email_confirmation.is_set() {
            let asked = EmailChange { to: &new_email, step: CONFIRMATION, id: change };
            let token = self.email_token(user, Some(asked))?;
            let url = self.link("/verify-email", Some(&token), callback.unwrap_or("/"));
            let mail = ChangeEmailMail { user: User::clone(user), new_email, url, token };
            self.send("sendChangeEmailConfirmation", &options.send_change_email_confirmation, mail).await;
        } else {
            self.ask_new_address(user, &new_email, change, callback).await?;
        }
        Ok(())
    }

    /// Moves whoever is signed in to an address that they proved, together with some changes, which spend what proves it. What was
    /// sent to the old address ends. Gives the user as they are then, and `None` when someone else spent it or took the address.
    pub async fn change_email_with(
        &mut self,
        mut changes: Changes,
        signed_in: &SignedIn,
        new_email: &str,
    ) -> Result<Option<User>> {
        let core = Arc::clone(&self.core);
        self.ask_before_verification(&signed_in.user).await?;
        self.move_in(&mut changes, &signed_in.user, Some(signed_in)).await?;
        self.forget_change_in(&mut changes, &signed_in.user.id).await?;
        let record = Record::new().with("email", new_email.to_lowercase()).with("emailVerified", true);
        let user = match self.write_user(changes, signed_in, record).await {
            Err(error) if error.is(crate::codes::FAILED_TO_UPDATE_USER) => return Ok(None),
            written => written?,
        };
        self.emit_email_changed(&user, true).await;
        let after = &core.options.email_verification.after_email_verification;
        after.call_or_log("afterEmailVerification", user.clone()).await;
        Ok(Some(user))
    }

    /// Adds to some changes what ends when an account moves to another address: the links that were sent to the old one, and,
    /// where the options say so, the other sessions.
    pub(super) async fn move_in(
        &self,
        changes: &mut Changes,
        user: &User,
        signed_in: Option<&SignedIn>,
    ) -> Result<()> {
        self.verifications().delete_owned_in(changes, RESET_LINK, &user.id).await?;
        if self.options().user.change_email.revoke_other_sessions {
            let this = signed_in.map(|signed_in| signed_in.session.token.as_str());
            self.prepare_end(changes, &user.id, this).await?;
        }
        Ok(())
    }

    /// Tells that the account has another address, and what [`move_in`](Self::move_in) ended.
    pub(super) async fn emit_email_changed(&self, user: &User, is_signed_in: bool) {
        self.emit(self.event(SecurityEventKind::EmailChanged, Some(&user.id))).await;
        if self.options().user.change_email.revoke_other_sessions {
            self.emit_sessions_revoked(&user.id, is_signed_in).await;
        }
    }

    /// Sends the link that proves the new address, to the new address.
    pub(super) async fn ask_new_address(
        &self,
        user: &User,
        new_email: &str,
        change: Option<&str>,
        callback: Option<&str>,
    ) -> Result<()> {
        let asked = EmailChange { to: new_email, step: VERIFICATION, id: change };
        let token = self.email_token(user, Some(asked))?;
        let recipient = User { email: new_email.to_owned(), ..user.clone() };
        self.send_verification_link(recipient, token, callback).await;
        Ok(())
    }
}
