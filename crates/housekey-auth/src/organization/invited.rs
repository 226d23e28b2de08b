use std::fmt;
use std::sync::Arc;

use housekey_core::translation::t;
use housekey_core::{Error, FieldErrors, Result};
use housekey_engine::plugins::organization::{
    EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION, accept_invitation,
    pending_invitation, reject_invitation,
};
use housekey_engine::{Api, ErrorCode, Record, Secret, SecurityEventKind, SignIn, SignUpEmail, codes};
use time::OffsetDateTime;

use super::proof::is_proof;
use super::{ActiveOrganization, refresh_organization};
use crate::{Auth, Feature, OrHttpError, api};

const UNPROVEN: ErrorCode = EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION;

/// The invitation with this id, if it waits for an answer: for the page that a link leads to, whoever opens it. `token` is what
/// the link in the mail carries; a link that somebody copied has none.
///
/// A page for it looks the same whether the address has an account or not, and offers both ways: to sign in, and to sign up. It
/// shows on GET and spends on POST, so that a program which opens every link of a mail changes nothing. The route is
/// `.sensitive()`: the id stays out of the log.
///
/// ```
/// use housekey_auth::{InvitedOutcome, InvitedSignUp, invited};
/// use housekey_core::{Error, Result};
/// use housekey_http::response::{Redirect, redirect};
///
/// async fn sign_up(id: String, token: Option<String>, name: String, password: String) -> Result<Redirect> {
///     let invited = invited(&id, token.as_deref()).await?.ok_or_else(Error::not_found)?;
///     let new = InvitedSignUp { name, password: password.into(), ..Default::default() };
///     Ok(match invited.sign_up(new).await? {
///         InvitedOutcome::Joined => redirect("/dashboard"),
///         InvitedOutcome::SignedUp => redirect(&format!("/invitations/{id}")),
///         InvitedOutcome::ProveAddress => redirect("/sign-in"),
///     })
/// }
/// ```
// spec: ORG-5
pub async fn invited(id: &str, token: Option<&str>) -> Result<Option<Invited>> {
    let api = api()?;
    let Some(pending) = pending_invitation(&api, id).await.or_http_error()? else { return Ok(None) };
    let invitation = pending.invitation;
    let is_proven = token.is_some_and(|token| is_proof(&api, &invitation.id, &invitation.email, token));
    Ok(Some(Invited {
        role: invitation.roles().collect::<Vec<_>>().join(","),
        id: invitation.id,
        email: invitation.email,
        expires_at: invitation.expires_at,
        organization_name: pending.organization_name,
        inviter_name: pending.inviter_name,
        is_proven,
    }))
}

/// An invitation that waits for an answer, and whoever holds it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Invited {
    pub id: String,
    /// Whom it was sent to.
    pub email: String,
    /// The roles that they will have, separated by commas.
    pub role: String,
    pub expires_at: OffsetDateTime,
    pub organization_name: String,
    /// Who sent it.
    pub inviter_name: String,
    /// Whether whoever is here has shown that the address is theirs, by the link in the mail.
    pub is_proven: bool,
}

/// What somebody new gives. The address is the invitation's.
#[derive(Clone, Debug, Default)]
pub struct InvitedSignUp {
    pub name: String,
    pub password: Secret,
    /// Columns of the app's own.
    pub fields: Record,
}

/// What came of a sign-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitedOutcome {
    /// Signed in and a member; the organisation is the active one.
    Joined,
    /// Signed in, but who accepts must have proven their address. The invitation still waits.
    SignedUp,
    /// Not signed in: the address has to be proven first, as after every sign-up. The invitation still waits. This looks the
    /// same for an address that has an account.
    ProveAddress,
}

impl Invited {
    /// Makes an account for the invited address and joins, in one step.
    ///
    /// Who came by the link in the mail has proven the address with it: the account is verified, signed in and a member at once.
    /// With a link that somebody copied, this is a sign-up like any other.
    // spec: ORG-5
    pub async fn sign_up(&self, new: InvitedSignUp) -> Result<InvitedOutcome> {
        if !Auth::current()?.offers(Feature::SignUp) {
            return Err(Error::not_found());
        }
        let mut api = api()?;
        let InvitedSignUp { name, password, fields } = new;
        let account =
            SignUpEmail { name, email: self.email.clone(), password, fields, ..SignUpEmail::default() };
        match self.is_proven {
            true => self.sign_up_proven(&mut api, account).await?,
            false => {
                let signed_up = api.sign_up_email(account).await;
                if signed_up.or_new_password_error("password", "email")?.session.is_none() {
                    return Ok(InvitedOutcome::ProveAddress);
                }
            }
        }
        match accept_invitation(&mut api, &self.id).await {
            Err(error) if error.is(UNPROVEN) => Ok(InvitedOutcome::SignedUp),
            accepted => {
                accepted.or_http_error()?;
                joined().await.map(|_| InvitedOutcome::Joined)
            }
        }
    }

    async fn sign_up_proven(&self, api: &mut Api, account: SignUpEmail) -> Result<()> {
        let verified = Record::new().with("emailVerified", true);
        let user = match api.create_user(account, verified).await {
            // Whoever reads the mailbox may know.
            Err(error) if error.is(codes::USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL) => {
                let mut errors = FieldErrors::new();
                errors.add(
                    "email",
                    t("There is an account with this address already. Sign in to accept the invitation."),
                );
                return Err(Error::invalid(errors));
            }
            made => made.or_new_password_error("password", "email")?,
        };
        api.emit(api.event(SecurityEventKind::SignUp, Some(&user.id))).await;
        api.set_sign_in_method("email-link");
        match api.sign_in_user(user, Some(true)).await.or_http_error()? {
            SignIn::Done(_) => Ok(()),
            // A new account has no second factor, but a plugin of the app's may ask for something else.
            SignIn::Challenged(_) => Err(Error::unauthenticated()),
        }
    }

    /// Accepts it for whoever is signed in; the engine sees to it that the addresses are the same. The organisation is the active
    /// one afterwards.
    pub async fn accept(&self) -> Result<Arc<ActiveOrganization>> {
        accept_invitation(&mut api()?, &self.id).await.or_http_error()?;
        joined().await
    }

    /// Rejects it for whoever is signed in.
    pub async fn reject(&self) -> Result<()> {
        reject_invitation(&mut api()?, &self.id).await.or_http_error().map(drop)
    }
}

/// The id is what an invitation is accepted with.
impl fmt::Debug for Invited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invited").field("organization_name", &self.organization_name).finish_non_exhaustive()
    }
}

async fn joined() -> Result<Arc<ActiveOrganization>> {
    let active = refresh_organization().await?;
    active.ok_or_else(|| {
        Error::internal("an invitation was accepted, and its organisation is not the active one")
    })
}
