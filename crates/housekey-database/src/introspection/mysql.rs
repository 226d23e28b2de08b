use std::collections::HashSet;

use housekey_core::Result;

use super::{ColumnInfo, EXPRESSION, TableInfo, add_foreign_keys, add_to_index, table};
use crate::{Action, ColumnType, Database};

pub(super) async fn tables(db: &Database) -> Result<Vec<TableInfo>> {
    let mut tables = Vec::new();
    columns(db, &mut tables).await?;
    foreign_keys(db, &mut tables).await?;
    indexes(db, &mut tables).await?;
    Ok(tables)
}

async fn columns(db: &Database, tables: &mut Vec<TableInfo>) -> Result<()> {
    let json = json_columns(db).await?;
    let rows = db
        .raw(
            "select c.table_name as table_name, c.column_name as name, c.column_type as type_name, \
               c.is_nullable as nullable, c.column_default as default_value, c.extra as extra \
             from information_schema.columns c \
             join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name \
             where c.table_schema = database() and t.table_type = 'BASE TABLE' \
             order by c.table_name, c.ordinal_position",
            [],
        )
        .await?;
    for row in rows {
        let (owner, name): (String, String) = (row.get("table_name")?, row.get("name")?);
        let type_name: String = row.get("type_name")?;
        let extra: String = row.get("extra")?;
        let auto_increment = extra.contains("auto_increment");
        let kind = if auto_increment {
            ColumnType::Id
        } else if json.contains(&(owner.clone(), name.clone())) {
            ColumnType::Json
        } else {
            ColumnType::parse(&type_name)
        };
        // MariaDB says NULL for "no default" in words.
        let default: Option<String> = row.get("default_value")?;
        table(tables, &owner).columns.push(ColumnInfo {
            name,
            kind,
            type_name,
            nullable: row.get::<String>("nullable")? == "YES",
            default: default.filter(|default| default != "NULL"),
            auto_increment,
        });
    }
    Ok(())
}

/// MariaDB keeps JSON as LONGTEXT with a check that it is JSON.
async fn json_columns(db: &Database) -> Result<HashSet<(String, String)>> {
    if !db.version().await?.contains("MariaDB") {
        return Ok(HashSet::new());
    }
    let rows = db
        .raw(
            "select table_name as table_name, check_clause as clause from information_schema.check_constraints \
             where constraint_schema = database() and check_clause like 'json_valid(%'",
            [],
        )
        .await?;
    let mut columns = HashSet::new();
    for row in rows {
        let clause: String = row.get("clause")?;
        if let Some(name) = clause.split('`').nth(1) {
            columns.insert((row.get("table_name")?, name.to_owned()));
        }
    }
    Ok(columns)
}

async fn indexes(db: &Database, tables: &mut Vec<TableInfo>) -> Result<()> {
    let rows = db
        .raw(
            "select table_name as table_name, index_name as name, non_unique as non_unique, \
               column_name as column_name \
             from information_schema.statistics where table_schema = database() \
             order by table_name, index_name, seq_in_index",
            [],
        )
        .await?;
    for row in rows {
        let owner: String = row.get("table_name")?;
        let name: String = row.get("name")?;
        let column: Option<String> = row.get("column_name")?;
        let column = column.unwrap_or_else(|| EXPRESSION.into());
        let table = table(tables, &owner);
        // A reference without an index gets one from the engine, under its own name: nobody asked for it.
        let made_by_engine = table.foreign_keys.iter().any(|key| key.name.as_deref() == Some(name.as_str()));
        if name == "PRIMARY" {
            table.primary_key.push(column);
        } else if !made_by_engine {
            let unique = row.get::<i64>("non_unique")? == 0;
            add_to_index(&mut table.indexes, name, unique, column);
        }
    }
    Ok(())
}

async fn foreign_keys(db: &Database, tables: &mut Vec<TableInfo>) -> Result<()> {
    let rows = db
        .raw(
            "select k.table_name as table_name, k.constraint_name as name, k.column_name as column_name, \
               k.referenced_table_name as foreign_table, k.referenced_column_name as foreign_column, \
               r.delete_rule as on_delete, r.update_rule as on_update \
             from information_schema.key_column_usage k \
             join information_schema.referential_constraints r on r.constraint_schema = k.constraint_schema \
               and r.constraint_name = k.constraint_name and r.table_name = k.table_name \
             where k.table_schema = database() and k.referenced_table_name is not null \
             order by k.table_name, k.constraint_name, k.ordinal_position",
            [],
        )
        .await?;
    add_foreign_keys(tables, &rows, action)
}

/// The two are the same thing here, and which one is reported depends on the server.
fn action(rule: &str) -> Action {
    match Action::parse(rule) {
        Action::Restrict => Action::NoAction,
        other => other,
    }
}
