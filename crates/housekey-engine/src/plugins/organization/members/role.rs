use serde_json::json;

use super::super::{
    Member, NO_ACTIVE_ORGANIZATION, ORGANIZATION_NOT_FOUND, OrganizationRef,
    YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION, caller,
};
use crate::{Api, Endpoint, Field, Reply, Result, Shape, SignedIn};

/// `GET /organization/get-active-member-role`: one's own role, or that of another member.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/get-active-member-role", |api| Box::pin(answer(api)))
        .about("Tells the role of a member, one's own by itself.")
        .takes([
            Field::text("userId").optional(),
            Field::text("organizationId").optional().about("The active one by itself."),
            Field::text("organizationSlug").optional(),
        ])
        .answers(Shape::object([Field::text("role")]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let user = query.optional_text("userId").filter(|id| !id.is_empty());
    let (id, slug) = (query.optional_text("organizationId"), query.optional_text("organizationSlug"));
    query.finish()?;
    let signed_in = caller::signed_in(api).await?;
    let which = OrganizationRef::named(id.as_deref(), slug.as_deref());
    let own = own(api, &signed_in, which).await?;
    let member = match user {
        Some(user) if user != own.user_id => Member::of(api, &own.organization_id, &user).await?,
        _ => Some(own),
    };
    let member = member.ok_or_else(|| YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION.forbidden())?;
    Reply::json(&json!({ "role": member.role }))
}

/// The membership of whoever asks.
pub(super) async fn own(api: &Api, signed_in: &SignedIn, which: OrganizationRef<'_>) -> Result<Member> {
    let id = which.id(api, signed_in).await?.ok_or_else(|| match which {
        OrganizationRef::Slug(_) => ORGANIZATION_NOT_FOUND.bad_request(),
        _ => NO_ACTIVE_ORGANIZATION.bad_request(),
    })?;
    let member = Member::of(api, &id, &signed_in.user.id).await?;
    member.ok_or_else(|| YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION.forbidden())
}
