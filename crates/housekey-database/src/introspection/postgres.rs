use housekey_core::Result;

use super::{ColumnInfo, EXPRESSION, TableInfo, add_foreign_keys, add_to_index, table};
use crate::{Action, ColumnType, Database};

pub(super) async fn tables(db: &Database) -> Result<Vec<TableInfo>> {
    let mut tables = Vec::new();
    columns(db, &mut tables).await?;
    indexes(db, &mut tables).await?;
    foreign_keys(db, &mut tables).await?;
    Ok(tables)
}

async fn columns(db: &Database, tables: &mut Vec<TableInfo>) -> Result<()> {
    let rows = db
        .raw(
            "select c.relname::text as table_name, a.attname::text as name, \
               format_type(a.atttypid, a.atttypmod) as type_name, not a.attnotnull as nullable, \
               pg_get_expr(d.adbin, d.adrelid) as default_value, a.attidentity::text as identity \
             from pg_class c \
             join pg_namespace n on n.oid = c.relnamespace \
             join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped \
             left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum \
             where n.nspname = current_schema() and c.relkind in ('r', 'p') \
             order by c.relname, a.attnum",
            [],
        )
        .await?;
    for row in rows {
        let type_name: String = row.get("type_name")?;
        let default: Option<String> = row.get("default_value")?;
        let counted = default.as_deref().is_some_and(|default| default.starts_with("nextval("));
        let auto_increment = counted || !row.get::<String>("identity")?.is_empty();
        // timestamp(3) with time zone: the words after the length belong to the name.
        let kind = ColumnType::parse(&type_name);
        let owner: String = row.get("table_name")?;
        table(tables, &owner).columns.push(ColumnInfo {
            name: row.get("name")?,
            kind: if auto_increment { ColumnType::Id } else { kind },
            type_name,
            nullable: row.get("nullable")?,
            default: default.filter(|_| !counted),
            auto_increment,
        });
    }
    Ok(())
}

async fn indexes(db: &Database, tables: &mut Vec<TableInfo>) -> Result<()> {
    let rows = db
        .raw(
            "select c.relname::text as table_name, i.relname::text as name, x.indisunique as is_unique, \
               x.indisprimary as is_primary, a.attname::text as column_name \
             from pg_index x \
             join pg_class c on c.oid = x.indrelid \
             join pg_class i on i.oid = x.indexrelid \
             join pg_namespace n on n.oid = c.relnamespace \
             cross join lateral unnest(x.indkey::int2[]) with ordinality as k(attnum, place) \
             left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum and k.attnum > 0 \
             where n.nspname = current_schema() and k.place <= x.indnkeyatts \
             order by c.relname, i.relname, k.place",
            [],
        )
        .await?;
    for row in rows {
        let owner: String = row.get("table_name")?;
        let column: Option<String> = row.get("column_name")?;
        let column = column.unwrap_or_else(|| EXPRESSION.into());
        let table = table(tables, &owner);
        if row.get("is_primary")? {
            table.primary_key.push(column);
        } else {
            add_to_index(&mut table.indexes, row.get("name")?, row.get("is_unique")?, column);
        }
    }
    Ok(())
}

async fn foreign_keys(db: &Database, tables: &mut Vec<TableInfo>) -> Result<()> {
    let rows = db
        .raw(
            "select c.relname::text as table_name, k.conname::text as name, f.relname::text as foreign_table, \
               k.confdeltype::text as on_delete, k.confupdtype::text as on_update, a.attname::text as column_name, \
               b.attname::text as foreign_column \
             from pg_constraint k \
             join pg_class c on c.oid = k.conrelid \
             join pg_class f on f.oid = k.confrelid \
             join pg_namespace n on n.oid = c.relnamespace \
             cross join lateral unnest(k.conkey, k.confkey) with ordinality as p(here, there, place) \
             join pg_attribute a on a.attrelid = c.oid and a.attnum = p.here \
             join pg_attribute b on b.attrelid = f.oid and b.attnum = p.there \
             where k.contype = 'f' and n.nspname = current_schema() \
             order by c.relname, k.conname, p.place",
            [],
        )
        .await?;
    add_foreign_keys(tables, &rows, Action::parse)
}
