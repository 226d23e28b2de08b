use housekey::auth::api;
use housekey::auth::engine::plugins::admin::{UserFilter, UserQuery, UserSearch, list_users};
use housekey::auth::engine::storage::Comparison;
use housekey::prelude::*;

use super::person::person;
use super::{ROWS, part, private};
use crate::requests::admin::UserListRequest;
use crate::views::pages::admin::{UserList, users};

/// `GET /admin/users`
pub async fn index(ValidQuery(wanted): ValidQuery<UserListRequest>) -> Result<View> {
    let page = wanted.page.max(1);
    let mut found = list_users(&mut api()?, &query(&wanted, page)).await.or_http_error()?;
    let has_next = found.len() > ROWS as usize;
    found.truncate(ROWS as usize);
    let people = found.iter().map(person).collect::<Result<Vec<_>>>()?;
    Ok(private(view(users(&UserList {
        people,
        search: wanted.search,
        anywhere: wanted.anywhere,
        show: wanted.show,
        sort: wanted.sort,
        page,
        has_next,
    }))))
}

fn query(wanted: &UserListRequest, page: u32) -> UserQuery {
    let (limit, offset) = part(page);
    let text = wanted.search.trim();
    let search = (!text.is_empty()).then(|| UserSearch {
        text: text.to_owned(),
        fields: vec!["email".into(), "name".into()],
        comparison: if wanted.anywhere { Comparison::Contains } else { Comparison::StartsWith },
    });
    let only = |field: &str, value: &str| {
        vec![UserFilter { field: field.into(), operator: "eq", values: vec![value.into()] }]
    };
    let filters = match wanted.show.as_str() {
        "admins" => only("role", "admin"),
        "closed" => only("banned", "true"),
        "unconfirmed" => only("emailVerified", "false"),
        _ => Vec::new(),
    };
    let (sort_by, descending) = match wanted.sort.as_str() {
        "oldest" => ("createdAt", false),
        "email" => ("email", false),
        "name" => ("name", false),
        _ => ("createdAt", true),
    };
    UserQuery { search, filters, sort_by: Some(sort_by.into()), descending, limit: Some(limit), offset }
}
