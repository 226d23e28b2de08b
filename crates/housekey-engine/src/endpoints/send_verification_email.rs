use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::options::LinkMail;
use crate::timing::with_minimum_duration;
use crate::{Api, ApiError, Endpoint, Field, Reply, Result, Shape, User, codes};

/// `POST /send-verification-email`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/send-verification-email", |api| Box::pin(answer(api)))
        .about(
            "Mails a link that proves an address. To whoever is signed out the answer is the same \
             whatever the address.",
        )
        .takes([Field::email("email"), Field::url("callbackURL").optional().about("Where the link leads.")])
        .answers(Shape::status())
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (email, callback) = (body.email("email"), body.optional_text("callbackURL"));
    body.finish()?;
    api.send_verification_email(&email, callback.as_deref()).await?;
    Reply::json(&json!({ "status": true }))
}

/// What the link in a mail about an address says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EmailClaims {
    pub(super) email: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) update_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) request_type: Option<String>,
    /// Which change it belongs to, where changes are remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change_id: Option<String>,
    pub(super) iat: i64,
    pub(super) exp: i64,
}

/// What a link about a new address is for.
#[derive(Clone, Copy)]
pub(super) struct EmailChange<'a> {
    /// The new address.
    pub(super) to: &'a str,
    /// Who is asked: the holder of the old one, or of the new one.
    pub(super) step: &'a str,
    /// Which change it is, where changes are remembered.
    pub(super) id: Option<&'a str>,
}

impl Api {
    /// Sends the link that proves an address. Signed out, the answer is the same whatever the address.
    pub async fn send_verification_email(&mut self, email: &str, callback: Option<&str>) -> Result<()> {
        let email = email.to_lowercase();
        if let Some(signed_in) = self.session().await? {
            if signed_in.user.email != email {
                return Err(codes::EMAIL_MISMATCH.bad_request());
            }
            let user =
                self.stored_session().await?.map_or_else(|| signed_in.user.clone(), |now| now.user.clone());
            if user.email_verified {
                return Err(codes::EMAIL_ALREADY_VERIFIED.bad_request());
            }
            self.send_verification(&user, callback).await;
            return Ok(());
        }
        let core = Arc::clone(&self.core);
        with_minimum_duration(&core.clock, Box::pin(self.send_to_unverified(&email, callback))).await
    }

    async fn send_to_unverified(&self, email: &str, callback: Option<&str>) -> Result<()> {
        match self.user_by_email(email).await?.filter(|user| !user.email_verified) {
            Some(user) => self.send_verification(&user, callback).await,
            // Counted all the same, so that nothing is different.
            None => drop(self.may_send_verification(email).await),
        }
        Ok(())
    }

    /// Sends the link that proves the address on file, or what a plugin has in its place.
    pub(crate) async fn send_verification(&self, user: &User, callback: Option<&str>) {
        if let Some(send) = self.plugin_hooks.verification_mails.first() {
            if let Err(error) = send(self, user).await {
                tracing::error!(%error, "what proves an address could not be sent");
            }
            return;
        }
        let Ok(token) = self.email_token(user, None) else { return };
        self.send_verification_link(user.clone(), token, callback).await;
    }

    pub(super) async fn send_verification_link(&self, user: User, token: String, callback: Option<&str>) {
        if !self.may_send_verification(&user.email).await {
            return;
        }
        let url = self.link("/verify-email", Some(&token), callback.unwrap_or("/"));
        let callback = &self.core.options.email_verification.send_verification_email;
        self.send("sendVerificationEmail", callback, LinkMail { user, url, token }).await;
    }

    async fn may_send_verification(&self, email: &str) -> bool {
        self.may_mail("verify-email", email, self.options().email_verification.expires_in).await
    }

    /// A token for the address on file, or for changing it.
    pub(super) fn email_token(&self, user: &User, change: Option<EmailChange<'_>>) -> Result<String> {
        let now = self.core.clock.now().unix_timestamp();
        let claims = EmailClaims {
            email: user.email.clone(),
            user_id: Some(user.id.clone()),
            update_to: change.map(|change| change.to.to_owned()),
            request_type: change.map(|change| change.step.to_owned()),
            change_id: change.and_then(|change| change.id).map(str::to_owned),
            iat: now,
            exp: now + i64::from(self.core.options.email_verification.expires_in),
        };
        let token = self.core.keys.sign_claims(&claims);
        token.ok_or_else(|| ApiError::internal("a link could not be signed", "the claims are no JSON"))
    }
}
