use super::ForeignKey;
use crate::{Action, ColumnType, Value};

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
