use rust_decimal::Decimal;
use sqlx::error::{BoxDynError, DatabaseError};
use sqlx::mysql::{MySqlArguments, MySqlConnectOptions, MySqlDatabaseError, MySqlQueryResult, MySqlRow};
use sqlx::{Arguments, ConnectOptions, Decode, MySql, Row, Type, TypeInfo, ValueRef};
use time::{OffsetDateTime, PrimitiveDateTime};

use super::servers::Engine;
use super::{EngineRow, Outcome};
use crate::error::Kind;
use crate::value::iso;
use crate::{ConnectionConfig, Value};

pub(crate) fn options(config: &ConnectionConfig) -> Result<MySqlConnectOptions, sqlx::Error> {
    let options = if config.url.is_empty() {
        let options = MySqlConnectOptions::new()
            .host(&config.host)
            .port(config.port.unwrap_or(3306))
            .database(&config.database)
            .username(&config.username);
        if config.password.is_empty() { options } else { options.password(config.password.reveal()) }
    } else {
        // Its own scheme for the same protocol.
        config.url.reveal().replacen("mariadb://", "mysql://", 1).parse()?
    };
    Ok(options.disable_statement_logging())
}

impl Engine for MySql {
    fn bind(values: Vec<Value>) -> Result<MySqlArguments, BoxDynError> {
        let mut arguments = MySqlArguments::default();
        arguments.reserve(values.len(), 0);
        for value in values {
            match value {
                Value::Null => arguments.add(None::<String>),
                Value::Bool(value) => arguments.add(value),
                Value::Int(value) => arguments.add(value),
                Value::Real(value) => arguments.add(value),
                Value::Text(value) => arguments.add(value),
                Value::Bytes(value) => arguments.add(value),
                // Without an offset: the column keeps UTC, and so does the session.
                Value::Time(value) => {
                    let value = iso::to_millis(value);
                    arguments.add(PrimitiveDateTime::new(value.date(), value.time()))
                }
                Value::Date(value) => arguments.add(value),
                Value::Decimal(value) => arguments.add(value),
                Value::Uuid(value) => arguments.add(value),
                Value::Json(value) => arguments.add(value.to_string()),
            }?;
        }
        Ok(arguments)
    }

    fn read(row: &MySqlRow, index: usize) -> Result<Value, BoxDynError> {
        let value = row.try_get_raw(index)?;
        if value.is_null() {
            return Ok(Value::Null);
        }
        let info = value.type_info();
        // What most columns are comes first: names are compared one after the other, for every value of a result.
        match info.name() {
            "BIGINT" => <i64 as Decode<'_, MySql>>::decode(value).map(Value::Int),
            "VARCHAR" | "TEXT" if <String as Type<MySql>>::compatible(&info) => {
                <String as Decode<'_, MySql>>::decode(value).map(Value::Text)
            }
            "BOOLEAN" | "TINYINT" | "SMALLINT" | "MEDIUMINT" | "INT" => {
                <i64 as Decode<'_, MySql>>::decode(value).map(Value::Int)
            }
            "TINYINT UNSIGNED" | "SMALLINT UNSIGNED" | "MEDIUMINT UNSIGNED" | "INT UNSIGNED"
            | "BIGINT UNSIGNED" | "YEAR" | "BIT" => {
                let number = <u64 as Decode<'_, MySql>>::decode(value)?;
                Ok(Value::Int(i64::try_from(number)?))
            }
            "DOUBLE" => <f64 as Decode<'_, MySql>>::decode(value).map(Value::Real),
            "FLOAT" => <f32 as Decode<'_, MySql>>::decode(value).map(|value| Value::Real(value.into())),
            "TIMESTAMP" => <OffsetDateTime as Decode<'_, MySql>>::decode(value).map(Value::Time),
            "DATETIME" => <PrimitiveDateTime as Decode<'_, MySql>>::decode(value)
                .map(|time| Value::Time(time.assume_utc())),
            "DATE" => <time::Date as Decode<'_, MySql>>::decode(value).map(Value::Date),
            "TIME" => {
                <time::Time as Decode<'_, MySql>>::decode(value).map(|time| Value::Text(time.to_string()))
            }
            // Sent as text. One with more digits than a `Decimal` has is left to whoever reads it.
            "DECIMAL" => {
                let text = <String as Decode<'_, MySql>>::decode(value)?;
                Ok(Decimal::from_str_exact(&text).map_or(Value::Text(text), Value::Decimal))
            }
            "JSON" | "ENUM" | "SET" => <String as Decode<'_, MySql>>::decode(value).map(Value::Text),
            // The name says BLOB for text with a binary collation as well; the character set tells.
            _ if <String as Type<MySql>>::compatible(&info) => {
                <String as Decode<'_, MySql>>::decode(value).map(Value::Text)
            }
            _ => <Vec<u8> as Decode<'_, MySql>>::decode(value).map(Value::Bytes),
        }
    }

    fn outcome(result: &MySqlQueryResult) -> Outcome {
        Outcome {
            rows_affected: result.rows_affected(),
            last_insert_id: i64::try_from(result.last_insert_id()).ok(),
        }
    }
}

impl From<MySqlRow> for EngineRow {
    fn from(row: MySqlRow) -> Self {
        Self::MySql(row)
    }
}

pub(crate) fn classify(error: &dyn DatabaseError) -> Kind {
    let number = error.try_downcast_ref::<MySqlDatabaseError>().map_or(0, MySqlDatabaseError::number);
    match number {
        1044 | 1045 | 1142 | 1143 | 1227 | 1698 => Kind::Denied,
        1049 => Kind::NoSuchDatabase,
        1040 | 1203 => Kind::Busy,
        1053 | 1927 => Kind::Unreachable,
        1205 => Kind::Locked,
        // MariaDB since 11.6 gives up a transaction whose row was changed since its first read: "Record has changed since last read".
        1020 | 1213 => Kind::Deadlock,
        1290 | 1792 | 1836 => Kind::ReadOnly,
        1021 | 1114 => Kind::Full,
        1146 => Kind::NoSuchTable,
        // Exists already: table, column, index, constraint, reference. Gone already: unknown table, nothing to drop.
        1050 | 1060 | 1061 | 1022 | 1826 | 1051 | 1091 => Kind::Exists,
        _ => Kind::Statement,
    }
}
