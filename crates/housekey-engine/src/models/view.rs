use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{Session, User};
use crate::Record;
use crate::record::{Value, iso};
use crate::schema::Table;

/// A user as clients see it: schema order, `id` last, without hidden columns.
pub struct UserView<'a>(pub(crate) &'a User, pub(crate) &'a Table);

/// A session as clients see it.
pub struct SessionView<'a>(pub(crate) &'a Session, pub(crate) &'a Table);

/// Any other row as clients see it.
pub struct RowView<'a>(pub(crate) &'a Record, pub(crate) &'a Table);

/// How many columns, `id` included, the core gives each table; what follows is a plugin's or the app's.
const USER_COLUMNS: usize = 7;
const SESSION_COLUMNS: usize = 8;

impl Serialize for UserView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(user, table) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &user.name)?;
        map.serialize_entry("email", &user.email)?;
        map.serialize_entry("emailVerified", &user.email_verified)?;
        map.serialize_entry("image", &user.image)?;
        map.serialize_entry("createdAt", &iso(user.created_at))?;
        map.serialize_entry("updatedAt", &iso(user.updated_at))?;
        additional(&mut map, &user.fields, table, USER_COLUMNS)?;
        map.serialize_entry("id", &user.id)?;
        map.end()
    }
}

impl Serialize for SessionView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(session, table) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("expiresAt", &iso(session.expires_at))?;
        map.serialize_entry("token", &session.token)?;
        map.serialize_entry("createdAt", &iso(session.created_at))?;
        map.serialize_entry("updatedAt", &iso(session.updated_at))?;
        map.serialize_entry("ipAddress", &session.ip_address)?;
        map.serialize_entry("userAgent", &session.user_agent)?;
        map.serialize_entry("userId", &session.user_id)?;
        additional(&mut map, &session.fields, table, SESSION_COLUMNS)?;
        map.serialize_entry("id", &session.id)?;
        map.end()
    }
}

impl Serialize for RowView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(record, table) = self;
        let mut map = serializer.serialize_map(None)?;
        additional(&mut map, record, table, 1)?;
        map.serialize_entry("id", &record.text("id"))?;
        map.end()
    }
}

fn additional<M: SerializeMap>(
    map: &mut M,
    fields: &Record,
    table: &Table,
    skip: usize,
) -> Result<(), M::Error> {
    for column in table.columns.iter().skip(skip).filter(|column| column.returned) {
        map.serialize_entry(&column.field, fields.get(&column.field).unwrap_or(&Value::Null))?;
    }
    Ok(())
}
