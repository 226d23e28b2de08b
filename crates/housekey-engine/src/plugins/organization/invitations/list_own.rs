use http::StatusCode;
use serde::Serialize;

use super::super::{
    EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION, Invitation, InvitationStatus, Organization, caller,
};
use super::view;
use crate::storage::{Comparison, Direction, Filter, Find};
use crate::{Api, ApiError, Endpoint, Field, Record, Reply, Result, Shape};

/// An invitation of one's own, and where to.
#[derive(Clone, Debug, PartialEq)]
pub struct UserInvitation {
    pub invitation: Invitation,
    pub organization_name: String,
}

/// `GET /organization/list-user-invitations`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/list-user-invitations", |api| Box::pin(answer(api)))
        .about("Lists the open invitations to the proven address of whoever is signed in.")
        .answers(Shape::list(Shape::row_with("invitation", [Field::text("organizationName")])))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body {
        #[serde(flatten)]
        invitation: Record,
        organization_name: String,
    }
    let mut query = api.request().read_query();
    let email = query.optional_text("email");
    query.finish()?;
    if email.is_some() {
        let message = "User email cannot be passed for client side API calls.";
        return Err(ApiError::message_only(StatusCode::BAD_REQUEST, message));
    }
    let invitations = list_user_invitations(api).await?;
    let rows = invitations.into_iter().map(|own| {
        let invitation = view(api, &own.invitation)?;
        Ok(Body { invitation, organization_name: own.organization_name })
    });
    Reply::json(&rows.collect::<Result<Vec<_>>>()?)
}

/// The open invitations of whoever is signed in and has proven their address.
pub async fn list_user_invitations(api: &mut Api) -> Result<Vec<UserInvitation>> {
    let message = "Missing session headers, or email query parameter.";
    let nobody = || ApiError::message_only(StatusCode::BAD_REQUEST, message);
    let signed_in = caller::signed_in_or(api, nobody).await?;
    if !signed_in.user.email_verified {
        return Err(EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION.forbidden());
    }
    let open = Filter::by("email", signed_in.user.email.to_lowercase())
        .and_by("status", InvitationStatus::Pending.name())
        .and("expiresAt", Comparison::Greater, api.clock().now());
    let find = Find::new(open).order("createdAt", Direction::Ascending).then_by("id");
    let mut own = Vec::new();
    for row in api.storage().find(api.table("invitation")?, &find).await? {
        let invitation = Invitation::from_record(row)?;
        if let Some(organization) = Organization::with_id(api, &invitation.organization_id).await? {
            own.push(UserInvitation { invitation, organization_name: organization.name });
        }
    }
    Ok(own)
}
