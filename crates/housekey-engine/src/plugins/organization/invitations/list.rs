use http::StatusCode;

use super::super::{Invitation, Member, OrganizationRef, YOU_ARE_NOT_ALLOWED_TO_LIST_INVITATIONS, caller};
use super::view;
use crate::access::Permission;
use crate::storage::{Direction, Filter, Find};
use crate::{Api, ApiError, Endpoint, Field, Reply, Result, Shape};

/// `GET /organization/list-invitations`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/list-invitations", |api| Box::pin(answer(api)))
        .about("Lists the invitations of an organisation, for a member who may invite.")
        .takes([Field::text("organizationId").optional().about("The active one by itself.")])
        .answers(Shape::list(Shape::row("invitation")))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let id = query.optional_text("organizationId");
    query.finish()?;
    let invitations = list_invitations(api, OrganizationRef::named(id.as_deref(), None)).await?;
    let rows = invitations.iter().map(|invitation| view(api, invitation));
    Reply::json(&rows.collect::<Result<Vec<_>>>()?)
}

/// The invitations of an organisation, whatever has become of them, for a member who may invite.
pub async fn list_invitations(api: &mut Api, which: OrganizationRef<'_>) -> Result<Vec<Invitation>> {
    let signed_in = caller::signed_in(api).await?;
    let none = || ApiError::message_only(StatusCode::BAD_REQUEST, "Organization ID is required");
    let id = which.id(api, &signed_in).await?.ok_or_else(none)?;
    let member = Member::of(api, &id, &signed_in.user.id).await?;
    let stranger =
        || ApiError::message_only(StatusCode::FORBIDDEN, "You are not a member of this organization");
    let member = member.ok_or_else(stranger)?;
    if !may_list(api, &member).await? {
        return Err(YOU_ARE_NOT_ALLOWED_TO_LIST_INVITATIONS.forbidden());
    }
    shown_to(api, &member).await
}

/// Whether a member may see whom others invited.
pub(in super::super) async fn may_list(api: &Api, member: &Member) -> Result<bool> {
    caller::allows(api, member, &Permission::of("invitation", ["create"])).await
}

/// The invitations that a member sees: those of owners are for owners.
pub(in super::super) async fn shown_to(api: &Api, member: &Member) -> Result<Vec<Invitation>> {
    let options = super::super::options(api)?;
    let find = Find::new(Filter::by("organizationId", &member.organization_id));
    let find = find.order("createdAt", Direction::Ascending).then_by("id");
    let rows = api.storage().find(api.table("invitation")?, &find).await?;
    let invitations = rows.into_iter().map(Invitation::from_record).collect::<Result<Vec<_>>>()?;
    let is_owner = options.is_owner(member);
    let shown = |invitation: &Invitation| {
        is_owner || !options.names_owner(invitation.role.as_deref().unwrap_or_default())
    };
    Ok(invitations.into_iter().filter(shown).collect())
}
