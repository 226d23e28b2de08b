use super::{Action, ForeignKey};
use crate::{Driver, Value};

/// What a column keeps, the same on every engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// A key that counts up by itself.
    Id,
    /// Text of at most this many characters; may be indexed on every engine.
    String(u32),
    /// Text of any length.
    Text,
    /// True or false.
    Boolean,
    /// A whole number of 32 bits.
    Integer,
    /// A whole number of 64 bits.
    BigInteger,
    /// A number with a fraction, of 64 bits.
    Real,
    /// A moment with milliseconds.
    Timestamp,
    Json,
    /// Bytes.
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
        let (name, length) = match lower.split_once('(') {
            Some((name, rest)) => {
                (name.trim(), rest.split(')').next().and_then(|length| length.trim().parse::<u32>().ok()))
            }
            None => (lower.as_str(), None),
        };
        match (name, length) {
            ("varchar" | "character varying" | "char" | "character", Some(length)) => Self::String(length),
            ("text" | "mediumtext" | "longtext" | "tinytext" | "clob", _)
            | ("varchar" | "character varying", None) => Self::Text,
            ("boolean" | "bool", _) | ("tinyint", Some(1)) => Self::Boolean,
            ("bigint" | "int8", _) => Self::BigInteger,
            ("integer" | "int" | "int4", _) => Self::Integer,
            ("real" | "double" | "double precision" | "float8", _) => Self::Real,
            ("jsonb" | "json" | "jsontext", _) => Self::Json,
            ("blob" | "bytea" | "longblob" | "mediumblob", _) => Self::Binary,
            ("timestamp" | "timestamptz" | "datetime" | "date", _)
            | ("timestamp with time zone" | "timestamp without time zone", _) => Self::Timestamp,
            _ => Self::Other(text.to_owned()),
        }
    }
}

/// What a column holds when an insert does not name it.
#[derive(Clone, Debug, PartialEq)]
pub enum DefaultValue {
    Value(Value),
    /// The moment of the insert.
    Now,
    /// An expression in the engine's own SQL.
    Raw(String),
}

/// A column on its way into a table.
#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) kind: ColumnType,
    pub(crate) nullable: bool,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) primary: bool,
    pub(crate) unique: bool,
    pub(crate) indexed: bool,
    pub(crate) changes: bool,
    pub(crate) reference: Option<ForeignKey>,
}

impl Column {
    pub(crate) fn new(name: impl Into<String>, kind: ColumnType) -> Self {
        Self {
            name: name.into(),
            kind,
            nullable: false,
            default: None,
            primary: false,
            unique: false,
            indexed: false,
            changes: false,
            reference: None,
        }
    }

    /// Lets the column be empty. Columns must have a value unless this is said.
    pub fn nullable(&mut self) -> &mut Self {
        self.nullable = true;
        self
    }

    /// The value of an insert that does not name the column.
    pub fn default(&mut self, value: impl Into<Value>) -> &mut Self {
        self.default = Some(DefaultValue::Value(value.into()));
        self
    }

    /// The moment of an insert that does not name the column.
    pub fn default_now(&mut self) -> &mut Self {
        self.default = Some(DefaultValue::Now);
        self
    }

    /// An expression in the engine's own SQL for an insert that does not name the column.
    pub fn default_raw(&mut self, sql: impl Into<String>) -> &mut Self {
        self.default = Some(DefaultValue::Raw(sql.into()));
        self
    }

    /// Makes the column the table's key.
    pub fn primary(&mut self) -> &mut Self {
        self.primary = true;
        self
    }

    /// Lets no two rows have the same value.
    pub fn unique(&mut self) -> &mut Self {
        self.unique = true;
        self
    }

    /// Makes looking up by this column quick.
    pub fn index(&mut self) -> &mut Self {
        self.indexed = true;
        self
    }

    /// Lets the column hold only what the other table's column holds.
    pub fn references(&mut self, table: impl Into<String>, column: impl Into<String>) -> &mut Self {
        self.reference = Some(ForeignKey::new([self.name.clone()], table, [column]));
        self
    }

    /// What happens to the row when the one it refers to is deleted.
    pub fn on_delete(&mut self, action: Action) -> &mut Self {
        if let Some(reference) = &mut self.reference {
            reference.on_delete(action);
        }
        self
    }

    /// The row goes with the one it refers to.
    pub fn on_delete_cascade(&mut self) -> &mut Self {
        self.on_delete(Action::Cascade)
    }

    /// The column becomes empty when the row it refers to goes.
    pub fn on_delete_set_null(&mut self) -> &mut Self {
        self.on_delete(Action::SetNull)
    }

    /// In [`Schema::table`](super::Schema::table): the column is there already, and becomes like this.
    pub fn change(&mut self) -> &mut Self {
        self.changes = true;
        self
    }
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
            ("numeric(10,2)", ColumnType::Other("numeric(10,2)".into())),
        ] {
            assert_eq!(ColumnType::parse(text), kind, "{text}");
        }
    }
}
