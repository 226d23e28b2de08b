use std::collections::HashMap;

use housekey_core::Result;

use super::{ColumnInfo, EXPRESSION, ForeignKeyInfo, TableInfo, add_to_index, table};
use crate::{Action, ColumnType, Database};

/// The tables that are the app's own.
const TABLES: &str = "(select name, sql from sqlite_master \
     where type = 'table' and name not like 'sqlite\\_%' escape '\\') as t";

pub(super) async fn tables(db: &Database) -> Result<Vec<TableInfo>> {
    let mut tables = Vec::new();
    columns(db, &mut tables).await?;
    indexes(db, &mut tables).await?;
    foreign_keys(db, &mut tables).await?;
    Ok(tables)
}

async fn columns(db: &Database, tables: &mut Vec<TableInfo>) -> Result<()> {
    let sql = format!(
        "select t.name as table_name, t.sql as made_by, c.name as name, c.type as type, c.\"notnull\" as not_null, \
         c.dflt_value as default_value, c.pk as pk from {TABLES} join pragma_table_xinfo(t.name) as c \
         where c.hidden = 0 order by t.name, c.cid"
    );
    let mut keys: HashMap<String, Vec<(i64, String)>> = HashMap::new();
    for row in db.raw(&sql, []).await? {
        let (owner, name): (String, String) = (row.get("table_name")?, row.get("name")?);
        let type_name: String = row.get("type")?;
        let place: i64 = row.get("pk")?;
        let made_by: String = row.get("made_by")?;
        let auto_increment = place > 0
            && type_name.eq_ignore_ascii_case("integer")
            && made_by.to_ascii_lowercase().contains("autoincrement");
        if place > 0 {
            keys.entry(owner.clone()).or_default().push((place, name.clone()));
        }
        table(tables, &owner).columns.push(ColumnInfo {
            name,
            kind: if auto_increment { ColumnType::Id } else { ColumnType::parse(&type_name) },
            type_name,
            // SQLite lets a key be empty if it is not told otherwise; nobody means that.
            nullable: !row.get::<bool>("not_null")? && place == 0,
            default: row.get("default_value")?,
            auto_increment,
        });
    }
    for (owner, mut columns) in keys {
        columns.sort();
        table(tables, &owner).primary_key = columns.into_iter().map(|(_, name)| name).collect();
    }
    Ok(())
}

async fn indexes(db: &Database, tables: &mut Vec<TableInfo>) -> Result<()> {
    let sql = format!(
        "select t.name as table_name, i.name as name, i.\"unique\" as is_unique, c.name as column_name \
         from {TABLES} join pragma_index_list(t.name) as i join pragma_index_info(i.name) as c \
         where i.origin <> 'pk' order by t.name, i.name, c.seqno"
    );
    for row in db.raw(&sql, []).await? {
        // An expression has no name.
        let column: Option<String> = row.get("column_name")?;
        let owner: String = row.get("table_name")?;
        let indexes = &mut table(tables, &owner).indexes;
        add_to_index(
            indexes,
            row.get("name")?,
            row.get("is_unique")?,
            column.unwrap_or_else(|| EXPRESSION.into()),
        );
    }
    Ok(())
}

async fn foreign_keys(db: &Database, tables: &mut Vec<TableInfo>) -> Result<()> {
    let sql = format!(
        "select t.name as table_name, f.id as id, f.\"table\" as foreign_table, f.\"from\" as column_name, \
         f.\"to\" as foreign_column, f.on_update as on_update, f.on_delete as on_delete \
         from {TABLES} join pragma_foreign_key_list(t.name) as f order by t.name, f.id, f.seq"
    );
    let mut last: Option<(String, i64)> = None;
    for row in db.raw(&sql, []).await? {
        let (owner, id): (String, i64) = (row.get("table_name")?, row.get("id")?);
        let target: String = row.get("foreign_table")?;
        let column: String = row.get("column_name")?;
        let reference: Option<String> = row.get("foreign_column")?;
        // Without a column, the other table's key is meant.
        let reference = reference.or_else(|| table(tables, &target).primary_key.first().cloned());
        let (on_delete, on_update): (String, String) = (row.get("on_delete")?, row.get("on_update")?);
        let keys = &mut table(tables, &owner).foreign_keys;
        if last.as_ref() == Some(&(owner.clone(), id)) {
            if let Some(key) = keys.last_mut() {
                key.columns.push(column);
                key.references.extend(reference);
            }
        } else {
            keys.push(ForeignKeyInfo {
                name: None,
                columns: vec![column],
                table: target,
                references: reference.into_iter().collect(),
                on_delete: Action::parse(&on_delete),
                on_update: Action::parse(&on_update),
            });
        }
        last = Some((owner, id));
    }
    Ok(())
}
