use super::{Column, ForeignKey, Index};
use crate::ColumnType;
use crate::made_name::made_name;

/// A table being made or changed, inside [`Schema::create`](super::Schema::create) and
/// [`Schema::table`](super::Schema::table).
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) name: String,
    pub(crate) changes: Vec<Change>,
}

/// One thing to do with a table.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Column(Column),
    Primary(Vec<String>),
    Index(Index),
    Foreign(ForeignKey),
    DropColumn(String),
    RenameColumn { from: String, to: String },
    DropIndex(String),
    DropForeign(String),
}

impl Table {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), changes: Vec::new() }
    }

    /// A key named `id` that counts up by itself.
    pub fn id(&mut self) -> &mut Column {
        self.id_named("id")
    }

    /// A key of another name that counts up by itself.
    pub fn id_named(&mut self, name: impl Into<String>) -> &mut Column {
        let column = self.column(name, ColumnType::Id);
        column.primary = true;
        column
    }

    /// Text of at most so many characters.
    pub fn string(&mut self, name: impl Into<String>, length: u32) -> &mut Column {
        self.column(name, ColumnType::String(length))
    }

    /// Text of any length. MySQL cannot index it.
    pub fn text(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::Text)
    }

    pub fn boolean(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::Boolean)
    }

    /// A whole number of 32 bits.
    pub fn integer(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::Integer)
    }

    /// A whole number of 64 bits, the type of [`Table::id`].
    pub fn big_integer(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::BigInteger)
    }

    /// A number with a fraction.
    pub fn real(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::Real)
    }

    /// A moment with milliseconds.
    pub fn timestamp(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::Timestamp)
    }

    /// A calendar day, for a field of the type [`Date`](crate::Date).
    pub fn date(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::Date)
    }

    /// An exact number, for a field of the type [`Decimal`](crate::Decimal): `table.decimal("price", 10, 2)` has ten digits, two of
    /// them behind the point.
    ///
    /// What has more places is rounded by PostgreSQL and MySQL and refused by SQLite; what has more digits before the point is
    /// refused by all.
    pub fn decimal(&mut self, name: impl Into<String>, precision: u32, scale: u32) -> &mut Column {
        self.column(name, ColumnType::Decimal(precision, scale))
    }

    /// For a field of the type [`Uuid`](crate::Uuid). As a key: `table.uuid("id").primary()`.
    pub fn uuid(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::Uuid)
    }

    /// When the row was made and last changed: `created_at` and `updated_at`.
    pub fn timestamps(&mut self) {
        self.timestamp("created_at").default_now();
        self.timestamp("updated_at").default_now();
    }

    /// The organisation that a row belongs to: `organization_id`, which ends with it. For a model that
    /// [belongs to one](crate::BelongsToOrganization).
    pub fn organization_id(&mut self) -> &mut Column {
        self.string("organization_id", 36).references("organization", "id").on_delete_cascade().index()
    }

    pub fn json(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::Json)
    }

    pub fn binary(&mut self, name: impl Into<String>) -> &mut Column {
        self.column(name, ColumnType::Binary)
    }

    pub fn column(&mut self, name: impl Into<String>, kind: ColumnType) -> &mut Column {
        self.changes.push(Change::Column(Column::new(name, kind)));
        match self.changes.last_mut() {
            Some(Change::Column(column)) => column,
            _ => unreachable!("a column was pushed the line before"),
        }
    }

    /// A key over several columns.
    pub fn primary<C: Into<String>>(&mut self, columns: impl IntoIterator<Item = C>) {
        self.changes.push(Change::Primary(columns.into_iter().map(Into::into).collect()));
    }

    /// An index over columns, in this order.
    pub fn index<C: Into<String>>(&mut self, columns: impl IntoIterator<Item = C>) -> &mut Index {
        self.add_index(Index::new(columns, false))
    }

    /// Lets no two rows have the same values in these columns together.
    pub fn unique<C: Into<String>>(&mut self, columns: impl IntoIterator<Item = C>) -> &mut Index {
        self.add_index(Index::new(columns, true))
    }

    /// An index that finds texts by how they begin, whatever their case: what
    /// [`where_starts_with`](crate::Query::where_starts_with) asks for.
    ///
    /// PostgreSQL and SQLite keep the text in small letters for it. MySQL has no index that could serve such a question; it gets a plain one.
    pub fn search_index(&mut self, column: impl Into<String>) -> &mut Index {
        self.add_index(Index::search(column))
    }

    fn add_index(&mut self, index: Index) -> &mut Index {
        self.changes.push(Change::Index(index));
        match self.changes.last_mut() {
            Some(Change::Index(index)) => index,
            _ => unreachable!("an index was pushed the line before"),
        }
    }

    /// Lets columns hold only what the other table's columns hold. For one column, see [`Column::references`].
    pub fn foreign<C: Into<String>, R: Into<String>>(
        &mut self,
        columns: impl IntoIterator<Item = C>,
        table: impl Into<String>,
        references: impl IntoIterator<Item = R>,
    ) -> &mut ForeignKey {
        self.changes.push(Change::Foreign(ForeignKey::new(columns, table, references)));
        match self.changes.last_mut() {
            Some(Change::Foreign(key)) => key,
            _ => unreachable!("a foreign key was pushed the line before"),
        }
    }

    /// Removes a column, and with it the indexes and references it is part of.
    pub fn drop_column(&mut self, name: impl Into<String>) {
        self.changes.push(Change::DropColumn(name.into()));
    }

    pub fn rename_column(&mut self, from: impl Into<String>, to: impl Into<String>) {
        self.changes.push(Change::RenameColumn { from: from.into(), to: to.into() });
    }

    /// Removes the index over these columns (by the name that [`Table::index`] gave it).
    pub fn drop_index<C: Into<String>>(&mut self, columns: impl IntoIterator<Item = C>) {
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        self.changes.push(Change::DropIndex(made_name(&self.name, &columns, "index")));
    }

    /// Removes the unique index over these columns (by the name that [`Table::unique`] gave it).
    pub fn drop_unique<C: Into<String>>(&mut self, columns: impl IntoIterator<Item = C>) {
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        self.changes.push(Change::DropIndex(made_name(&self.name, &columns, "unique")));
    }

    /// Removes an index by its name, unique or not.
    pub fn drop_index_named(&mut self, name: impl Into<String>) {
        self.changes.push(Change::DropIndex(name.into()));
    }

    /// Removes the reference of these columns (by the name that [`Table::foreign`] gave it).
    pub fn drop_foreign<C: Into<String>>(&mut self, columns: impl IntoIterator<Item = C>) {
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        self.changes.push(Change::DropForeign(made_name(&self.name, &columns, "foreign")));
    }

    /// Removes a reference by its name.
    pub fn drop_foreign_named(&mut self, name: impl Into<String>) {
        self.changes.push(Change::DropForeign(name.into()));
    }
}
