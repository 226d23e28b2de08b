use housekey::auth::api;
use housekey::auth::engine::Api;
use housekey::auth::engine::plugins::organization::{
    MemberFilter, MemberQuery, MemberWithUser, OrganizationRef, list_members,
};
use housekey::prelude::*;
use time::OffsetDateTime;

use super::roles::{OWNER, has_role};
use super::standing::Standing;

/// How many members a page shows.
pub const A_PAGE: u32 = 20;

/// A page of the members.
#[derive(Clone, Debug, Default)]
pub struct MembersPage {
    pub members: Vec<MemberRow>,
    /// How many there are, on all pages.
    pub total: u64,
    /// Which page this is. The first is 1.
    pub page: u32,
    pub pages: u64,
}

/// Somebody in the organisation.
#[derive(Clone, Debug)]
pub struct MemberRow {
    /// Of the membership, not of the person.
    pub id: String,
    pub name: String,
    pub email: String,
    pub role: String,
    pub since: OffsetDateTime,
    /// Whether it is whoever asks.
    pub is_you: bool,
    pub may_change_role: bool,
    pub may_remove: bool,
    /// Why not, where somebody may change others but not this one.
    pub why_not: Option<String>,
}

/// The members whose name or address has `search` in it, the first ones first.
pub async fn members_page(standing: &Standing, search: &str, page: u32) -> Result<MembersPage> {
    let you = require_user()?;
    let page = page.max(1);
    let search = search.trim();
    let query = MemberQuery {
        limit: Some(A_PAGE),
        offset: Some((page - 1).saturating_mul(A_PAGE)),
        sort_by: Some("createdAt".into()),
        search: (!search.is_empty()).then(|| search.to_owned()),
        ..default()
    };
    let found = list_members(&mut api()?, OrganizationRef::Active, query).await.or_http_error()?;
    Ok(MembersPage {
        members: found.members.into_iter().map(|member| row(standing, &you.id, member)).collect(),
        total: found.total,
        page,
        pages: found.total.div_ceil(A_PAGE.into()).max(1),
    })
}

/// A member of the organisation that whoever asks works in. One of another organisation is not there.
pub async fn expect_member(api: &mut Api, id: &str) -> Result<MemberWithUser> {
    let filter = MemberFilter { field: "id".into(), operator: "eq".into(), values: vec![id.to_owned()] };
    let query = MemberQuery { filter: Some(filter), limit: Some(1), ..default() };
    let found = list_members(api, OrganizationRef::Active, query).await.or_http_error()?.members;
    found.into_iter().next().ok_or_else(Error::not_found)
}

fn row(standing: &Standing, you: &str, found: MemberWithUser) -> MemberRow {
    let MemberWithUser { member, user } = found;
    let owns = has_role(&member.role, OWNER);
    let is_you = member.user_id == you;
    // The engine refuses both; the page says so before.
    let why_not = match () {
        () if !standing.may_change_roles && !standing.may_remove_members => None,
        () if owns && standing.owners == 1 && standing.is_owner => {
            Some(t("The only owner. Make somebody else an owner first."))
        }
        () if owns && !standing.is_owner => Some(t("Only an owner can change an owner.")),
        () => None,
    };
    MemberRow {
        id: member.id,
        name: user.name,
        email: user.email,
        role: member.role,
        since: member.created_at,
        is_you,
        may_change_role: standing.may_change_roles && why_not.is_none(),
        // Who wants to go themselves leaves.
        may_remove: standing.may_remove_members && why_not.is_none() && !is_you,
        why_not,
    }
}
