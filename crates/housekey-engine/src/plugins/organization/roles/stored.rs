//! The roles of an organisation: those of the options, united with those that it defined itself.

use super::super::{OrganizationOptions, OrganizationRole, ROLE_NOT_FOUND};
use super::RoleRef;
use crate::access::{Role, Statements};
use crate::storage::{Direction, Filter, Find};
use crate::{Api, Result};

/// What a role allows in an organisation: what the options say, and what the organisation says.
pub(in super::super) async fn role_of(
    api: &Api,
    options: &OrganizationOptions,
    organization_id: &str,
    name: &str,
) -> Result<Option<Role>> {
    let access = options.access();
    let own = access.role(name);
    let Some(row) = row_named(api, options, organization_id, name).await? else { return Ok(own.cloned()) };
    // What cannot be read allows nothing, and the rest of the organisation goes on.
    let stored = readable(row, organization_id);
    Ok(match (own, stored) {
        (Some(own), Some(stored)) => Some(Role::new(united(own.statements(), &stored.permission))),
        (None, Some(stored)) => Some(Role::new(stored.permission)),
        (own, None) => own.cloned(),
    })
}

/// Whether somebody in an organisation may be given a role of this name.
pub(in super::super) async fn is_known(
    api: &Api,
    options: &OrganizationOptions,
    organization_id: &str,
    name: &str,
) -> Result<bool> {
    if options.access().is_known(name) {
        return Ok(true);
    }
    Ok(row_named(api, options, organization_id, name).await?.is_some())
}

/// Every role that an organisation defined, the oldest first.
pub(super) async fn all(api: &Api, organization_id: &str) -> Result<Vec<OrganizationRole>> {
    let find = Find::new(Filter::by("organizationId", organization_id));
    let find = find.order("createdAt", Direction::Ascending).then_by("id");
    let rows = api.storage().find(api.table("organizationRole")?, &find).await?;
    rows.into_iter().map(OrganizationRole::from_record).collect()
}

/// A role of this organisation. One of another organisation is as unknown as one that there is not.
pub(super) async fn one(api: &Api, organization_id: &str, role: RoleRef<'_>) -> Result<OrganizationRole> {
    let filter = Filter::by("organizationId", organization_id);
    let filter = match role {
        RoleRef::Name(name) => filter.and_by("role", name),
        RoleRef::Id(id) => filter.and_by("id", id),
    };
    let row = api.storage().find_one(api.table("organizationRole")?, &filter).await?;
    OrganizationRole::from_record(row.ok_or_else(|| ROLE_NOT_FOUND.bad_request())?)
}

async fn row_named(
    api: &Api,
    options: &OrganizationOptions,
    organization_id: &str,
    name: &str,
) -> Result<Option<crate::Record>> {
    if options.dynamic_roles.is_none() {
        return Ok(None);
    }
    let filter = Filter::by("organizationId", organization_id).and_by("role", name);
    let row = api.storage().find_one(api.table("organizationRole")?, &filter).await?;
    // MySQL does not tell capital letters from small ones; roles do.
    Ok(row.filter(|row| row.text("role") == Some(name)))
}

fn united(one: &Statements, other: &Statements) -> Statements {
    let mut all = one.clone();
    for (resource, actions) in other.iter() {
        let mut both = all.actions(resource).unwrap_or_default().to_vec();
        both.extend(actions.iter().filter(|action| !all.has(resource, action)).cloned());
        all.set(resource.to_owned(), both);
    }
    all
}

fn readable(row: crate::Record, organization_id: &str) -> Option<OrganizationRole> {
    OrganizationRole::from_record(row)
        .inspect_err(|error| {
            tracing::error!(organization = organization_id, %error, "a stored role allows nothing");
        })
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_roles_of_one_name_allow_what_either_allows() {
        let one = Statements::new().with("team", ["create"]).with("ac", ["read"]);
        let other = Statements::new().with("team", ["create", "update"]).with("member", ["create"]);
        let expected = Statements::new()
            .with("team", ["create", "update"])
            .with("ac", ["read"])
            .with("member", ["create"]);
        assert_eq!(united(&one, &other), expected);
    }
}
