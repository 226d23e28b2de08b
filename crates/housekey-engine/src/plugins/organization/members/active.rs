use super::super::{MEMBER_NOT_FOUND, Member, NO_ACTIVE_ORGANIZATION, Organization, caller, session};
use super::{View, with_user};
use crate::storage::Filter;
use crate::{Api, Endpoint, Reply, Result};

/// Where somebody is and what they are there.
#[derive(Clone, Debug, PartialEq)]
pub struct Membership {
    pub organization: Organization,
    pub member: Member,
}

/// `GET /organization/get-active-member`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/get-active-member", |api| Box::pin(answer(api)))
        .about("Tells what whoever is signed in is in the active organisation.")
        .answers(View::shape())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let signed_in = caller::signed_in(api).await?;
    let id = session::active_organization(&signed_in).ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
    let member = Member::of(api, id, &signed_in.user.id).await?;
    let member = member.ok_or_else(|| MEMBER_NOT_FOUND.bad_request())?;
    let member = with_user(api, member).await?.ok_or_else(|| MEMBER_NOT_FOUND.bad_request())?;
    Reply::json(&View::of(api, &member)?)
}

/// The organisation that the session is in, and what its user is there. The session may be the copy in the cookie; the membership
/// is read from the storage every time, so that it is right at the next request of every process.
// spec: ORG-3
pub async fn active_membership(api: &mut Api) -> Result<Option<Membership>> {
    let Some(signed_in) = api.session().await? else { return Ok(None) };
    let Some(id) = session::active_organization(&signed_in) else { return Ok(None) };
    let own = Filter::by("organizationId", id).and_by("userId", &signed_in.user.id);
    let (members, organizations) = (api.table("member")?, api.table("organization")?);
    let found = api.storage().find_with_parent(members, &own, "organizationId", organizations).await?;
    let Some((member, organization)) = found else { return Ok(None) };
    Ok(Some(Membership {
        organization: Organization::from_record(organization)?,
        member: Member::from_record(member)?,
    }))
}
