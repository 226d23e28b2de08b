use housekey::auth::engine::Api;
use housekey::auth::engine::plugins::organization::{
    MemberFilter, MemberQuery, OrganizationRef, list_members,
};
use housekey::auth::{ActiveOrganization, api, require_organization};
use housekey::prelude::*;

use super::roles::{OWNER, has_role, roles_to_give};

/// Where somebody stands in the organisation they work in: what they may do there. Pages show what is allowed; whether it
/// is, the engine decides again when it is asked for.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    pub id: String,
    pub name: String,
    pub slug: String,
    /// Their own role.
    pub role: String,
    pub is_owner: bool,
    /// How many owners there are.
    pub owners: u64,
    /// How many members there are.
    pub members: u64,
    pub may_update: bool,
    pub may_delete: bool,
    pub may_invite: bool,
    pub may_cancel_invitations: bool,
    pub may_change_roles: bool,
    pub may_remove_members: bool,
}

impl Standing {
    /// The address of a form about the organisation: it names it, for the guard `same-organization`. `id` is the
    /// `{id}` of routes that have one.
    pub fn action(&self, route: &str, id: Option<&str>) -> String {
        let id = id.map(|id| ("id", id));
        let parameters: Vec<_> = id.into_iter().chain([("organization", self.id.as_str())]).collect();
        path_to_with(route, &parameters)
    }

    /// The roles that they may give.
    pub fn roles(&self) -> Vec<&'static str> {
        roles_to_give(self.is_owner)
    }

    /// Whether nobody else is an owner.
    pub fn is_last_owner(&self) -> bool {
        self.is_owner && self.owners == 1
    }

    /// Why they cannot leave, and what to do instead. `None` if they can.
    pub fn why_not_leave(&self) -> Option<String> {
        match (self.is_last_owner(), self.members) {
            (false, _) => None,
            (true, ..2) => Some(t("You are the only one here. To leave, delete the organization.")),
            (true, _) => Some(t(
                "You are the only owner, and an organization always has one. Make somebody else an owner first, under Members, or delete the organization.",
            )),
        }
    }
}

/// That of whoever asks, in the organisation they work in.
pub async fn standing() -> Result<Standing> {
    let active = require_organization()?;
    let mut api = api()?;
    let members =
        list_members(&mut api, OrganizationRef::Active, MemberQuery { limit: Some(1), ..default() }).await;
    let allowed = |resource, action| active.may(resource, action);
    Ok(Standing {
        id: active.id().to_owned(),
        name: active.name().to_owned(),
        slug: active.organization.slug.clone(),
        role: active.member.role.clone(),
        is_owner: active.has_role(OWNER),
        owners: owners(&mut api, &active).await?,
        members: members.or_http_error()?.total,
        may_update: allowed("organization", "update"),
        may_delete: allowed("organization", "delete"),
        may_invite: allowed("invitation", "create"),
        may_cancel_invitations: allowed("invitation", "cancel"),
        may_change_roles: allowed("member", "update"),
        may_remove_members: allowed("member", "delete"),
    })
}

/// How many owners there are.
async fn owners(api: &mut Api, active: &ActiveOrganization) -> Result<u64> {
    let filter =
        MemberFilter { field: "role".into(), operator: "contains".into(), values: vec![OWNER.into()] };
    let query = MemberQuery { filter: Some(filter), ..default() };
    let found = list_members(api, OrganizationRef::Id(active.id()), query).await.or_http_error()?.members;
    let owners = found.iter().filter(|found| has_role(&found.member.role, OWNER)).count();
    Ok(u64::try_from(owners).unwrap_or(u64::MAX))
}
