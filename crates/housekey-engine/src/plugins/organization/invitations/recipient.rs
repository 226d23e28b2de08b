//! Whether an invitation is for whoever came with it.

use super::super::{
    INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION, Invitation, Member, Organization, OrganizationOptions,
    YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION,
};
use crate::{Api, ErrorCode, Result, User};

/// Refuses somebody whose address it is not, or who has not proven it where that is asked for.
pub(super) fn check(
    api: &Api,
    options: &OrganizationOptions,
    invitation: &Invitation,
    user: &User,
    unproven: ErrorCode,
) -> Result<()> {
    if invitation.email.to_lowercase() != user.email.to_lowercase() {
        return Err(YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION.forbidden());
    }
    if !user.email_verified && wants_proof(api, options) {
        return Err(unproven.forbidden());
    }
    Ok(())
}

/// An id that an app makes itself may be guessed: then knowing it proves nothing.
fn wants_proof(api: &Api, options: &OrganizationOptions) -> bool {
    let own_ids = api.options().advanced.database.generate_id_with.is_set();
    options.require_email_verification_on_invitation.unwrap_or(own_ids)
}

/// The membership of whoever sent an invitation. Whoever was removed has invited nobody.
// spec: ORG-3
pub(super) async fn inviter(api: &Api, invitation: &Invitation) -> Result<Member> {
    let inviter = Member::of(api, &invitation.organization_id, &invitation.inviter_id).await?;
    inviter.ok_or_else(|| INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION.bad_request())
}

pub(super) async fn organization(api: &Api, invitation: &Invitation) -> Result<Organization> {
    let found = Organization::with_id(api, &invitation.organization_id).await?;
    found.ok_or_else(|| super::super::ORGANIZATION_NOT_FOUND.bad_request())
}
