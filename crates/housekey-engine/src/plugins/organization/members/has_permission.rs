use serde_json::{Value as Json, json};

use super::super::{
    Member, NO_ACTIVE_ORGANIZATION, OrganizationRef, USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, caller,
};
use crate::access::Permission;
use crate::{Api, Endpoint, Field, Reply, Result, Shape};

/// `POST /organization/has-permission`: whether whoever asks may do something.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/has-permission", |api| Box::pin(answer(api)))
        .about("Tells whether whoever is signed in may do something in an organisation.")
        .takes([
            Field::new("permissions", Shape::map(Shape::list(Shape::text())))
                .about("Actions by resource.")
                .example(json!({ "member": ["create"] })),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::object([Field::new("error", Shape::null()), Field::boolean("success")]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = body.optional_text("organizationId");
    let sent = body.all();
    let read = |name: &str| sent.get(name)?.as_object().and_then(|asked| Permission::from_json(asked).ok());
    let permission = match (read("permissions"), read("permission")) {
        (Some(permission), None) => permission,
        // What is asked for in the old way is never allowed: an empty request.
        (None, Some(_)) => Permission::default(),
        (None, None) => {
            body.add_overall_error("Invalid input");
            Permission::default()
        }
        (Some(_), Some(_)) => {
            body.add_overall_error("Invalid input: more than one option matched");
            Permission::default()
        }
    };
    body.finish()?;
    let success = may(api, OrganizationRef::named(id.as_deref(), None), &permission).await?;
    Reply::json(&json!({ "error": Json::Null, "success": success }))
}

/// Whether whoever is signed in may do something in an organisation of theirs.
pub async fn may(api: &mut Api, which: OrganizationRef<'_>, permission: &Permission) -> Result<bool> {
    let signed_in = caller::signed_in(api).await?;
    let id = which.id(api, &signed_in).await?.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
    let member = Member::of(api, &id, &signed_in.user.id).await?;
    let member = member.ok_or_else(|| USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION.unauthorized())?;
    caller::allows(api, &member, permission).await
}

/// Whether a member may do something in their organisation, by its roles and those of the options.
pub async fn member_may(api: &Api, member: &Member, permission: &Permission) -> Result<bool> {
    caller::allows(api, member, permission).await
}
