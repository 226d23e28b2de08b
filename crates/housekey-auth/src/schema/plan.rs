use housekey_database::Migration;

/// What is to be done with a database, and how it is taken back.
///
/// ```
/// use housekey_auth::schema::Plan;
/// use housekey_engine::{Engine, MemoryStorage, options::EngineOptions};
///
/// let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
/// let engine = Engine::build(options, MemoryStorage::new()).unwrap();
///
/// let plan = Plan::fresh(engine.schema());
/// assert_eq!(plan.name(), "create_auth_tables");
/// assert!(plan.to_rust().contains(r#"table.string("token", 255).unique();"#));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// New tables, in the order in which they can be made.
    pub(super) tables: Vec<NewTable>,
    /// Tables that are there and lack something.
    pub(super) changes: Vec<TableChange>,
    pub(super) notes: Vec<String>,
}

/// A table that is not there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewTable {
    /// The engine's name for it.
    pub(super) key: String,
    pub(super) name: String,
    pub(super) columns: Vec<NewColumn>,
    pub(super) indexes: Vec<NewIndex>,
}

/// What a table lacks, in the order in which it is done: an index may need a column, and the column a bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TableChange {
    pub(super) name: String,
    pub(super) bounded: Vec<Bounded>,
    pub(super) columns: Vec<NewColumn>,
    pub(super) fill: Option<Fill>,
    pub(super) indexes: Vec<NewIndex>,
}

impl TableChange {
    pub(super) fn is_empty(&self) -> bool {
        self.bounded.is_empty() && self.columns.is_empty() && self.indexes.is_empty()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewColumn {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) primary: bool,
    pub(super) nullable: bool,
    /// The configuration wants a value, and the rows that are there have none.
    pub(super) should_be_filled: bool,
    pub(super) unique: bool,
    pub(super) default: Option<DefaultValue>,
    /// Table and column that it refers to; the row goes with the one it names.
    pub(super) references: Option<(String, String)>,
}

/// The schema builder's words for a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    String(u32),
    Text,
    Boolean,
    Integer,
    BigInteger,
    Timestamp,
    Json,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum DefaultValue {
    Now,
    Boolean(bool),
    Integer(i64),
    Text(String),
}

/// A text that gets a bound, because an index holds it or is to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bounded {
    pub(super) column: String,
    pub(super) was: Kind,
    pub(super) becomes: Kind,
    pub(super) nullable: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewIndex {
    /// Without one, it gets the name that the schema builder gives to the unique rule of a column.
    pub(super) name: Option<String>,
    pub(super) columns: Vec<String>,
    pub(super) unique: bool,
    /// Whether it finds texts by how they begin.
    pub(super) search: bool,
}

/// A value for rows that were there before the column was.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fill {
    pub(super) why: &'static str,
    pub(super) column: String,
    pub(super) value: &'static str,
    /// Only in rows with this value in this column.
    pub(super) only: (String, &'static str),
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.changes.is_empty()
    }

    /// What a person should know or do besides running the migration.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What it adds, one line each: `table twoFactor`, `column user.twoFactorEnabled`, `index …`.
    pub fn adds(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.tables.iter().map(|table| format!("table {}", table.name)).collect();
        for change in &self.changes {
            let table = &change.name;
            lines.extend(change.bounded.iter().map(|one| format!("bound of {table}.{}", one.column)));
            lines.extend(change.columns.iter().map(|column| format!("column {table}.{}", column.name)));
            lines.extend(
                change.indexes.iter().map(|index| format!("index of {table} ({})", index.columns.join(", "))),
            );
        }
        lines
    }

    /// The plan as a migration that can run at once, without a file.
    pub fn migration(&self, name: impl Into<String>) -> Migration {
        let (up, down) = (self.clone(), self.clone());
        Migration::new(name, move |schema| up.up(schema), move |schema| down.down(schema))
    }
}
