//! Changes on their way into a database.

use housekey_core::{Error, Result};

use super::{Change, Schema, Step, rebuild, render};
use crate::{Database, Driver};

/// Whether SQLite may have to copy a table for this, with references off meanwhile.
pub(crate) fn needs_references_off(schema: &Schema) -> bool {
    let copies = |change: &Change| match change {
        Change::DropColumn(_) => true,
        other => render::alter(Driver::Sqlite, "", other).is_ok_and(|native| native.is_none()),
    };
    schema.driver() == Driver::Sqlite
        && schema
            .steps()
            .iter()
            .any(|step| matches!(step, Step::Alter(table) if table.changes.iter().any(copies)))
}

/// Runs a schema's changes: all or none where the engine can.
pub(super) async fn now(db: &Database, schema: &Schema) -> Result<()> {
    let outcome = if db.in_transaction() || !db.driver().has_transactional_schema() {
        if needs_references_off(schema) {
            return Err(Error::internal(
                "this change copies a table on SQLite, which cannot be done inside a transaction that is open already",
            ));
        }
        Box::pin(Runner::new(db).run(schema)).await.map(drop)
    } else {
        db.transaction_with(needs_references_off(schema), async |tx| {
            Box::pin(Runner::new(&tx).run(schema)).await.map(drop)
        })
        .await
    };
    db.schema_changed();
    outcome
}

/// Runs changes on one handle and remembers the statements.
pub(crate) struct Runner<'a> {
    db: &'a Database,
    pub(crate) ran: Vec<String>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(db: &'a Database) -> Self {
        Self { db, ran: Vec::new() }
    }

    pub(crate) async fn run(mut self, schema: &Schema) -> Result<Vec<String>> {
        for step in schema.steps() {
            self.step(step).await?;
        }
        Ok(self.ran)
    }

    async fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            // One change after the other: each sees what the one before it did.
            Step::Alter(table) => {
                for change in &table.changes {
                    let statements = statements(self.db, &table.name, change).await?;
                    self.all(statements).await?;
                }
                Ok(())
            }
            Step::Drop { table, .. } => {
                refuse_while_referred_to(self.db, table).await?;
                self.all(render::step(self.db.driver(), step)?).await
            }
            other => self.all(render::step(self.db.driver(), other)?).await,
        }
    }

    async fn all(&mut self, statements: Vec<String>) -> Result<()> {
        for statement in statements {
            self.db.execute_raw(&statement, []).await?;
            self.ran.push(statement);
        }
        Ok(())
    }
}

/// The statements of one change, with a look at the table where that is needed.
pub(crate) async fn statements(db: &Database, table: &str, change: &Change) -> Result<Vec<String>> {
    if let Change::DropColumn(column) = change {
        return drop_column(db, table, column, change).await;
    }
    match render::alter(db.driver(), table, change)? {
        Some(native) => Ok(native),
        None => rebuild::statements(db, table, change).await,
    }
}

/// A column takes its indexes and references with it, on every engine. PostgreSQL does that; MySQL would narrow an index
/// over several columns instead, and SQLite refuses.
async fn drop_column(db: &Database, table: &str, column: &str, change: &Change) -> Result<Vec<String>> {
    let driver = db.driver();
    let native = || Ok(render::alter(driver, table, change)?.unwrap_or_default());
    if driver == Driver::Postgres {
        return native();
    }
    let Some(info) = db.table_info(table).await? else { return native() };
    let made_from_it = match driver {
        Driver::Sqlite => rebuild::indexes_made_from(db, table, column).await?,
        _ => Vec::new(),
    };
    let indexes = info.indexes.iter().filter(|index| {
        index.columns.iter().any(|name| name == column) || made_from_it.contains(&index.name)
    });
    let keys: Vec<_> =
        info.foreign_keys.iter().filter(|key| key.columns.iter().any(|name| name == column)).collect();
    if driver == Driver::Sqlite {
        if !keys.is_empty() || info.primary_key.iter().any(|name| name == column) {
            return rebuild::statements(db, table, change).await;
        }
        let mut statements: Vec<String> = Vec::new();
        for index in indexes {
            if index.name.starts_with("sqlite_autoindex_") {
                return rebuild::statements(db, table, change).await;
            }
            statements.push(format!("drop index {}", driver.quote(&index.name)));
        }
        statements.extend(native()?);
        return Ok(statements);
    }
    // One statement, so that it happens at once: MySQL takes nothing back.
    let mut parts: Vec<String> = keys
        .iter()
        .filter_map(|key| key.name.as_ref())
        .map(|name| format!("drop foreign key {}", driver.quote(name)))
        .collect();
    parts.extend(indexes.map(|index| format!("drop index {}", driver.quote(&index.name))));
    parts.push(format!("drop column {}", driver.quote(column)));
    Ok(vec![format!("alter table {} {}", driver.quote(table), parts.join(", "))])
}

/// The servers refuse to drop a table that another one refers to. SQLite would delete the rows that do.
async fn refuse_while_referred_to(db: &Database, table: &str) -> Result<()> {
    if db.driver() != Driver::Sqlite {
        return Ok(());
    }
    for other in db.introspect().await? {
        if other.name != table
            && let Some(key) = other.foreign_keys.iter().find(|key| key.table == table)
        {
            return Err(Error::internal(format!(
                "`{table}` cannot be dropped: `{}.{}` refers to it. Drop `{}` or its reference first",
                other.name,
                key.columns.join(", "),
                other.name
            )));
        }
    }
    Ok(())
}
