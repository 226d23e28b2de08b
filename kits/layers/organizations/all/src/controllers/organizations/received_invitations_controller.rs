use housekey::auth::engine::plugins::organization::reject_invitation;
use housekey::auth::{Invited, InvitedOutcome, InvitedSignUp, api, invited};
use housekey::axum::extract::Query;
use housekey::prelude::*;
use serde::Deserialize;

use crate::requests::organizations::{InvitationTokenRequest, InvitedSignUpRequest};

/// What the link in the mail carries beside the id of the invitation.
#[derive(Deserialize)]
pub struct MailedLink {
    pub token: Option<String>,
}

/// `POST /invitations/{id}/sign-up`: an account and a membership in one step. Who came by the link in the mail has proven the
/// address with it; who came by a copied one proves it as after any other sign-up.
pub async fn sign_up(Path(id): Path<String>, Valid(form): Valid<InvitedSignUpRequest>) -> Result<Redirect> {
    let token = form.token.as_ref().map(Secret::reveal);
    let invitation = expect_open(&id, token).await?;
    let name = invitation.organization_name.clone();
    let input = InvitedSignUp { name: form.name, password: form.password, ..default() };
    match invitation.sign_up(input).await? {
        InvitedOutcome::Joined => welcome(&name),
        InvitedOutcome::SignedUp => Ok(redirect(&page(&id, token)?)),
        InvitedOutcome::ProveAddress => Ok(redirect(&route("verify-email.sent")?)),
    }
}

/// `POST /invitations/{id}/accept`
pub async fn accept(Path(id): Path<String>, Valid(form): Valid<InvitationTokenRequest>) -> Result<Redirect> {
    let token = form.token.as_ref().map(Secret::reveal);
    let invitation = expect_open(&id, token).await?;
    let name = invitation.organization_name.clone();
    invitation.accept().await.map_err(at_invitation)?;
    welcome(&name)
}

/// `POST /invitations/{id}/decline`
pub async fn decline(Path(id): Path<String>) -> Result<Redirect> {
    reject_invitation(&mut api()?, &id).await.or_field_error("invitation")?;
    Ok(redirect(&route("organizations")?).with("status", t("You have declined the invitation.")))
}

/// `POST /invitations/{id}/sign-out`: for who is signed in as somebody else. Back to the invitation.
pub async fn sign_out(
    Path(id): Path<String>,
    Valid(form): Valid<InvitationTokenRequest>,
) -> Result<Redirect> {
    housekey::auth::sign_out().await?;
    let page = page(&id, form.token.as_ref().map(Secret::reveal))?;
    Ok(redirect(&page).with("status", t("You are signed out.")))
}

/// `GET /invitations/{id}/sign-in`: whoever gets here is signed in. Back to the invitation.
pub async fn signed_in(Path(id): Path<String>, Query(link): Query<MailedLink>) -> Result<Redirect> {
    Ok(redirect(&page(&id, link.token.as_deref())?).status(StatusCode::FOUND))
}

/// The invitation, if it waits. Else a script is told so, and a browser is shown.
async fn expect_open(id: &str, token: Option<&str>) -> Result<Invited> {
    let gone = || Error::not_found().with_message(t("This invitation is no longer open."));
    invited(id, token).await?.ok_or_else(gone)
}

/// What speaks against accepting it is said on its page, where it also says what to do.
fn at_invitation(error: Error) -> Error {
    if error.status() != StatusCode::FORBIDDEN {
        return error;
    }
    let mut errors = FieldErrors::new();
    errors.add("invitation", t(error.message()));
    Error::invalid(errors)
}

fn welcome(name: &str) -> Result<Redirect> {
    Ok(redirect(&route("dashboard")?).with("status", t!("Welcome to :name.", name)))
}

/// The page of an invitation.
fn page(id: &str, token: Option<&str>) -> Result<String> {
    match token {
        Some(token) => route_url("invitations.show", &[("id", id), ("token", token)]),
        None => route_url("invitations.show", &[("id", id)]),
    }
}
