use serde::Serialize;

use super::super::{
    ATTEMPTS, Member, ORGANIZATION_NOT_FOUND, Organization, OrganizationRef, OrganizationRole,
    TOO_MANY_ROLES, YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION, YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE,
    YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE, caller, fields, too_busy,
};
use super::{grant, stored, text_of};
use crate::access::Statements;
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, OptimisticLock, Record, Reply, Result, Shape};

#[derive(Clone, Debug)]
pub struct NewRole<'a> {
    /// Its name; capital letters become small ones.
    pub role: String,
    pub permission: Statements,
    pub organization: OrganizationRef<'a>,
    /// The columns of the app's own.
    pub fields: Record,
}

/// `POST /organization/create-role`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/create-role", |api| Box::pin(answer(api)))
        .about("Makes a role in an organisation. It allows at most what the caller is allowed.")
        .takes([
            Field::text("role").example("editor"),
            Field::new("permission", Shape::map(Shape::list(Shape::text()))).about("Actions by resource."),
            Field::new("additionalFields", Shape::map(Shape::any())).optional(),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::object([
            Field::boolean("success"),
            Field::new("roleData", super::shape()),
            Field::new("statements", Shape::map(Shape::list(Shape::text()))),
        ]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body<'a> {
        success: bool,
        role_data: Record,
        statements: &'a Statements,
    }
    let mut body = api.request().read_body();
    let id = body.optional_text("organizationId");
    let role = body.text("role");
    let sent = body.all();
    let permission = grant::read_permission(&mut body, "permission", sent.get("permission"));
    let additional = body.optional_record("additionalFields").unwrap_or_default();
    body.finish()?;
    let fields = fields::input(api, "organizationRole", &additional, "body.additionalFields", true)?;
    let organization = OrganizationRef::named(id.as_deref(), None);
    let role = create_role(api, NewRole { role, permission, organization, fields }).await?;
    let role_data = super::view(api, &role)?;
    Reply::json(&Body { success: true, role_data, statements: &role.permission })
}

/// Makes a role in an organisation. It allows at most what the caller is allowed.
// spec: ORG-1, ORG-2
pub async fn create_role(api: &mut Api, new: NewRole<'_>) -> Result<OrganizationRole> {
    let options = super::super::options(api)?;
    let signed_in = caller::signed_in(api).await?;
    grant::check_access(&options)?;
    let id = new.organization.id(api, &signed_in).await?;
    let id = id.ok_or_else(|| YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE.bad_request())?;
    let name = grant::name(&new.role, "role")?;
    grant::check_name(&options, &name)?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE;
    let member = Member::of(api, &id, &signed_in.user.id).await?;
    let member = member.ok_or_else(|| YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION.forbidden())?;
    caller::require(api, &member, "ac", "create", denied).await?;
    let organization = Organization::with_id(api, &id).await?;
    let organization = organization.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
    let most = match &options.dynamic_roles {
        Some(roles) => {
            let limit = &roles.maximum_roles_per_organization;
            limit.number(Some(&signed_in.user), Some(&organization)).await?
        }
        None => None,
    };
    check_number(api, &id, most).await?;
    grant::check_permission(api, &options, &member, &new.permission, denied).await?;
    let row = new
        .fields
        .with("organizationId", &id)
        .with("role", &name)
        .with("permission", text_of(&new.permission))
        .with("createdAt", api.clock().now());
    for _ in 0..ATTEMPTS {
        let mut changes = api.changes();
        if most.is_some() {
            let lock = OptimisticLock::read(api, format!("organization-roles:{id}")).await?;
            check_number(api, &id, most).await?;
            lock.write_in(&mut changes).await?;
        }
        let same = Filter::by("organizationId", &id).and_by("role", &name);
        if api.storage().find_one(api.table("organizationRole")?, &same).await?.is_some() {
            return Err(grant::taken());
        }
        let role = OrganizationRole::from_record(changes.create("organizationRole", row.clone()).await?)?;
        if changes.commit().await? == Commit::Done {
            return Ok(role);
        }
    }
    Err(too_busy())
}

async fn check_number(api: &Api, organization_id: &str, most: Option<u64>) -> Result<()> {
    let Some(most) = most else { return Ok(()) };
    match stored::all(api, organization_id).await?.len() as u64 >= most {
        true => Err(TOO_MANY_ROLES.bad_request()),
        false => Ok(()),
    }
}
