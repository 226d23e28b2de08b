use http::StatusCode;
use serde::Serialize;

use super::YOU_ARE_NOT_ALLOWED_TO_LIST_USERS;
use super::permission::caller_who_may;
use crate::plugins::listing::{OPERATORS, comparison, filtered, number, texts, visible};
use crate::schema::Table;
use crate::storage::{Comparison, Condition, Direction, Filter, Find};
use crate::{Api, Endpoint, Field, Reply, Result, Shape, User, UserView};

/// Users on a page when nobody says how many.
const USUAL: u32 = 100;
const SEARCHED: [&str; 2] = ["email", "name"];

/// `GET /admin/list-users`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/admin/list-users", |api| Box::pin(answer(api)))
        .about("Lists users, a page at a time.")
        .takes([
            Field::text("searchValue").optional(),
            Field::text("searchField")
                .optional()
                .about("`email`, `name`, or both with a comma between them; by itself `email`."),
            Field::choice("searchOperator", ["contains", "starts_with", "ends_with"]).optional(),
            Field::integer("limit").optional(),
            Field::integer("offset").optional(),
            Field::text("sortBy").optional().about("The name of a column."),
            Field::choice("sortDirection", ["asc", "desc"]).optional(),
            Field::text("filterField").optional().about("The name of a column."),
            Field::text("filterValue").optional(),
            Field::choice("filterOperator", OPERATORS).optional(),
        ])
        .answers(Shape::object([
            Field::list("users", Shape::row("user")),
            Field::integer("total"),
            Field::integer("limit").optional(),
            Field::integer("offset").optional(),
        ]))
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_LIST_USERS])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        users: Vec<UserView<'a>>,
        total: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        offset: Option<u32>,
    }
    let mut query = api.request().read_query();
    let search = query.optional_text("searchValue").filter(|value| !value.is_empty());
    let search_field = query.optional_text("searchField").unwrap_or_else(|| "email".into());
    // Several at once, which the reference cannot: `email,name`.
    if !search_field.split(',').all(|field| SEARCHED.contains(&field)) {
        query.add_error("searchField", "Invalid option: expected one of \"email\"|\"name\"");
    }
    let search_operator = query.optional_choice("searchOperator", &["contains", "starts_with", "ends_with"]);
    let limit = number(query.all().get("limit"));
    let offset = number(query.all().get("offset"));
    let sort_by = query.optional_text("sortBy").filter(|field| !field.is_empty());
    let direction = query.optional_choice("sortDirection", &["asc", "desc"]);
    let filter_field = query.optional_text("filterField").filter(|field| !field.is_empty());
    let filter_value = query.all().remove("filterValue");
    let filter_operator = query.optional_choice("filterOperator", &OPERATORS);
    query.finish()?;
    let asked = UserQuery {
        search: search.map(|text| UserSearch {
            text,
            fields: search_field.split(',').map(str::to_owned).collect(),
            comparison: comparison(search_operator.unwrap_or("contains")),
        }),
        filters: filter_value
            .map(|value| UserFilter {
                field: filter_field.unwrap_or_else(|| "email".into()),
                operator: filter_operator.unwrap_or("eq"),
                values: texts(&value),
            })
            .into_iter()
            .collect(),
        sort_by,
        descending: direction == Some("desc"),
        limit,
        offset: offset.unwrap_or(0),
    };
    let users = list_users(api, &asked).await?;
    let total = match last_of(users.len(), limit.unwrap_or(USUAL), asked.offset) {
        Some(total) => total,
        None => count_users(api, &asked).await?,
    };
    let users = users.iter().map(|user| api.user_view(user)).collect::<Result<Vec<_>>>()?;
    Reply::json(&Body { users, total, limit, offset })
}

/// How many there are, if the page tells: it is the last one. Nobody has to count then, which takes as long as the search.
fn last_of(rows: usize, most: u32, skipped: u32) -> Option<u64> {
    let rows = u64::try_from(rows).ok()?;
    let tells = rows < u64::from(most) && (rows > 0 || skipped == 0);
    tells.then_some(u64::from(skipped) + rows)
}

/// Which users, in which order, and which part of them.
#[derive(Clone, Debug, Default)]
pub struct UserQuery {
    pub search: Option<UserSearch>,
    /// They must pass all of these.
    pub filters: Vec<UserFilter>,
    /// The field to sort by. Unset: `createdAt`, and `email` where addresses are searched by how they begin.
    pub sort_by: Option<String>,
    pub descending: bool,
    /// How many at most; 100 when unset.
    pub limit: Option<u32>,
    pub offset: u32,
}

/// A text that one of some fields must have in it.
#[derive(Clone, Debug)]
pub struct UserSearch {
    pub text: String,
    /// Fields that hold text and that clients may see.
    pub fields: Vec<String>,
    /// [`Contains`](Comparison::Contains), or how else a text is looked for.
    pub comparison: Comparison,
}

/// What a field must be. A text is read as the field's type says: `true` for a boolean, an ISO date for a date.
#[derive(Clone, Debug)]
pub struct UserFilter {
    pub field: String,
    /// `eq`, `ne`, `lt`, `lte`, `gt`, `gte`, `in`, `not_in`, `contains`, `starts_with` or `ends_with`. Who is asked for by a role
    /// may have others, too.
    pub operator: &'static str,
    pub values: Vec<String>,
}

/// Users, if whoever is signed in may list them. How many there are in all is a question of its own, which takes a database
/// longer: [`count_users`].
// spec: ADM-1
pub async fn list_users(api: &mut Api, query: &UserQuery) -> Result<Vec<User>> {
    caller_who_may(api, "user", "list", YOU_ARE_NOT_ALLOWED_TO_LIST_USERS).await?;
    let table = api.table("user")?;
    let direction = if query.descending { Direction::Descending } else { Direction::Ascending };
    let column = visible(table, query.sort_by.as_deref().unwrap_or_else(|| usual_order(query)), "sortBy")?;
    let mut find = Find::new(wanted(table, query)?).order(column.field.clone(), direction);
    if !column.unique && column.field != "id" {
        find = find.then_by("id");
    }
    find = find.limit(query.limit.unwrap_or(USUAL)).offset(query.offset);
    let rows = api.storage().find(table, &find).await?;
    rows.into_iter().map(User::from_record).collect()
}

/// The order of a list without a wish. Addresses that begin with a text are next to each other in the index that finds them: the
/// first hundred are there at once, also where a million begin alike.
fn usual_order(query: &UserQuery) -> &'static str {
    let by_beginning = query.search.as_ref().is_some_and(|search| {
        search.comparison == Comparison::StartsWith && search.fields.iter().all(|field| field == "email")
    });
    if by_beginning { "email" } else { "createdAt" }
}

/// How many users there are of those, whatever part of them is asked for.
pub async fn count_users(api: &mut Api, query: &UserQuery) -> Result<u64> {
    caller_who_may(api, "user", "list", YOU_ARE_NOT_ALLOWED_TO_LIST_USERS).await?;
    let table = api.table("user")?;
    Ok(api.storage().count(table, &wanted(table, query)?).await?)
}

fn wanted(table: &Table, query: &UserQuery) -> Result<Filter> {
    let mut filter = Filter::all();
    if let Some(search) = &query.search {
        let conditions = search.fields.iter().map(|field| {
            let column = visible(table, field, "searchField")?;
            Ok(Condition::new(column.field.clone(), search.comparison, &search.text))
        });
        filter = filter.and_any(conditions.collect::<Result<Vec<_>>>()?);
    }
    for asked in &query.filters {
        let column = visible(table, &asked.field, "filterField")?;
        filter = filtered(filter, column, asked.operator, &asked.values)?;
    }
    Ok(filter)
}
