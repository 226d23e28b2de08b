use super::super::{Invitation, Member, Organization};
use crate::{Api, Result};

/// An open invitation, for the page on which somebody accepts it who may not have an account yet.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingInvitation {
    pub invitation: Invitation,
    pub organization_name: String,
    pub inviter_name: String,
}

/// An open invitation by its id, for server code: nobody needs to be signed in. Whoever knows the id was sent it, so show what it
/// says and nothing else. Whether its address has an account is not part of it.
// spec: ORG-5
pub async fn pending_invitation(api: &Api, id: &str) -> Result<Option<PendingInvitation>> {
    let invitation = Invitation::with_id(api, id).await?;
    let Some(invitation) = invitation.filter(|invitation| invitation.is_open(api.clock().now())) else {
        return Ok(None);
    };
    let organization = Organization::with_id(api, &invitation.organization_id).await?;
    let inviter = Member::of(api, &invitation.organization_id, &invitation.inviter_id).await?;
    let user = api.user(&invitation.inviter_id).await?;
    Ok(organization.zip(inviter.and(user)).map(|(organization, user)| PendingInvitation {
        invitation,
        organization_name: organization.name,
        inviter_name: user.name,
    }))
}
