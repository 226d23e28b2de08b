use super::{Column, ColumnKind, Index};

#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The engine's name.
    pub key: String,
    /// The name in the database.
    pub name: String,
    /// The columns in order; the first is `id`, the primary key.
    pub columns: Vec<Column>,
    /// Indexes to be created by name: first those of one column, then those of several.
    pub indexes: Vec<Index>,
}

impl Table {
    /// A table with its `id`.
    ///
    /// ```
    /// use housekey_engine::schema::{Column, Table};
    ///
    /// let table = Table::new("invite").column_with(Column::text("code").unique());
    /// assert_eq!(table.columns.len(), 2);
    /// ```
    pub fn new(key: impl Into<String>) -> Self {
        let key = key.into();
        let id = Column::new("id", ColumnKind::Id).read_only();
        Self { name: key.clone(), key, columns: vec![id], indexes: Vec::new() }
    }

    /// The table with one more column.
    #[must_use]
    pub fn column_with(mut self, column: Column) -> Self {
        self.columns.push(column);
        self
    }

    /// A column by the engine's name for it.
    pub fn column(&self, field: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.field == field)
    }

    pub(super) fn column_mut(&mut self, field: &str) -> Option<&mut Column> {
        self.columns.iter_mut().find(|column| column.field == field)
    }
}
