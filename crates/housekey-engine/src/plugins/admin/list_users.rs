use http::StatusCode;
use serde::Serialize;
use serde_json::Value as Json;

use super::YOU_ARE_NOT_ALLOWED_TO_LIST_USERS;
use super::last_admin::having_role;
use super::permission::caller_who_may;
use crate::models::UserView;
use crate::record::parse_iso;
use crate::schema::{Column, ColumnKind, Table};
use crate::storage::{Comparison, Condition, Direction, Filter, Find};
use crate::{Api, ApiError, Endpoint, Reply, Result, User, Value, codes};

/// Users on a page when nobody says how many.
const USUAL: u32 = 100;
const SEARCHED: [&str; 2] = ["email", "name"];
const OPERATORS: [&str; 11] =
    ["eq", "ne", "lt", "lte", "gt", "gte", "in", "not_in", "contains", "starts_with", "ends_with"];

/// `GET /admin/list-users`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/admin/list-users", |api| Box::pin(answer(api)))
}

// spec: ADM-1
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
        query.complain("searchField", "Invalid option: expected one of \"email\"|\"name\"");
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
    caller_who_may(api, "user", "list", YOU_ARE_NOT_ALLOWED_TO_LIST_USERS).await?;
    let table = api.table("user")?;
    let mut filter = Filter::all();
    if let Some(search) = search {
        let comparison = comparison(search_operator.unwrap_or("contains"));
        let fields = search_field.split(',');
        filter = filter.and_any(fields.map(|field| Condition::new(field.to_owned(), comparison, &search)));
    }
    if let Some(value) = filter_value {
        let field = filter_field.unwrap_or_else(|| "email".into());
        let column = visible(table, &field, "filterField")?;
        filter = filtered(filter, column, filter_operator.unwrap_or("eq"), &texts(&value))?;
    }
    let direction = if direction == Some("desc") { Direction::Descending } else { Direction::Ascending };
    let column = visible(table, sort_by.as_deref().unwrap_or("createdAt"), "sortBy")?;
    let mut find = Find::new(filter.clone()).order(column.field.clone(), direction);
    if !column.unique && column.field != "id" {
        find = find.then_by("id");
    }
    find = find.limit(limit.unwrap_or(USUAL)).offset(offset.unwrap_or(0));
    let rows = api.storage().find(table, &find).await?;
    let total = api.storage().count(table, &filter).await?;
    let users = rows.into_iter().map(User::from_record).collect::<Result<Vec<_>>>()?;
    let users = users.iter().map(|user| api.user_view(user)).collect::<Result<Vec<_>>>()?;
    Reply::json(&Body { users, total, limit, offset })
}

/// A number of rows; what is none, and 0, is as if nothing was said.
fn number(given: Option<&Json>) -> Option<u32> {
    given?.as_str()?.trim().parse().ok().filter(|number| *number > 0)
}

/// A column by its name, if clients may see it: what is hidden must not be guessed letter by letter either.
fn visible<'a>(table: &'a Table, field: &str, parameter: &str) -> Result<&'a Column> {
    let column = table.column(field).filter(|column| column.returned && column.kind != ColumnKind::Json);
    column.ok_or_else(|| wrong(parameter, "Invalid option: there is no such field"))
}

fn filtered(filter: Filter, column: &Column, operator: &str, given: &[String]) -> Result<Filter> {
    let values = given.iter().map(|text| value_of(column, text)).collect::<Result<Vec<_>>>()?;
    let is_text = matches!(column.kind, ColumnKind::Text | ColumnKind::Id);
    let is_role = column.field == "role";
    let field = || column.field.clone();
    let one = || values.first().cloned().unwrap_or_default();
    Ok(match operator {
        // Somebody may have several roles: whoever asks for one means those too.
        "eq" | "in" if is_role => filter.and_any(given.iter().flat_map(|role| having_role(role))),
        "in" => {
            filter.and_any(values.into_iter().map(|value| Condition::new(field(), Comparison::Equal, value)))
        }
        "not_in" => {
            values.into_iter().fold(filter, |filter, value| filter.and(field(), Comparison::NotEqual, value))
        }
        "contains" | "starts_with" | "ends_with" if !is_text => {
            return Err(wrong("filterOperator", "Invalid option: this field holds no text"));
        }
        other => filter.and(field(), comparison(other), one()),
    })
}

fn comparison(operator: &str) -> Comparison {
    match operator {
        "ne" => Comparison::NotEqual,
        "lt" => Comparison::Less,
        "lte" => Comparison::LessOrEqual,
        "gt" => Comparison::Greater,
        "gte" => Comparison::GreaterOrEqual,
        "contains" => Comparison::Contains,
        "starts_with" => Comparison::StartsWith,
        "ends_with" => Comparison::EndsWith,
        _ => Comparison::Equal,
    }
}

/// What a query says, once or several times.
fn texts(given: &Json) -> Vec<String> {
    match given {
        Json::Array(items) => items.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        one => one.as_str().map(str::to_owned).into_iter().collect(),
    }
}

/// A query has texts only; the column says what they mean.
fn value_of(column: &Column, text: &str) -> Result<Value> {
    let value = match column.kind {
        ColumnKind::Text | ColumnKind::Id => (!text.contains('\0')).then(|| Value::from(text)),
        ColumnKind::Boolean => match text {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        ColumnKind::Integer | ColumnKind::BigInteger => text.parse().ok().map(Value::Integer),
        ColumnKind::Date => parse_iso(text).map(Value::Date),
        ColumnKind::Json => None,
    };
    value.ok_or_else(|| wrong("filterValue", "Invalid input: it is not of the field's type"))
}

fn wrong(parameter: &str, what: &str) -> ApiError {
    codes::VALIDATION_ERROR.saying(StatusCode::BAD_REQUEST, format!("[query.{parameter}] {what}"))
}
