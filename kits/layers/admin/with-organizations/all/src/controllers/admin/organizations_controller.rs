use housekey::database::FromRow;
use housekey::prelude::*;
use time::OffsetDateTime;

use super::moment::moment;
use super::{ROWS, part, private};
use crate::requests::admin::OrganizationListRequest;
use crate::views::pages::admin::{MembershipRow, OrganizationList, OrganizationRow, organizations};

#[derive(FromRow)]
#[row(rename_all = "camelCase")]
struct Organization {
    id: String,
    name: String,
    slug: String,
    created_at: OffsetDateTime,
}

#[derive(FromRow)]
#[row(rename_all = "camelCase")]
struct Membership {
    organization_id: String,
    role: String,
}

/// `GET /admin/organizations`: the newest first.
pub async fn index(ValidQuery(wanted): ValidQuery<OrganizationListRequest>) -> Result<View> {
    let page = wanted.page.max(1);
    let (limit, offset) = part(page);
    let search = wanted.search.trim();
    let mut query = db()?.table("organization");
    if !search.is_empty() {
        query = query.where_any(|any| any.where_contains("name", search).where_contains("slug", search));
    }
    let query = query.order_by_desc("createdAt").order_by("id").limit(limit.into()).offset(offset.into());
    let mut found: Vec<Organization> = query.get().await?;
    let has_next = found.len() > ROWS as usize;
    found.truncate(ROWS as usize);
    let mut rows = Vec::with_capacity(found.len());
    for organization in found {
        let members = db()?.table("member").where_eq("organizationId", organization.id.as_str());
        rows.push(OrganizationRow {
            members: members.count().await?,
            name: organization.name,
            slug: organization.slug,
            since: moment(organization.created_at),
        });
    }
    let props = OrganizationList { organizations: rows, search: wanted.search, page, has_next };
    Ok(private(view(organizations(&props))))
}

/// The organisations that somebody is in.
pub(super) async fn of_user(id: &str) -> Result<Vec<MembershipRow>> {
    let memberships: Vec<Membership> = db()?.table("member").where_eq("userId", id).get().await?;
    let ids = memberships.iter().map(|membership| membership.organization_id.clone());
    let organizations: Vec<Organization> = match memberships.is_empty() {
        true => Vec::new(),
        false => db()?.table("organization").where_in("id", ids).order_by("name").get().await?,
    };
    let rows = organizations.into_iter().map(|organization| {
        let own = memberships.iter().find(|membership| membership.organization_id == organization.id);
        MembershipRow {
            role: own.map(|membership| membership.role.clone()).unwrap_or_default(),
            name: organization.name,
            slug: organization.slug,
        }
    });
    Ok(rows.collect())
}
