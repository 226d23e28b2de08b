use http::StatusCode;
use serde::Serialize;

use super::super::{EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION, Invitation, caller};
use super::{recipient, view};
use crate::{Api, ApiError, Endpoint, Field, Record, Reply, Result, Shape, codes};

/// An invitation, and what whoever was invited wants to know of it.
#[derive(Clone, Debug, PartialEq)]
pub struct InvitationDetails {
    pub invitation: Invitation,
    pub organization_name: String,
    pub organization_slug: String,
    pub inviter_email: String,
}

/// `GET /organization/get-invitation`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/get-invitation", |api| Box::pin(answer(api)))
        .about("Tells about an open invitation, to whoever it was sent to.")
        .takes([Field::text("id")])
        .answers(Shape::row_with(
            "invitation",
            [Field::text("organizationName"), Field::text("organizationSlug"), Field::email("inviterEmail")],
        ))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body {
        #[serde(flatten)]
        invitation: Record,
        organization_name: String,
        organization_slug: String,
        inviter_email: String,
    }
    let mut query = api.request().read_query();
    let id = query.text("id");
    query.finish()?;
    let details = invitation(api, &id).await?;
    Reply::json(&Body {
        invitation: view(api, &details.invitation)?,
        organization_name: details.organization_name,
        organization_slug: details.organization_slug,
        inviter_email: details.inviter_email,
    })
}

/// An open invitation, for whoever it was sent to.
pub async fn invitation(api: &mut Api, id: &str) -> Result<InvitationDetails> {
    let nobody = || ApiError::message_only(StatusCode::UNAUTHORIZED, "Not authenticated");
    let signed_in = caller::signed_in_or(api, nobody).await?;
    let options = super::super::options(api)?;
    let invitation = Invitation::with_id(api, id).await?;
    let invitation = invitation.filter(|invitation| invitation.is_open(api.clock().now()));
    let gone = || ApiError::message_only(StatusCode::BAD_REQUEST, "Invitation not found!");
    let invitation = invitation.ok_or_else(gone)?;
    let unproven = EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION;
    recipient::check(api, &options, &invitation, &signed_in.user, unproven)?;
    let organization = recipient::organization(api, &invitation).await?;
    recipient::inviter(api, &invitation).await?;
    let inviter = api.user(&invitation.inviter_id).await?;
    let inviter = inviter.ok_or_else(|| codes::USER_NOT_FOUND.bad_request())?;
    Ok(InvitationDetails {
        invitation,
        organization_name: organization.name,
        organization_slug: organization.slug,
        inviter_email: inviter.email,
    })
}
