use housekey::auth::User;
use housekey::auth::engine::Value;
use housekey::auth::engine::plugins::admin::is_admin;
use housekey::auth::engine::plugins::two_factor;
use housekey::prelude::*;

use super::moment::moment;
use crate::views::pages::admin::Person;

/// Somebody as an admin sees them.
pub(super) fn person(user: &User) -> Result<Person> {
    let api = housekey::auth::api()?;
    let flag = |field| user.fields.get(field).and_then(Value::as_bool).unwrap_or(false);
    Ok(Person {
        id: user.id.clone(),
        name: user.name.clone(),
        email: user.email.clone(),
        email_verified: user.email_verified,
        admin: is_admin(&api, user).or_http_error()?,
        roles: user.fields.text("role").unwrap_or_default().to_owned(),
        closed: flag("banned"),
        closed_because: user.fields.text("banReason").map(str::to_owned),
        closed_until: user.fields.get("banExpires").and_then(Value::as_date).map(moment),
        two_factor: two_factor::is_enabled(user),
        since: moment(user.created_at),
    })
}
