use housekey::prelude::*;
use serde::{Deserialize, Serialize};

use super::organizations_controller::each;
use crate::controllers::organizations::invited::{InvitedPage, Visitor, invited_page};

/// What the link of an invitation brought in the address of its page.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct InvitedRequest {
    /// That of the invitation.
    #[validate(required, max(100))]
    pub id: String,
    /// What only the link in the mail carries. One that was copied has none.
    #[validate(nullable, max(512))]
    pub token: Option<Secret>,
}

/// An invitation that can be accepted.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvitedAnswer {
    /// The name of the organisation.
    pub organization: String,
    /// The name of who invites.
    pub inviter: String,
    /// Whom it is for.
    pub email: String,
    /// What they would be there.
    pub roles: Vec<String>,
    /// Who asks.
    pub visitor: InvitedVisitor,
    /// Their address, where it is somebody else's.
    pub signed_in_as: Option<String>,
}

/// Who has opened the link of an invitation.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum InvitedVisitor {
    /// Nobody who is signed in. Whether the address has an account is not told.
    Guest,
    /// Whom it is for.
    Recipient,
    /// Somebody who is signed in with another address.
    SomebodyElse,
}

/// `POST /api/invitation`: what the link of an invitation offers, to whoever has it. It spends nothing. One that was answered,
/// taken back or is too old is a 404, and so is one that never was.
pub async fn show(Valid(form): Valid<InvitedRequest>) -> Result<Json<InvitedAnswer>> {
    let page = invited_page(&form.id, form.token.as_ref().map(Secret::reveal)).await?;
    let InvitedPage::Open { invitation, visitor } = page else { return Err(Error::not_found()) };
    let (visitor, signed_in_as) = match visitor {
        Visitor::Guest => (InvitedVisitor::Guest, None),
        Visitor::Recipient => (InvitedVisitor::Recipient, None),
        Visitor::Somebody(email) => (InvitedVisitor::SomebodyElse, Some(email)),
    };
    Ok(Json(InvitedAnswer {
        organization: invitation.organization_name,
        inviter: invitation.inviter_name,
        email: invitation.email,
        roles: each(&invitation.role),
        visitor,
        signed_in_as,
    }))
}
