use std::sync::Arc;

use crate::models::{Changes, Verifications};
use crate::options::LinkMail;
use crate::timing::with_minimum_duration;
use crate::{Api, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape, random};

/// What the identifiers of reset links begin with.
pub(super) const RESET_LINK: &str = "reset-password:";
/// Under this and its token lies the address that a link was sent to: it proves no other.
pub(super) const RESET_ADDRESS: &str = "reset-address:";

/// What its mails are counted as.
const RESET_MAIL: &str = "reset-password";

/// `POST /request-password-reset`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/request-password-reset", |api| Box::pin(answer(api)))
        .about(
            "Mails a link to a new password. The answer is the same, in the same time, whether \
             the address has an account or not.",
        )
        .takes([
            Field::email("email"),
            Field::url("redirectTo").optional().about("The page that the link leads to; it gets the token."),
        ])
        .answers(Shape::object([Field::boolean("status"), Field::text("message")]))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (email, redirect_to) = (body.email("email"), body.optional_text("redirectTo"));
    body.finish()?;
    api.request_password_reset(&email, redirect_to.as_deref()).await?;
    let message = "If this email exists in our system, check your email for the reset link";
    Reply::json(&Record::new().with("status", true).with("message", message))
}

impl Api {
    /// Sends a link with which the password of an address can be reset, if the address is known. The caller cannot
    /// tell whether it was.
    pub async fn request_password_reset(&mut self, email: &str, redirect_to: Option<&str>) -> Result<()> {
        let core = Arc::clone(&self.core);
        with_minimum_duration(&core.clock, Box::pin(self.send_reset_link(email, redirect_to))).await
    }

    async fn send_reset_link(&mut self, email: &str, redirect_to: Option<&str>) -> Result<()> {
        let core = &self.core;
        let life = core.options.email_and_password.reset_password_token_expires_in;
        if !self.may_mail(RESET_MAIL, email, life).await {
            return Ok(());
        }
        let Some(user) = self.user_by_email(email).await? else {
            tracing::debug!("a password reset was asked for an address that is not known");
            self.emit(self.unknown_user_event(SecurityEventKind::PasswordResetAsked, email)).await;
            return Ok(());
        };
        let options = &core.options.email_and_password;
        let token = random::alphanumeric(24);
        let mut changes = Changes::new(core);
        let verifications = Verifications(core);
        verifications.create_in(&mut changes, &format!("{RESET_LINK}{token}"), &user.id, life).await?;
        verifications.create_in(&mut changes, &format!("{RESET_ADDRESS}{token}"), &user.email, life).await?;
        let _ = changes.commit().await?;
        self.emit(self.event(SecurityEventKind::PasswordResetAsked, Some(&user.id))).await;
        let url = self.link(&format!("/reset-password/{token}"), None, redirect_to.unwrap_or_default());
        self.send("sendResetPassword", &options.send_reset_password, LinkMail { user, url, token }).await;
        Ok(())
    }

    /// Lets an address be sent links again: those that it was sent work no longer.
    pub(super) async fn forget_reset_mails(&self, email: &str) {
        let life = self.options().email_and_password.reset_password_token_expires_in;
        self.forget_mails(RESET_MAIL, email, life).await;
    }
}
