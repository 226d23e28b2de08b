//! SQLite changes little of a table in place. The rest is done as its manual says: make the new table, copy the rows,
//! drop the old one, take its name. References must be off meanwhile, or dropping the old table would delete what refers
//! to it.

use housekey_core::{Error, Result};

use super::{Change, Column, ForeignKey, render};
use crate::introspection::{ColumnInfo, EXPRESSION, TableInfo};
use crate::made_name::made_name;
use crate::schema::{DefaultValue, Table};
use crate::{ColumnType, Database, Driver};

const ENGINE: Driver = Driver::Sqlite;

/// The statements that change the table by copying it.
pub(super) async fn statements(db: &Database, table: &str, change: &Change) -> Result<Vec<String>> {
    let info =
        db.table_info(table).await?.ok_or_else(|| Error::internal(format!("there is no table `{table}`")))?;
    let made = Made::of(db, table).await?;
    made.refuse_what_would_be_lost(&info)?;

    let mut target = Target::from(&info);
    target.change(table, change)?;
    let interim = format!("{table}__new");
    let mut definition = target.definition(&interim);
    // Named as if the table had its name already: references keep their names through the copy.
    definition.extend(target.foreign_keys.iter().cloned().map(|mut key| {
        key.name.get_or_insert_with(|| made_name(table, &key.columns, "foreign"));
        Change::Foreign(key)
    }));
    let mut statements = render::create(ENGINE, &Table { name: interim.clone(), changes: definition })?;
    // What `create` makes besides the table belongs to the new name, and comes last.
    statements.truncate(1);
    for columns in &made.unique_constraints {
        if columns.iter().all(|column| target.has(column)) {
            let inside = format!(", unique ({}))", render::list(ENGINE, columns));
            statements[0].pop();
            statements[0].push_str(&inside);
        }
    }

    let kept: Vec<String> =
        info.columns.iter().map(|c| c.name.clone()).filter(|name| target.has(name)).collect();
    let (old, new, list) = (ENGINE.quote(table), ENGINE.quote(&interim), render::list(ENGINE, &kept));
    statements.push(format!("insert into {new} ({list}) select {list} from {old}"));
    if target.columns.iter().any(|column| column.kind == ColumnType::Id) {
        // The count goes on where it was, so that the key of a deleted row is never given again.
        let (from, to) = (table.replace('\'', "''"), interim.replace('\'', "''"));
        statements.push(format!("delete from sqlite_sequence where name = '{to}'"));
        statements.push(format!(
            "insert into sqlite_sequence (name, seq) select '{to}', seq from sqlite_sequence where name = '{from}'"
        ));
    }
    statements.push(format!("drop table {old}"));
    statements.push(format!("alter table {new} rename to {old}"));
    for (name, sql) in made.others {
        let index = info.indexes.iter().find(|index| index.name == name);
        let stays = |column: &String| match (column.as_str(), change) {
            (EXPRESSION, Change::DropColumn(dropped)) => !names(&sql, dropped),
            (EXPRESSION, _) => true,
            (column, _) => target.has(column),
        };
        if index.is_none_or(|index| index.columns.iter().all(stays)) {
            statements.push(sql);
        }
    }
    if let Change::Column(column) = change {
        let mut plain = column.clone();
        plain.changes = false;
        plain.reference = None;
        for (wanted, unique) in [(plain.unique, true), (plain.indexed && !plain.unique, false)] {
            if wanted {
                statements.push(render::create_index(
                    ENGINE,
                    table,
                    &super::Index::new([&plain.name], unique),
                ));
            }
        }
    }
    Ok(statements)
}

/// The indexes that hold something made from a column: the catalogue does not tell its name, only their text has it.
pub(super) async fn indexes_made_from(db: &Database, table: &str, column: &str) -> Result<Vec<String>> {
    let Some(info) = db.table_info(table).await? else { return Ok(Vec::new()) };
    let is_made = |name: &str| {
        let index = info.indexes.iter().find(|index| index.name == name);
        index.is_some_and(|index| index.columns.iter().any(|column| column == EXPRESSION))
    };
    let made = Made::of(db, table).await?.others.into_iter();
    Ok(made.filter(|(name, sql)| is_made(name) && names(sql, column)).map(|(name, _)| name).collect())
}

/// Whether some SQL names a column, as [`render`] writes it.
fn names(sql: &str, column: &str) -> bool {
    sql.contains(&ENGINE.quote(column))
}

/// The table as it shall be.
struct Target {
    columns: Vec<Column>,
    primary: Vec<String>,
    foreign_keys: Vec<ForeignKey>,
}

impl From<&TableInfo> for Target {
    fn from(info: &TableInfo) -> Self {
        let column = |column: &ColumnInfo| {
            let kind = match exact(column) {
                _ if column.auto_increment => ColumnType::Id,
                Some((precision, scale)) => ColumnType::Decimal(precision, scale),
                None => ColumnType::Other(column.type_name.clone()),
            };
            let mut made = Column::new(&column.name, kind);
            made.nullable = column.nullable;
            // In parentheses any default is an expression, and stays what it was.
            made.default = column.default.as_ref().map(|default| DefaultValue::Raw(parenthesised(default)));
            made.primary = column.auto_increment;
            made
        };
        let counted = info.columns.iter().any(|column| column.auto_increment);
        Self {
            columns: info.columns.iter().map(column).collect(),
            primary: if counted { Vec::new() } else { info.primary_key.clone() },
            foreign_keys: info
                .foreign_keys
                .iter()
                .map(|key| {
                    let mut made = ForeignKey::new(key.columns.clone(), &key.table, key.references.clone());
                    made.on_delete(key.on_delete).on_update(key.on_update);
                    made
                })
                .collect(),
        }
    }
}

/// How many digits an exact number of ours has: [`render`] writes an order and a check with it.
fn exact(column: &ColumnInfo) -> Option<(u32, u32)> {
    match column.kind {
        ColumnType::Decimal(precision, scale) if column.type_name.starts_with("decimaltext") => {
            Some((precision, scale))
        }
        _ => None,
    }
}

/// SQLite reports `strftime(…)` for a default that has to be written `(strftime(…))`.
fn parenthesised(default: &str) -> String {
    let plain = default.starts_with('\'')
        || default.parse::<f64>().is_ok()
        || ["null", "true", "false", "current_timestamp", "current_date", "current_time"]
            .iter()
            .any(|word| default.eq_ignore_ascii_case(word));
    if plain { default.to_owned() } else { format!("({default})") }
}

impl Target {
    fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    fn change(&mut self, table: &str, change: &Change) -> Result<()> {
        let missing = |name: &str| Error::internal(format!("the table `{table}` has no `{name}`"));
        match change {
            Change::Column(column) => {
                if column.changes {
                    let at = self.columns.iter().position(|old| old.name == column.name);
                    self.columns[at.ok_or_else(|| missing(&column.name))?] = column.clone();
                } else {
                    self.columns.push(column.clone());
                }
                self.foreign_keys.extend(column.reference.clone());
            }
            Change::DropColumn(name) => {
                let at = self.columns.iter().position(|column| column.name == *name);
                self.columns.remove(at.ok_or_else(|| missing(name))?);
                self.primary.retain(|column| column != name);
                self.foreign_keys.retain(|key| !key.columns.contains(name));
            }
            Change::Primary(columns) => self.primary.clone_from(columns),
            Change::Foreign(key) => self.foreign_keys.push(key.clone()),
            Change::DropForeign(name) => {
                let before = self.foreign_keys.len();
                self.foreign_keys.retain(|key| key.name_in(table) != *name);
                if self.foreign_keys.len() == before {
                    return Err(missing(name));
                }
            }
            Change::Index(_) | Change::DropIndex(_) | Change::RenameColumn { .. } => {}
        }
        Ok(())
    }

    fn definition(&self, name: &str) -> Vec<Change> {
        let mut table = Table::new(name);
        for column in &self.columns {
            let mut column = column.clone();
            column.reference = None;
            column.unique = false;
            column.indexed = false;
            table.changes.push(Change::Column(column));
        }
        if !self.primary.is_empty() && !self.columns.iter().any(|column| column.primary) {
            table.primary(self.primary.clone());
        }
        table.changes
    }
}

/// How the table and what hangs on it were made.
struct Made {
    sql: String,
    /// Indexes and triggers by name, with their text.
    others: Vec<(String, String)>,
    /// `unique (…)` inside the table.
    unique_constraints: Vec<Vec<String>>,
}

impl Made {
    async fn of(db: &Database, table: &str) -> Result<Self> {
        let mut made = Self { sql: String::new(), others: Vec::new(), unique_constraints: Vec::new() };
        let sql = "select type as type, name as name, sql as sql from sqlite_master where tbl_name = ?1 and sql is not null";
        for row in db.raw(sql, [table.into()]).await? {
            let text: String = row.get("sql")?;
            if row.get::<String>("type")? == "table" {
                made.sql = text;
            } else {
                made.others.push((row.get("name")?, text));
            }
        }
        let sql = "select i.name as name, c.name as column_name from pragma_index_list(?1) as i \
                   join pragma_index_info(i.name) as c where i.origin = 'u' order by i.seq, c.seqno";
        let mut last = String::new();
        for row in db.raw(sql, [table.into()]).await? {
            let (name, column): (String, String) = (row.get("name")?, row.get("column_name")?);
            match made.unique_constraints.last_mut().filter(|_| name == last) {
                Some(columns) => columns.push(column),
                None => made.unique_constraints.push(vec![column]),
            }
            last = name;
        }
        Ok(made)
    }

    /// The catalogue does not tell these things, so a copy would be without them.
    fn refuse_what_would_be_lost(&self, info: &TableInfo) -> Result<()> {
        let table = &info.name;
        // A renamed column has other quotes around its name than we write.
        let mut sql = self.sql.replace('"', "`");
        for column in &info.columns {
            if let Some((precision, scale)) = exact(column) {
                sql = sql.replacen(&render::sqlite_digits(&column.name, precision, scale), "", 1);
                sql = sql.replacen(" collate decimal", "", 1);
            }
        }
        let words = words_outside_quotes(&sql);
        let lost = LOST_BY_A_COPY.iter().find(|(word, _)| words.iter().any(|found| found == word));
        let Some((_, what)) = lost else { return Ok(()) };
        Err(Error::internal(format!(
            "SQLite has to copy `{table}` for this change, and {what} would be lost: write the change with \
             schema.raw(…), as in https://sqlite.org/lang_altertable.html#otheralter"
        )))
    }
}

/// Words of a `create table` that say what [`Made`] does not know. Where one of them is a name without quotes, a change is
/// refused that could have been made; that is the better mistake.
const LOST_BY_A_COPY: [(&str, &str); 9] = [
    ("check", "a check"),
    ("collate", "a collation"),
    ("generated", "a computed column"),
    ("as", "a computed column"),
    ("conflict", "an ON CONFLICT"),
    ("deferrable", "a deferred reference"),
    ("match", "a MATCH of a reference"),
    ("without", "WITHOUT ROWID"),
    ("strict", "STRICT"),
];

/// The words of some SQL in lower case, without texts, quoted names and comments.
fn words_outside_quotes(sql: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut letters = sql.chars().peekable();
    while let Some(letter) = letters.next() {
        let skipped_to = match letter {
            '\'' | '"' | '`' => Some(letter),
            '[' => Some(']'),
            '-' if letters.peek() == Some(&'-') => Some('\n'),
            '/' if letters.peek() == Some(&'*') => {
                letters.next();
                let mut before = ' ';
                letters.find(|&next| std::mem::replace(&mut before, next) == '*' && next == '/');
                words.push(String::new());
                continue;
            }
            _ => None,
        };
        match (skipped_to, words.last_mut()) {
            // A doubled quote ends one text and begins the next, which comes to the same.
            (Some(end), _) => {
                letters.find(|&next| next == end);
                words.push(String::new());
            }
            (None, Some(word)) if letter.is_alphanumeric() || letter == '_' => {
                word.extend(letter.to_lowercase());
            }
            (None, _) => words.push(String::new()),
        }
    }
    words
}
