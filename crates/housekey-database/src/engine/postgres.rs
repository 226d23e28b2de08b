use std::time::Duration;

use rust_decimal::Decimal;
use sqlx::encode::IsNull;
use sqlx::error::{BoxDynError, DatabaseError};
use sqlx::postgres::types::Oid;
use sqlx::postgres::{
    PgArgumentBuffer, PgArguments, PgConnectOptions, PgListener, PgPoolOptions, PgQueryResult, PgRow,
    PgTypeInfo, PgTypeKind,
};
use sqlx::types::Json;
use sqlx::{Arguments, ConnectOptions, Decode, Encode, Postgres, Row, Type, TypeInfo, ValueRef};
use time::{OffsetDateTime, PrimitiveDateTime};
use uuid::Uuid;

use super::servers::Engine;
use super::{EngineRow, Outcome};
use crate::error::Kind;
use crate::value::iso;
use crate::{ConnectionConfig, Value};

pub(crate) fn options(config: &ConnectionConfig) -> Result<PgConnectOptions, sqlx::Error> {
    let options = if config.url.is_empty() {
        let options = PgConnectOptions::new_without_pgpass()
            .host(&config.host)
            .port(config.port.unwrap_or(5432))
            .database(&config.database)
            .username(&config.username);
        if config.password.is_empty() { options } else { options.password(config.password.reveal()) }
    } else {
        config.url.reveal().parse()?
    };
    Ok(options.application_name("housekey").disable_statement_logging())
}

impl Engine for Postgres {
    fn bind(values: Vec<Value>) -> Result<PgArguments, BoxDynError> {
        let mut arguments = PgArguments::default();
        arguments.reserve(values.len(), 0);
        for value in values {
            match value {
                Value::Null => arguments.add(Untyped),
                Value::Bool(value) => arguments.add(value),
                Value::Int(value) => arguments.add(value),
                Value::Real(value) => arguments.add(value),
                Value::Text(value) => arguments.add(value),
                Value::Bytes(value) => arguments.add(value),
                Value::Time(value) => arguments.add(iso::to_millis(value)),
                Value::Date(value) => arguments.add(value),
                Value::Decimal(value) => arguments.add(value),
                Value::Uuid(value) => arguments.add(value),
                Value::Json(value) => arguments.add(Json(value)),
            }?;
        }
        Ok(arguments)
    }

    fn read(row: &PgRow, index: usize) -> Result<Value, BoxDynError> {
        let value = row.try_get_raw(index)?;
        if value.is_null() {
            return Ok(Value::Null);
        }
        let info = value.type_info();
        // What most columns are comes first: names are compared one after the other, for every value of a result.
        match info.name() {
            "INT8" => <i64 as Decode<'_, Postgres>>::decode(value).map(Value::Int),
            "VARCHAR" | "TEXT" => <String as Decode<'_, Postgres>>::decode(value).map(Value::Text),
            "BOOL" => <bool as Decode<'_, Postgres>>::decode(value).map(Value::Bool),
            "INT4" | "INT2" => <i64 as Decode<'_, Postgres>>::decode(value).map(Value::Int),
            "OID" => <Oid as Decode<'_, Postgres>>::decode(value).map(|oid| Value::Int(i64::from(oid.0))),
            "FLOAT8" => <f64 as Decode<'_, Postgres>>::decode(value).map(Value::Real),
            "FLOAT4" => <f32 as Decode<'_, Postgres>>::decode(value).map(|value| Value::Real(value.into())),
            "CHAR" | "NAME" | "UNKNOWN" | "CITEXT" => {
                <String as Decode<'_, Postgres>>::decode(value).map(Value::Text)
            }
            "\"CHAR\"" => <i8 as Decode<'_, Postgres>>::decode(value)
                .map(|byte| Value::Text(char::from(byte.cast_unsigned()).to_string())),
            "BYTEA" => <Vec<u8> as Decode<'_, Postgres>>::decode(value).map(Value::Bytes),
            "TIMESTAMPTZ" => <OffsetDateTime as Decode<'_, Postgres>>::decode(value).map(Value::Time),
            "TIMESTAMP" => <PrimitiveDateTime as Decode<'_, Postgres>>::decode(value)
                .map(|time| Value::Time(time.assume_utc())),
            "DATE" => <time::Date as Decode<'_, Postgres>>::decode(value).map(Value::Date),
            "NUMERIC" => <Decimal as Decode<'_, Postgres>>::decode(value).map(Value::Decimal),
            "JSON" | "JSONB" => <Json<serde_json::Value> as Decode<'_, Postgres>>::decode(value)
                .map(|Json(value)| Value::Json(value)),
            "UUID" => <Uuid as Decode<'_, Postgres>>::decode(value).map(Value::Uuid),
            _ if matches!(info.kind(), PgTypeKind::Enum(_)) => {
                <String as Decode<'_, Postgres>>::decode(value).map(Value::Text)
            }
            other => {
                Err(format!("PostgreSQL's type {other} is not read here; cast it to text in the query")
                    .into())
            }
        }
    }

    fn outcome(result: &PgQueryResult) -> Outcome {
        Outcome { rows_affected: result.rows_affected(), last_insert_id: None }
    }

    /// Statements are kept by their text alone, with the types of the first call. A price may be compared with an exact number and then
    /// with a whole one, a moment with a day: same text, other types. A comment tells them apart.
    fn mark(values: &[Value]) -> Option<String> {
        let types: String = values
            .iter()
            .map(|value| match value {
                Value::Decimal(_) => 'n',
                Value::Date(_) => 'd',
                Value::Real(_) => 'r',
                _ => '-',
            })
            .collect();
        types.contains(['n', 'd', 'r']).then(|| format!("/* {types} */"))
    }

    /// Statements are kept by their text alone, with the types of the first call. A bare NULL has no type, so a
    /// statement prepared with one would be kept with a guess that the next call's value does not fit.
    fn keeps_prepared(values: &[Value]) -> bool {
        !values.contains(&Value::Null)
    }
}

impl From<PgRow> for EngineRow {
    fn from(row: PgRow) -> Self {
        Self::Postgres(row)
    }
}

/// Hears what is told with `NOTIFY`.
pub(crate) struct Listener(PgListener);

/// How long a server that is asked for a sign of life may take.
const PATIENCE: Duration = Duration::from_secs(5);

impl Listener {
    /// In a pool of its own: it would hold one of the app's connections for ever.
    pub(crate) async fn connect(config: &ConnectionConfig, channel: &str) -> Result<Self, sqlx::Error> {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .max_lifetime(None)
            .idle_timeout(None)
            .acquire_timeout(Duration::from_secs(config.pool.acquire_timeout.max(1)))
            // What it is for shows in `pg_stat_activity`.
            .connect_lazy_with(options(config)?.application_name(&format!("housekey: {channel}")));
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.eager_reconnect(false);
        listener.ignore_pool_close_event(true);
        listener.listen(channel).await?;
        Ok(Self(listener))
    }

    pub(crate) async fn next(&mut self) -> Result<String, sqlx::Error> {
        match self.0.try_recv().await? {
            Some(notification) => Ok(notification.payload().to_owned()),
            None => Err(sqlx::Error::Io(std::io::ErrorKind::ConnectionAborted.into())),
        }
    }

    pub(crate) async fn check(&mut self) -> Result<(), sqlx::Error> {
        let asked = sqlx::query("select 1").execute(&mut self.0);
        let answer = tokio::time::timeout(PATIENCE, asked).await;
        answer.unwrap_or_else(|_| Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))).map(drop)
    }
}

/// A NULL whose type the server infers from where it stands.
struct Untyped;

impl Type<Postgres> for Untyped {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(0))
    }
}

impl Encode<'_, Postgres> for Untyped {
    fn encode_by_ref(&self, _: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        Ok(IsNull::Yes)
    }
}

pub(crate) fn classify(error: &dyn DatabaseError) -> Kind {
    match error.code().as_deref().unwrap_or_default() {
        "28P01" | "28000" | "42501" => Kind::Denied,
        "3D000" => Kind::NoSuchDatabase,
        "53300" => Kind::Busy,
        "57P01" | "57P02" | "57P03" => Kind::Unreachable,
        "55P03" => Kind::Locked,
        "40001" | "40P01" => Kind::Deadlock,
        "25006" => Kind::ReadOnly,
        "53100" => Kind::Full,
        "42P01" => Kind::NoSuchTable,
        "0A000" if error.message().starts_with("cached plan must not change") => Kind::Outdated,
        "42P07" | "42701" | "42710" => Kind::Exists,
        _ => Kind::Statement,
    }
}
