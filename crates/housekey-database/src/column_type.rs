use crate::Driver;

/// What a column keeps, the same on every engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// A key that counts up by itself.
    Id,
    /// Text of at most this many characters; may be indexed on every engine.
    String(u32),
    /// Text of any length.
    Text,
    Boolean,
    /// A whole number of 32 bits.
    Integer,
    /// A whole number of 64 bits.
    BigInteger,
    /// A number with a fraction, of 64 bits.
    Real,
    /// A moment with milliseconds.
    Timestamp,
    Date,
    /// An exact number: how many digits it has, and how many of them behind the point.
    Decimal(u32, u32),
    Uuid,
    Json,
    Binary,
    /// A type of the engine's own, as it writes it.
    Other(String),
}

impl ColumnType {
    /// How an engine writes the type.
    pub(crate) fn sql(&self, driver: Driver) -> String {
        use Driver::{MySql, Postgres, Sqlite};
        let name = match (self, driver) {
            (Self::Other(name), _) => return name.clone(),
            (Self::String(length), _) => return format!("varchar({length})"),
            // SQLite has no exact numbers. Kept as text, and sorted as numbers by the order `decimal`, which its own shell knows.
            (Self::Decimal(digits, places), Sqlite) => {
                return format!("decimaltext({digits},{places}) collate decimal");
            }
            (Self::Decimal(digits, places), Postgres) => return format!("numeric({digits},{places})"),
            (Self::Decimal(digits, places), MySql) => return format!("decimal({digits},{places})"),
            (Self::Id, Sqlite) | (Self::Integer, Sqlite | Postgres) => "integer",
            (Self::Id | Self::BigInteger, _) => "bigint",
            (Self::Integer, MySql) => "int",
            // MySQL's plain TEXT ends at 64 kB.
            (Self::Text, MySql) => "mediumtext",
            (Self::Text, _) => "text",
            (Self::Boolean, _) => "boolean",
            (Self::Real, Sqlite) => "real",
            (Self::Real, Postgres) => "double precision",
            (Self::Real, MySql) => "double",
            // Any name will do for SQLite, which goes by the letters in it: this one keeps text as text.
            (Self::Timestamp, Sqlite) => "timestamp",
            (Self::Timestamp, Postgres) => "timestamptz(3)",
            // Not TIMESTAMP: it ends in 2038, and some servers give it a default that changes with every update.
            (Self::Timestamp, MySql) => "datetime(3)",
            (Self::Date, _) => "date",
            (Self::Uuid, Sqlite | Postgres) => "uuid",
            // Its text would take up to 144 bytes in every index.
            (Self::Uuid, MySql) => "binary(16)",
            // With TEXT in the name, so that the JSON text `1` does not become the number 1.
            (Self::Json, Sqlite) => "jsontext",
            (Self::Json, Postgres) => "jsonb",
            (Self::Json, MySql) => "json",
            (Self::Binary, Sqlite) => "blob",
            (Self::Binary, Postgres) => "bytea",
            (Self::Binary, MySql) => "longblob",
        };
        name.to_owned()
    }

    /// What an engine's own type stands for.
    pub(crate) fn parse(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        let (name, numbers) = match lower.split_once('(') {
            Some((name, rest)) => (name.trim(), numbers(rest)),
            None => (lower.as_str(), Vec::new()),
        };
        if let ("numeric" | "decimal" | "decimaltext", [digits, places]) = (name, &numbers[..]) {
            return Self::Decimal(*digits, *places);
        }
        let length = numbers.first().copied();
        match (name, length) {
            ("varchar" | "character varying" | "char" | "character", Some(length)) => Self::String(length),
            ("text" | "mediumtext" | "longtext" | "tinytext" | "clob", _)
            | ("varchar" | "character varying", None) => Self::Text,
            ("boolean" | "bool", _) | ("tinyint", Some(1)) => Self::Boolean,
            ("bigint" | "int8", _) => Self::BigInteger,
            ("integer" | "int" | "int4", _) => Self::Integer,
            ("real" | "double" | "double precision" | "float8", _) => Self::Real,
            ("jsonb" | "json" | "jsontext", _) => Self::Json,
            ("date", _) => Self::Date,
            ("uuid", _) | ("binary", Some(16)) => Self::Uuid,
            ("blob" | "bytea" | "longblob" | "mediumblob", _) => Self::Binary,
            ("timestamp" | "timestamptz" | "datetime", _)
            | ("timestamp with time zone" | "timestamp without time zone", _) => Self::Timestamp,
            _ => Self::Other(text.to_owned()),
        }
    }
}

/// `10,2)` as its numbers; none if one of them is something else.
fn numbers(text: &str) -> Vec<u32> {
    let inside = text.split(')').next().unwrap_or_default();
    inside.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engines_types_are_told_apart_again() {
        let kinds = [
            ColumnType::String(40),
            ColumnType::Text,
            ColumnType::Boolean,
            ColumnType::Integer,
            ColumnType::BigInteger,
            ColumnType::Real,
            ColumnType::Timestamp,
            ColumnType::Date,
            ColumnType::Decimal(10, 2),
            ColumnType::Uuid,
            ColumnType::Json,
            ColumnType::Binary,
        ];
        for driver in Driver::ALL {
            for kind in &kinds {
                assert_eq!(ColumnType::parse(&kind.sql(driver)), *kind, "{driver}");
            }
        }
        for (text, kind) in [
            ("tinyint(1)", ColumnType::Boolean),
            ("int(11)", ColumnType::Integer),
            ("character varying(36)", ColumnType::String(36)),
            ("timestamp(3) with time zone", ColumnType::Timestamp),
            ("numeric(10,2)", ColumnType::Decimal(10, 2)),
            ("numeric", ColumnType::Other("numeric".into())),
        ] {
            assert_eq!(ColumnType::parse(text), kind, "{text}");
        }
    }
}
