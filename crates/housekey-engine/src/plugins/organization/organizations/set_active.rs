use serde_json::Value as Json;

use super::super::session::{self, Place};
use super::super::{
    Member, ORGANIZATION_NOT_FOUND, Organization, OrganizationRef, USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
    caller,
};
use super::view;
use crate::{Api, Endpoint, Field, Reply, Result, Shape};

/// `POST /organization/set-active`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/set-active", |api| Box::pin(answer(api)))
        .about("Moves this session to an organisation, or with a null to none.")
        .takes([
            Field::text("organizationId").or_null().optional(),
            Field::text("organizationSlug").optional(),
        ])
        .answers(Shape::row("organization").or_null())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let none = body.all().get("organizationId") == Some(&Json::Null);
    let (id, slug) = (body.nullable_text("organizationId"), body.optional_text("organizationSlug"));
    body.finish()?;
    // Where both are there, the id decides: here alone.
    let slug = slug.filter(|_| id.as_deref().is_none_or(str::is_empty));
    let which = (!none).then(|| OrganizationRef::named(id.as_deref(), slug.as_deref()));
    let organization = set_active_organization(api, which).await?;
    Reply::json(&organization.map(|organization| view::row(api, &organization)).transpose()?)
}

/// Moves the session of whoever is signed in to an organisation of theirs, or to none. A team of another organisation does not
/// come along.
// spec: ORG-3
pub async fn set_active_organization(
    api: &mut Api,
    which: Option<OrganizationRef<'_>>,
) -> Result<Option<Organization>> {
    let signed_in = caller::signed_in(api).await?;
    let Some(which) = which else {
        session::enter(api, &signed_in, &Place::NOWHERE).await?;
        return Ok(None);
    };
    let Some(id) = which.id(api, &signed_in).await? else {
        return match which {
            OrganizationRef::Active => Ok(None),
            _ => Err(ORGANIZATION_NOT_FOUND.bad_request()),
        };
    };
    let is_active = session::active_organization(&signed_in) == Some(id.as_str());
    if Member::of(api, &id, &signed_in.user.id).await?.is_none() {
        if is_active {
            session::enter(api, &signed_in, &Place::NOWHERE).await?;
        }
        return Err(USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION.forbidden());
    }
    let Some(organization) = Organization::with_id(api, &id).await? else {
        return Err(ORGANIZATION_NOT_FOUND.bad_request());
    };
    let place = if is_active { Place::of(&signed_in) } else { Place::organization(id) };
    session::enter(api, &signed_in, &place).await?;
    Ok(Some(organization))
}
