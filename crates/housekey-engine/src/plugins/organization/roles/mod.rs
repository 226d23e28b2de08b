//! Roles that organisations define themselves, beside those of the options.
//!
//! Nobody gives a role what they are not allowed themselves, and of two who take one name at the same moment the database lets
//! one.

mod create;
mod delete;
mod find;
mod grant;
mod list;
mod stored;
mod update;

pub use create::{NewRole, create_role};
pub use delete::delete_role;
pub use find::find_role;
pub use list::list_roles;
pub(super) use stored::{is_known, role_of};
pub use update::{RoleChanges, update_role};

use super::{OrganizationOptions, OrganizationRole};
use crate::access::Statements;
use crate::{Api, Endpoint, Field, Record, Result, Shape, Value};

/// Which stored role is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleRef<'a> {
    Name(&'a str),
    Id(&'a str),
}

/// The endpoints, which are there only with such roles.
pub(super) fn endpoints(options: &OrganizationOptions) -> Vec<Endpoint> {
    if options.dynamic_roles.is_none() {
        return Vec::new();
    }
    vec![create::endpoint(), update::endpoint(), delete::endpoint(), list::endpoint(), find::endpoint()]
}

/// A role as clients see it: what it allows is an object, and not the text of the column.
fn view(api: &Api, role: &OrganizationRole) -> Result<Record> {
    let row = role.to_record().with("permission", json_of(&role.permission));
    super::fields::view(api, "organizationRole", &row)
}

/// The same as it is described.
fn shape() -> Shape {
    Shape::row_with("organizationRole", [Field::new("permission", Shape::map(Shape::list(Shape::text())))])
}

fn json_of(permission: &Statements) -> Value {
    Value::Json(serde_json::to_value(permission).unwrap_or_default())
}

/// What the column holds.
fn text_of(permission: &Statements) -> String {
    serde_json::to_string(permission).unwrap_or_default()
}
