//! What a database really holds, read from the engine's own catalogue.

mod mysql;
mod postgres;
mod sqlite;

use housekey_core::Result;

use crate::{Action, ColumnType, Database, Driver, Row};

/// A table as the database describes it, whatever the migrations say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableInfo {
    pub name: String,
    /// Its columns, in order.
    pub columns: Vec<ColumnInfo>,
    /// The columns of its key, in order.
    pub primary_key: Vec<String>,
    /// Its indexes by name, without the key's own.
    pub indexes: Vec<IndexInfo>,
    /// Its references to other tables, by their columns.
    pub foreign_keys: Vec<ForeignKeyInfo>,
}

/// A column as the database describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    pub name: String,
    pub kind: ColumnType,
    /// How the engine writes its type.
    pub type_name: String,
    pub nullable: bool,
    /// Its default, as the engine writes it.
    pub default: Option<String>,
    pub auto_increment: bool,
}

impl ColumnInfo {
    /// The most characters it takes, where there is a limit.
    pub fn length(&self) -> Option<u32> {
        match self.kind {
            ColumnType::String(length) => Some(length),
            _ => None,
        }
    }
}

/// An index as the database describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexInfo {
    pub name: String,
    /// Its columns, in order.
    pub columns: Vec<String>,
    /// Whether it lets no two rows be the same.
    pub unique: bool,
}

/// A reference to another table as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignKeyInfo {
    /// Its name; SQLite forgets it.
    pub name: Option<String>,
    /// The columns that refer.
    pub columns: Vec<String>,
    /// The table referred to.
    pub table: String,
    /// The columns referred to.
    pub references: Vec<String>,
    /// What happens when the row referred to is deleted.
    pub on_delete: Action,
    /// What happens when the key referred to changes.
    pub on_update: Action,
}

impl TableInfo {
    pub fn column(&self, name: &str) -> Option<&ColumnInfo> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// An index by its columns, in order.
    pub fn index(&self, columns: &[&str]) -> Option<&IndexInfo> {
        self.indexes.iter().find(|index| index.columns == columns)
    }
}

impl Database {
    /// Every table, in the order of their names.
    pub async fn introspect(&self) -> Result<Vec<TableInfo>> {
        let mut tables = match self.driver() {
            Driver::Sqlite => sqlite::tables(self).await,
            Driver::Postgres => postgres::tables(self).await,
            Driver::MySql => mysql::tables(self).await,
        }?;
        tables.sort_by(|a, b| a.name.cmp(&b.name));
        for table in &mut tables {
            table.indexes.sort_by(|a, b| a.name.cmp(&b.name));
            table.foreign_keys.sort_by(|a, b| a.columns.cmp(&b.columns));
        }
        Ok(tables)
    }

    pub async fn table_info(&self, name: &str) -> Result<Option<TableInfo>> {
        Ok(self.introspect().await?.into_iter().find(|table| table.name == name))
    }

    pub async fn has_table(&self, name: &str) -> Result<bool> {
        Ok(self.tables().await?.iter().any(|table| table == name))
    }

    /// The names of all tables, in order.
    pub async fn tables(&self) -> Result<Vec<String>> {
        let sql = match self.driver() {
            Driver::Sqlite => {
                "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'"
            }
            Driver::Postgres => {
                "select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace \
                 where n.nspname = current_schema() and c.relkind in ('r', 'p')"
            }
            Driver::MySql => {
                "select table_name as name from information_schema.tables \
                 where table_schema = database() and table_type = 'BASE TABLE'"
            }
        };
        let rows = self.raw(sql, []).await?;
        let mut names: Vec<String> = rows.iter().map(|row| row.get("name")).collect::<Result<_>>()?;
        names.sort();
        Ok(names)
    }

    pub async fn version(&self) -> Result<String> {
        let sql = match self.driver() {
            Driver::Sqlite => "select sqlite_version() as version",
            Driver::Postgres => "select current_setting('server_version') as version",
            Driver::MySql => "select version() as version",
        };
        match self.raw(sql, []).await?.first() {
            Some(row) => row.get("version"),
            None => Ok(String::new()),
        }
    }
}

/// The table of this name, made if it is new. Catalogues list rows table by table.
fn table<'a>(tables: &'a mut Vec<TableInfo>, name: &str) -> &'a mut TableInfo {
    let at = match tables.iter().position(|table| table.name == name) {
        Some(at) => at,
        None => {
            tables.push(TableInfo { name: name.to_owned(), ..TableInfo::default() });
            tables.len() - 1
        }
    };
    &mut tables[at]
}

/// Adds a column to the index of this name.
/// What stands for a column in an index that holds something made from columns.
pub(crate) const EXPRESSION: &str = "(expression)";

fn add_to_index(indexes: &mut Vec<IndexInfo>, name: String, unique: bool, column: String) {
    match indexes.iter_mut().find(|index| index.name == name) {
        Some(index) => index.columns.push(column),
        None => indexes.push(IndexInfo { name, columns: vec![column], unique }),
    }
}

/// Adds references from rows with one column each, in order.
fn add_foreign_keys(
    tables: &mut Vec<TableInfo>,
    rows: &[Row],
    action: impl Fn(&str) -> Action,
) -> Result<()> {
    for row in rows {
        let owner: String = row.get("table_name")?;
        let name: String = row.get("name")?;
        let (column, reference): (String, String) = (row.get("column_name")?, row.get("foreign_column")?);
        let keys = &mut table(tables, &owner).foreign_keys;
        match keys.last_mut().filter(|key| key.name.as_deref() == Some(name.as_str())) {
            Some(key) => {
                key.columns.push(column);
                key.references.push(reference);
            }
            None => keys.push(ForeignKeyInfo {
                name: Some(name),
                columns: vec![column],
                table: row.get("foreign_table")?,
                references: vec![reference],
                on_delete: action(&row.get::<String>("on_delete")?),
                on_update: action(&row.get::<String>("on_update")?),
            }),
        }
    }
    Ok(())
}
