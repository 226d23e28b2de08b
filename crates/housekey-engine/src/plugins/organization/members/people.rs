//! Members together with the people they are.

use std::collections::HashMap;

use super::super::{Member, MemberUser, MemberWithUser};
use crate::storage::{Comparison, Condition, Direction, Filter, Find};
use crate::{Api, Result, User};

/// People who are asked for in one go.
const PART: usize = 100;

/// The members of an organisation, the oldest first.
pub(in super::super) async fn of(
    api: &Api,
    organization_id: &str,
    limit: Option<u64>,
) -> Result<Vec<MemberWithUser>> {
    let find = Find::new(Filter::by("organizationId", organization_id));
    let mut find = find.order("createdAt", Direction::Ascending).then_by("id");
    find.limit = limit.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX));
    let rows = api.storage().find(api.table("member")?, &find).await?;
    let members = rows.into_iter().map(Member::from_record).collect::<Result<Vec<_>>>()?;
    with_users(api, members, None).await
}

/// A member with the person. `None` if that one is gone.
pub(in super::super) async fn with_user(api: &Api, member: Member) -> Result<Option<MemberWithUser>> {
    Ok(with_users(api, vec![member], None).await?.pop())
}

/// Members with the people; with a text to look for, only those who have it in their name or address.
pub(super) async fn with_users(
    api: &Api,
    members: Vec<Member>,
    search: Option<&str>,
) -> Result<Vec<MemberWithUser>> {
    let mut people = HashMap::new();
    for part in members.chunks(PART) {
        let ids = part.iter().map(|member| Condition::new("id", Comparison::Equal, &member.user_id));
        let mut filter = Filter::all().and_any(ids);
        if let Some(search) = search {
            filter = filter
                .and_any(["name", "email"].map(|field| Condition::new(field, Comparison::Contains, search)));
        }
        for row in api.storage().find(api.table("user")?, &Find::new(filter)).await? {
            let user = User::from_record(row)?;
            people.insert(user.id.clone(), MemberUser::from(&user));
        }
    }
    let found = members.into_iter().filter_map(|member| {
        let user = people.get(&member.user_id)?.clone();
        Some(MemberWithUser { member, user })
    });
    Ok(found.collect())
}
