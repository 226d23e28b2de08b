use http::StatusCode;
use std::sync::Arc;

use serde::Serialize;

use super::pending_email::Change;
use super::send_verification_email::EmailClaims;
use crate::error::ErrorCode;
use crate::models::{Changes, Commit, UserView};
use crate::storage::Filter;
use crate::url::with_parameter;
use crate::wire::check_callback;
use crate::{
    Api, ApiError, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape, SignedIn, User, codes,
};

/// The holder of the old address agrees.
pub(super) const CONFIRMATION: &str = "change-email-confirmation";
/// The holder of the new address is there.
pub(super) const VERIFICATION: &str = "change-email-verification";

/// What a link about an address did.
#[derive(Clone, Debug)]
pub enum VerifiedEmail {
    /// The address is proven, now or since before. Where this is to sign in, a plugin may want to see something first:
    /// [`Api::new_challenge`].
    Proven,
    /// The address is another one now; the user as they are.
    Changed(User),
    /// The new address was sent a mail.
    AskedNewAddress,
}

/// What a link about an address is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmailLink {
    /// It proves the address.
    Proves,
    /// The holder of the old address agrees to move to this one.
    AgreesTo(String),
    /// The account moves to this address.
    MovesTo(String),
}

/// `GET /verify-email`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/verify-email", |api| Box::pin(answer(api)))
        .about(
            "Does what the link of a mail about an address asks for. With a callbackURL the \
             browser is sent there, with an error in the query if the link is worth nothing.",
        )
        .takes([Field::secret("token").about("The token of the mail."), Field::url("callbackURL").optional()])
        .answers(Shape::object([Field::boolean("status"), Field::row("user", "user").or_null().optional()]))
        .may_challenge()
        .redirects()
        .refuses(StatusCode::UNAUTHORIZED, [codes::INVALID_TOKEN, codes::TOKEN_EXPIRED])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        status: bool,
        user: Option<UserView<'a>>,
        #[serde(flatten)]
        challenge: Option<&'a Record>,
    }
    let mut query = api.request().read_query();
    let (token, callback) = (query.text("token"), query.optional_link("callbackURL"));
    query.finish()?;
    let callback = callback.filter(|callback| !callback.is_empty());
    check_callback(api, callback.as_deref()).await?;
    let verified = match (api.verify_email(&token, callback.as_deref()).await, &callback) {
        (Err(error), Some(callback)) if !error.is_internal() => {
            return Reply::redirect(&with_parameter(
                callback,
                &[("error", error.code().unwrap_or("UNKNOWN"))],
            ));
        }
        (verified, _) => verified?,
    };
    if let Some(callback) = callback {
        return Reply::redirect(&callback);
    }
    match &verified {
        VerifiedEmail::AskedNewAddress => Reply::json(&serde_json::json!({ "status": true })),
        VerifiedEmail::Proven => {
            let challenge = api.new_challenge();
            let challenge = challenge.as_ref().map(|challenge| &challenge.body);
            Reply::json(&Body { status: true, user: None, challenge })
        }
        VerifiedEmail::Changed(user) => {
            Reply::json(&Body { status: true, user: Some(api.user_view(user)?), challenge: None })
        }
    }
}

impl Api {
    /// Does what the link in a mail about an address asks for.
    pub async fn verify_email(&mut self, token: &str, callback: Option<&str>) -> Result<VerifiedEmail> {
        let claims = self.email_claims(token)?;
        let Some(new_email) = claims.update_to.clone() else { return self.prove(&claims).await };
        let user = self.user_of(&claims).await?.ok_or_else(|| refuse(codes::INVALID_TOKEN))?;
        let signed_in = self.stored_session().await?;
        if signed_in.as_ref().is_some_and(|signed_in| signed_in.user.id != user.id) {
            return Err(refuse(codes::INVALID_USER));
        }
        let mut changes = self.changes();
        let change = self.change_of(&claims, &user, &new_email).await?;
        match &change {
            Change::NotRemembered => {}
            // Together with what the link does, so that of two who follow it one does it.
            Change::UnderWay(found) => {
                changes.delete_expecting("verification", Filter::by("id", &found.id)).await?;
            }
            Change::Over => return Err(refuse(codes::INVALID_TOKEN)),
        }
        match claims.request_type.as_deref() {
            Some(CONFIRMATION) => {
                let next = match change {
                    Change::NotRemembered => None,
                    _ => Some(self.renew_change(&mut changes, &user, &new_email).await?),
                };
                if changes.commit().await? == Commit::Lost {
                    return Err(refuse(codes::INVALID_TOKEN));
                }
                self.emit(self.event(SecurityEventKind::EmailChangeAgreed, Some(&user.id))).await;
                self.ask_new_address(&user, &new_email, next.as_deref(), callback).await?;
                Ok(VerifiedEmail::AskedNewAddress)
            }
            Some(VERIFICATION) => self.replace_address(changes, user, &new_email, signed_in).await,
            _ => Err(refuse(codes::INVALID_TOKEN)),
        }
    }

    /// What a link about an address would do, without doing it: for the page that asks first. `None` if it would do
    /// nothing: it is no token of ours, too old, used, cancelled, or about an address that is no longer on file.
    pub async fn email_link(&self, token: &str) -> Result<Option<EmailLink>> {
        let Ok(claims) = self.email_claims(token) else { return Ok(None) };
        let Some(user) = self.user_of(&claims).await? else { return Ok(None) };
        let Some(new_email) = claims.update_to.clone() else { return Ok(Some(EmailLink::Proves)) };
        if matches!(self.change_of(&claims, &user, &new_email).await?, Change::Over) {
            return Ok(None);
        }
        Ok(match claims.request_type.as_deref() {
            Some(CONFIRMATION) => Some(EmailLink::AgreesTo(new_email)),
            Some(VERIFICATION) => Some(EmailLink::MovesTo(new_email)),
            _ => None,
        })
    }

    fn email_claims(&self, token: &str) -> Result<EmailClaims> {
        let claims: EmailClaims =
            self.core.keys.verify_claims(token).ok_or_else(|| refuse(codes::INVALID_TOKEN))?;
        if claims.exp <= self.core.clock.now().unix_timestamp() {
            return Err(refuse(codes::TOKEN_EXPIRED));
        }
        Ok(claims)
    }

    async fn prove(&mut self, claims: &EmailClaims) -> Result<VerifiedEmail> {
        let user = self.user_of(claims).await?.ok_or_else(|| refuse(codes::USER_NOT_FOUND))?;
        if user.email_verified {
            return Ok(VerifiedEmail::Proven);
        }
        self.set_sign_in_method("email-link");
        let proven = self.verify_email_with(self.changes(), user).await?;
        proven.map(|_| VerifiedEmail::Proven).ok_or_else(|| refuse(codes::INVALID_TOKEN))
    }

    /// Marks the address of a user as proven, together with some changes, which spend what proves it; then signs in, if the
    /// options say so. [`set_sign_in_method`](Self::set_sign_in_method) first. Gives the user as they are then, and `None` when
    /// someone else spent it.
    ///
    /// This is for an address that somebody proves who signed up with it: the other ways into the account stay. What signs in by
    /// the mail alone takes [`prove_email_in`](Self::prove_email_in).
    pub async fn verify_email_with(&mut self, mut changes: Changes, user: User) -> Result<Option<User>> {
        let core = Arc::clone(&self.core);
        let options = &core.options.email_verification;
        self.ask_before_verification(&user).await?;
        let signed_in = self.stored_session().await?.filter(|signed_in| signed_in.user.id == user.id);
        let record = Record::new().with("emailVerified", true).with("updatedAt", core.clock.now());
        let proven = user.changed(&record)?;
        // The address is part of the condition: a link must not prove one that replaced it meanwhile.
        changes
            .update_expecting("user", Filter::by("id", &user.id).and_by("email", &user.email), record)
            .await?;
        let signs_in = options.auto_sign_in_after_verification;
        let written = if signed_in.is_none() && signs_in {
            self.sign_in_user_with(changes, proven.clone(), None).await?.is_some()
        } else {
            changes.commit().await? == Commit::Done
        };
        if !written {
            return Ok(None);
        }
        if !user.email_verified {
            self.emit(self.event(SecurityEventKind::EmailVerified, Some(&user.id))).await;
        }
        options.after_email_verification.call_or_log("afterEmailVerification", proven.clone()).await;
        match signed_in {
            Some(signed_in) if signs_in => self.refresh(&signed_in, proven.clone()).await,
            Some(signed_in) => {
                let session = signed_in.session.clone();
                let forgotten = self.is_forgotten();
                self.set_cached_copy(&Arc::new(SignedIn::new(session, proven.clone())), forgotten).await;
            }
            None => {}
        }
        Ok(Some(proven))
    }

    /// Asks the app before an address counts as proven. It may refuse.
    pub(super) async fn ask_before_verification(&self, user: &User) -> Result<()> {
        let before = &self.core.options.email_verification.before_email_verification;
        match before.call(user.clone()).await {
            Some(Err(error)) => {
                let failed = "emailVerification.beforeEmailVerification failed";
                let refused = |error| ApiError::internal(failed, error);
                Err(error.downcast::<ApiError>().map_or_else(refused, |error| *error))
            }
            _ => Ok(()),
        }
    }

    /// Replaces the address; whether it counts as proven stays as it was.
    async fn replace_address(
        &mut self,
        mut changes: Changes,
        user: User,
        new_email: &str,
        signed_in: Option<Arc<SignedIn>>,
    ) -> Result<VerifiedEmail> {
        let core = Arc::clone(&self.core);
        let record = Record::new().with("email", new_email).with("updatedAt", core.clock.now());
        let changed = user.changed(&record)?;
        changes
            .update_expecting("user", Filter::by("id", &user.id).and_by("email", &user.email), record)
            .await?;
        self.move_in(&mut changes, &user, signed_in.as_deref()).await?;
        if changes.commit().await? == Commit::Lost {
            return Err(refuse(codes::INVALID_TOKEN));
        }
        self.emit_email_changed(&changed, signed_in.is_some()).await;
        if let Some(signed_in) = signed_in {
            self.refresh(&signed_in, changed.clone()).await;
        }
        Ok(VerifiedEmail::Changed(changed))
    }

    /// The user whose address the token is about, if it is still that user's.
    async fn user_of(&self, claims: &EmailClaims) -> Result<Option<User>> {
        let core = &self.core;
        let filter = Filter::by("email", claims.email.to_lowercase());
        let user =
            core.storage.find_one(core.table("user")?, &filter).await?.map(User::from_record).transpose()?;
        Ok(user.filter(|user| claims.user_id.as_ref().is_none_or(|id| *id == user.id)))
    }

    async fn refresh(&mut self, signed_in: &SignedIn, user: User) {
        let signed_in = Arc::new(SignedIn::new(signed_in.session.clone(), user));
        let forgotten = self.is_forgotten();
        self.hand_out(&signed_in, forgotten).await;
    }
}

fn refuse(code: ErrorCode) -> ApiError {
    code.unauthorized()
}
