//! The fields of a user that an admin sends.

use http::StatusCode;
use serde_json::{Map, Value as Json};

use super::permission::require;
use super::{
    AdminOptions, YOU_ARE_NOT_ALLOWED_TO_BAN_USERS, YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL,
    YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PHONE_NUMBER,
};
use crate::schema::value_of;
use crate::{Api, Record, Result, User, codes};

/// Columns that clients may not set, and an admin may.
const FOR_ADMINS: [&str; 4] = ["emailVerified", "banned", "banReason", "banExpires"];
/// Columns that the engine sets.
const OWN: [&str; 3] = ["id", "createdAt", "updatedAt"];

/// Reads what an admin wants a user to be, all but the role. Fields that no table has are ignored, as in the reference. A
/// column that nobody may set (a plugin's `twoFactorEnabled`) is refused: it has a way of its own to change.
pub(super) fn read(
    api: &Api,
    options: &AdminOptions,
    caller: &User,
    data: &Map<String, Json>,
) -> Result<Record> {
    let has = |names: &[&str]| names.iter().any(|name| data.contains_key(*name));
    if has(&["banned", "banReason", "banExpires"]) {
        require(options, caller, "user", "ban", YOU_ARE_NOT_ALLOWED_TO_BAN_USERS)?;
    }
    if has(&["email", "emailVerified"]) {
        require(options, caller, "user", "set-email", YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL)?;
    }
    if has(&["phoneNumber", "phoneNumberVerified"]) {
        require(options, caller, "user", "set-phone", YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PHONE_NUMBER)?;
    }
    let mut record = Record::new();
    let columns = api.table("user")?.columns.iter();
    for column in columns.filter(|column| column.field != "role" && !OWN.contains(&&*column.field)) {
        let Some(given) = data.get(&*column.field) else { continue };
        if !column.input && !FOR_ADMINS.contains(&&*column.field) {
            let message = format!("{} is not allowed to be set", column.field);
            return Err(codes::FIELD_NOT_ALLOWED.saying(StatusCode::BAD_REQUEST, message));
        }
        if column.field == "email" {
            record.set("email", email(api, given)?);
            continue;
        }
        let value = value_of(column.kind, given).filter(|value| column.nullable || !value.is_null());
        let value = value.ok_or_else(|| {
            let message = format!("[body.data.{}] Invalid input", column.field);
            codes::VALIDATION_ERROR.saying(StatusCode::BAD_REQUEST, message)
        })?;
        record.set(column.field.clone(), value);
    }
    Ok(record)
}

fn email(api: &Api, given: &Json) -> Result<String> {
    let email = given.as_str().unwrap_or_default().to_lowercase();
    api.check_email(&email)?;
    Ok(email)
}
