use serde::Serialize;
use serde_json::Value as Json;

use super::super::{
    NO_DATA_TO_UPDATE, OrganizationRef, OrganizationRole, ROLE_NOT_FOUND,
    YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE, caller, fields,
};
use super::{RoleRef, grant, stored, text_of};
use crate::access::Statements;
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, Shape, type_of};

/// What about a role is to be another.
#[derive(Clone, Debug, Default)]
pub struct RoleChanges {
    pub permission: Option<Statements>,
    /// Its name. Whoever has the role is not renamed with it.
    pub role: Option<String>,
    /// The columns of the app's own.
    pub fields: Record,
}

/// `POST /organization/update-role`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/update-role", |api| Box::pin(answer(api)))
        .about("Changes a role that an organisation defined itself.")
        .takes([
            Field::text("roleName").optional().about("The name or the id has to be there."),
            Field::text("roleId").optional(),
            Field::new(
                "data",
                Shape::object([
                    Field::new("permission", Shape::map(Shape::list(Shape::text()))).optional(),
                    Field::text("roleName").optional(),
                ]),
            ),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::object([Field::boolean("success"), Field::new("roleData", super::shape())]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Body {
        success: bool,
        role_data: Record,
    }
    let mut body = api.request().read_body();
    let id = body.optional_text("organizationId");
    let data = body.record("data");
    let named = grant::read_which(&body.all());
    let permission = data.get("permission");
    let permission =
        permission.map(|given| grant::read_permission(&mut body, "data.permission", Some(given)));
    let role = match data.get("roleName") {
        None => None,
        Some(Json::String(role)) => Some(role.clone()).filter(|role| !role.is_empty()),
        other => {
            let received = type_of(other);
            let what = format!("Invalid input: expected string, received {received}");
            body.add_error("data.roleName", &what);
            None
        }
    };
    body.finish()?;
    let fields = fields::input(api, "organizationRole", &data, "body.data", false)?;
    let which = grant::which("body", &named)?;
    let organization = OrganizationRef::named(id.as_deref(), None);
    let changes = RoleChanges { permission, role, fields };
    let role = update_role(api, organization, which, changes).await?;
    Reply::json(&Body { success: true, role_data: super::view(api, &role)? })
}

/// Changes a role of an organisation. It allows at most what the caller is allowed.
// spec: ORG-1, ORG-2
pub async fn update_role(
    api: &mut Api,
    organization: OrganizationRef<'_>,
    role: RoleRef<'_>,
    changes: RoleChanges,
) -> Result<OrganizationRole> {
    let options = super::super::options(api)?;
    let signed_in = caller::signed_in(api).await?;
    grant::check_access(&options)?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE;
    let member = grant::member(api, &signed_in, organization, ("update", denied)).await?;
    let mut role = stored::one(api, &member.organization_id, role).await?;
    let mut record = changes.fields;
    if let Some(permission) = changes.permission {
        grant::check_permission(api, &options, &member, &permission, denied).await?;
        record.set("permission", text_of(&permission));
        role.permission = permission;
    }
    if let Some(name) = changes.role {
        let name = grant::name(&name, "data.roleName")?;
        grant::check_name(&options, &name)?;
        let same = Filter::by("organizationId", &member.organization_id).and_by("role", &name);
        let others = api.storage().find_one(api.table("organizationRole")?, &same).await?;
        if others.is_some() {
            return Err(grant::taken());
        }
        record.set("role", &name);
        role.role = name;
    }
    if record.is_empty() {
        return Err(NO_DATA_TO_UPDATE.bad_request());
    }
    let own = Filter::by("id", &role.id).and_by("organizationId", &member.organization_id);
    let is_renamed = record.has("role");
    let mut fields = record.clone();
    for own in ["role", "permission"] {
        fields.take(own);
    }
    role.fields.merge(fields);
    let mut changes = api.changes();
    changes.update_expecting("organizationRole", own.clone(), record).await?;
    if changes.commit().await? == Commit::Done {
        // With the moment of the change before this one, as in the reference.
        return Ok(role);
    }
    // Somebody else took the name, or the role, meanwhile.
    let is_there = api.storage().find_one(api.table("organizationRole")?, &own).await?.is_some();
    Err(if is_there && is_renamed { grant::taken() } else { ROLE_NOT_FOUND.bad_request() })
}
