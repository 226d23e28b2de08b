use crate::record::{FieldName, Value};

/// A column.
///
/// ```
/// use housekey_engine::schema::Column;
///
/// let column = Column::text("slug").unique();
/// assert!(column.unique && !column.nullable);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The engine's name.
    pub field: FieldName,
    /// The name in the database.
    pub name: String,
    pub kind: ColumnKind,
    /// The longest text, in characters: set for every text that an index or a unique rule names, because such a
    /// column must be a `varchar`, never a `text`.
    pub bound: Option<u16>,
    pub nullable: bool,
    /// Whether no two rows may share a value. Part of the column itself, not an index with a name.
    pub unique: bool,
    /// Whether rows are looked up by it: the table then has an index of one column.
    pub indexed: bool,
    /// The row of another table that it names.
    pub references: Option<Reference>,
    pub default: Option<ColumnDefault>,
    /// Whether clients see it.
    pub returned: bool,
    /// Whether clients may set it.
    pub input: bool,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// The primary key, or a reference to one: 32 to 36 characters.
    Id,
    /// Text; see [`Column::bound`].
    Text,
    Boolean,
    /// A whole number of 32 bits.
    Integer,
    /// A whole number of 64 bits.
    BigInteger,
    /// A moment with milliseconds, in UTC.
    Date,
    /// Anything, as JSON.
    Json,
}

/// A column's value when none is given.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnDefault {
    /// The present moment; the database knows this default too, where it can.
    Now,
    /// A fixed value, filled in by the engine.
    Value(Value),
}

/// The row of another table that a column names. Deleting that row deletes this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The engine's name of the table.
    pub table: String,
    /// The table's name in the database.
    pub table_name: String,
    /// The column's name in the database.
    pub column_name: String,
}

impl Column {
    /// A column of some kind that must have a value.
    pub fn new(field: impl Into<FieldName>, kind: ColumnKind) -> Self {
        let field = field.into();
        Self {
            name: field.clone().into_owned(),
            field,
            kind,
            bound: None,
            nullable: false,
            unique: false,
            indexed: false,
            references: None,
            default: None,
            returned: true,
            input: true,
        }
    }

    pub fn text(field: impl Into<FieldName>) -> Self {
        Self::new(field, ColumnKind::Text)
    }

    pub fn boolean(field: impl Into<FieldName>) -> Self {
        Self::new(field, ColumnKind::Boolean)
    }

    pub fn integer(field: impl Into<FieldName>) -> Self {
        Self::new(field, ColumnKind::Integer)
    }

    pub fn date(field: impl Into<FieldName>) -> Self {
        Self::new(field, ColumnKind::Date)
    }

    /// The id of a row in another table (the engine's name), which takes this row with it when it goes.
    pub fn reference(field: impl Into<FieldName>, table: impl Into<String>) -> Self {
        let table = table.into();
        let reference = Reference { table_name: table.clone(), table, column_name: "id".into() };
        Self { references: Some(reference), ..Self::new(field, ColumnKind::Id) }
    }

    #[must_use]
    pub fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    #[must_use]
    pub fn unique(mut self) -> Self {
        self.unique = true;
        self
    }

    #[must_use]
    pub fn indexed(mut self) -> Self {
        self.indexed = true;
        self
    }

    #[must_use]
    pub fn default_value(mut self, value: impl Into<Value>) -> Self {
        self.default = Some(ColumnDefault::Value(value.into()));
        self
    }

    /// The present moment when no value is given.
    #[must_use]
    pub fn default_now(mut self) -> Self {
        self.default = Some(ColumnDefault::Now);
        self
    }

    /// Clients do not see it.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.returned = false;
        self
    }

    /// Clients may not set it.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.input = false;
        self
    }
}
