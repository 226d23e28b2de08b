use serde::Serialize;

use super::super::{Member, MemberWithUser, OrganizationRef, caller};
use super::people::with_users;
use super::{View, role};
use crate::plugins::listing::{OPERATORS, filtered, number, texts, visible};
use crate::storage::{Direction, Filter, Find};
use crate::{Api, Endpoint, Field, Reply, Result, Shape};

#[derive(Clone, Debug, Default)]
pub struct MemberQuery {
    /// The most to give; all of them when unset.
    pub limit: Option<u32>,
    pub offset: Option<u32>,
    /// The column to sort by; `createdAt` when unset.
    pub sort_by: Option<String>,
    pub sort_direction: Option<Direction>,
    pub filter: Option<MemberFilter>,
    /// Only people with this in their name or address.
    pub search: Option<String>,
}

/// A condition that members must meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberFilter {
    /// A column of `member`: `role`, `createdAt`, …
    pub field: String,
    /// `eq`, `ne`, `lt`, `lte`, `gt`, `gte`, `in`, `not_in`, `contains`, `starts_with` or `ends_with`.
    pub operator: String,
    /// One, or several for `in` and `not_in`.
    pub values: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemberPage {
    pub members: Vec<MemberWithUser>,
    /// How many there are on all pages.
    pub total: u64,
}

/// `GET /organization/list-members`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/list-members", |api| Box::pin(answer(api)))
        .about("Lists the members of an organisation, a page at a time.")
        .takes([
            Field::text("organizationId").optional().about("The active one by itself."),
            Field::text("organizationSlug").optional(),
            Field::integer("limit").optional(),
            Field::integer("offset").optional(),
            Field::text("sortBy").optional().about("The name of a column."),
            Field::choice("sortDirection", ["asc", "desc"]).optional(),
            Field::text("filterField").optional().about("The name of a column."),
            Field::text("filterValue").optional(),
            Field::choice("filterOperator", OPERATORS).optional(),
            Field::text("searchValue").optional().about("How a name or an address begins."),
        ])
        .answers(Shape::object([Field::list("members", View::shape()), Field::integer("total")]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body {
        members: Vec<View>,
        total: u64,
    }
    let mut query = api.request().read_query();
    let (id, slug) = (query.optional_text("organizationId"), query.optional_text("organizationSlug"));
    let (limit, offset) = (number(query.all().get("limit")), number(query.all().get("offset")));
    let sort_by = query.optional_text("sortBy").filter(|field| !field.is_empty());
    let direction = query.optional_choice("sortDirection", &["asc", "desc"]);
    let field = query.optional_text("filterField").filter(|field| !field.is_empty());
    let operator = query.optional_choice("filterOperator", &OPERATORS);
    let values = query.all().get("filterValue").map(texts);
    let search = query.optional_text("searchValue").filter(|text| !text.is_empty());
    query.finish()?;
    let filter = field.map(|field| MemberFilter {
        field,
        operator: operator.unwrap_or("eq").to_owned(),
        values: values.unwrap_or_default(),
    });
    let sort_direction = direction.map(|direction| match direction {
        "desc" => Direction::Descending,
        _ => Direction::Ascending,
    });
    let query = MemberQuery { limit, offset, sort_by, sort_direction, filter, search };
    let page = list_members(api, OrganizationRef::named(id.as_deref(), slug.as_deref()), query).await?;
    let members = page.members.iter().map(|member| View::of(api, member)).collect::<Result<_>>()?;
    Reply::json(&Body { members, total: page.total })
}

/// The members of an organisation, for one of them.
pub async fn list_members(
    api: &mut Api,
    which: OrganizationRef<'_>,
    query: MemberQuery,
) -> Result<MemberPage> {
    let signed_in = caller::signed_in(api).await?;
    let own = role::own(api, &signed_in, which).await?;
    let table = api.table("member")?;
    let mut filter = Filter::by("organizationId", &own.organization_id);
    if let Some(wanted) = &query.filter {
        let column = visible(table, &wanted.field, "filterField")?;
        filter = filtered(filter, column, &wanted.operator, &wanted.values)?;
    }
    let column = visible(table, query.sort_by.as_deref().unwrap_or("createdAt"), "sortBy")?;
    let direction = query.sort_direction.unwrap_or(Direction::Ascending);
    let mut find = Find::new(filter.clone()).order(column.field.clone(), direction);
    if column.field != "id" {
        find = find.then_by("id");
    }
    let offset = query.offset.unwrap_or(0);
    let search = query.search.as_deref().filter(|text| !text.is_empty());
    if search.is_none() {
        find = find.limit(query.limit.unwrap_or(u32::MAX)).offset(offset);
    }
    let rows = api.storage().find(table, &find).await?;
    let members = rows.into_iter().map(Member::from_record).collect::<Result<Vec<_>>>()?;
    let mut members = with_users(api, members, search).await?;
    let total = match search {
        None => api.storage().count(table, &filter).await?,
        // What people are called stands in another table: whoever looks for somebody reads the whole organisation.
        Some(_) => {
            let found = members.len() as u64;
            let (skip, take) = (offset as usize, query.limit.map_or(usize::MAX, |limit| limit as usize));
            members = members.into_iter().skip(skip).take(take).collect();
            found
        }
    };
    Ok(MemberPage { members, total })
}
