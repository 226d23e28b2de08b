use super::super::session::{self, Place};
use super::super::{
    Member, ORGANIZATION_NOT_FOUND, Organization, OrganizationRef, USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
    caller,
};
use super::view;
use crate::{Api, Endpoint, Field, Reply, Result, Shape, SignedIn};

/// `GET /organization/get-organization`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/get-organization", |api| Box::pin(answer(api)))
        .about("Tells about an organisation, to its members. It is null when none is active.")
        .takes([
            Field::text("organizationId").optional().about("The active one by itself."),
            Field::text("organizationSlug").optional(),
        ])
        .answers(Shape::row("organization").or_null())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let (id, slug) = (query.optional_text("organizationId"), query.optional_text("organizationSlug"));
    query.finish()?;
    let found = find_organization(api, OrganizationRef::named(id.as_deref(), slug.as_deref())).await?;
    Reply::json(&found.map(|organization| view::row(api, &organization)).transpose()?)
}

/// An organisation, for one of its members. `None` when none is active.
pub async fn find_organization(api: &mut Api, which: OrganizationRef<'_>) -> Result<Option<Organization>> {
    let signed_in = caller::signed_in(api).await?;
    Ok(own(api, &signed_in, which).await?.map(|(organization, _)| organization))
}

/// An organisation and the membership of whoever asks. `None` when none is active. A session that is in one which it
/// should not be in is taken out of it.
pub(super) async fn own(
    api: &mut Api,
    signed_in: &SignedIn,
    which: OrganizationRef<'_>,
) -> Result<Option<(Organization, Member)>> {
    let active = session::active_organization(signed_in);
    if which == OrganizationRef::Active && active.is_none() {
        return Ok(None);
    }
    let found = which.find(api, signed_in).await?;
    let is_active = match &found {
        Some(organization) => active == Some(organization.id.as_str()),
        None => which == OrganizationRef::Active,
    };
    let refusal = match found {
        None => ORGANIZATION_NOT_FOUND.bad_request(),
        Some(organization) => match Member::of(api, &organization.id, &signed_in.user.id).await? {
            Some(member) => return Ok(Some((organization, member))),
            None => USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION.forbidden(),
        },
    };
    if is_active {
        session::go_to(api, signed_in, &Place::NOWHERE).await?;
    }
    Err(refusal)
}
