//! The tables that every engine has, column for column those of the reference.

use super::{Column, ColumnKind, Table};

pub(super) fn user() -> Table {
    Table::new("user")
        .column_with(Column { bound: Some(255), ..Column::text("name") })
        .column_with(Column::text("email").unique())
        .column_with(Column::boolean("emailVerified").default_value(false).read_only())
        .column_with(Column::text("image").nullable())
        .column_with(Column::date("createdAt").default_now().read_only())
        .column_with(Column::date("updatedAt").default_now().read_only())
}

pub(super) fn session() -> Table {
    Table::new("session")
        .column_with(Column::date("expiresAt").read_only())
        .column_with(Column::text("token").unique().read_only())
        .column_with(Column::date("createdAt").default_now().read_only())
        .column_with(Column::date("updatedAt").read_only())
        .column_with(Column::text("ipAddress").nullable().read_only())
        .column_with(Column::text("userAgent").nullable().read_only())
        .column_with(Column::reference("userId", "user").indexed().read_only())
}

/// `issuer` may be empty, so that databases of reference versions with and without the column open; we always
/// write it.
pub(super) fn account() -> Table {
    let mut table = Table::new("account")
        .column_with(Column::text("issuer").nullable())
        .column_with(Column::text("accountId"))
        .column_with(Column::text("providerId"))
        .column_with(Column::reference("userId", "user").indexed())
        .column_with(Column::text("accessToken").nullable().hidden())
        .column_with(Column::text("refreshToken").nullable().hidden())
        .column_with(Column::text("idToken").nullable().hidden())
        .column_with(Column::date("accessTokenExpiresAt").nullable().hidden())
        .column_with(Column::date("refreshTokenExpiresAt").nullable().hidden())
        .column_with(Column::text("scope").nullable())
        .column_with(Column::text("password").nullable().hidden())
        .column_with(Column::date("createdAt").default_now())
        .column_with(Column::date("updatedAt"));
    for column in &mut table.columns {
        column.input = false;
    }
    table
}

pub(super) fn verification() -> Table {
    Table::new("verification")
        .column_with(Column::text("identifier").indexed())
        .column_with(Column::text("value"))
        .column_with(Column::date("expiresAt"))
        .column_with(Column::date("createdAt").default_now())
        .column_with(Column::date("updatedAt").default_now())
}

pub(super) fn rate_limit() -> Table {
    Table::new("rateLimit")
        .column_with(Column::text("key").unique())
        .column_with(Column::integer("count"))
        .column_with(Column::new("lastRequest", ColumnKind::BigInteger))
}
