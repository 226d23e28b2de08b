//! Changes as SQL text, one engine at a time.

use housekey_core::{Error, Result};

use super::{Change, Column, DefaultValue, ForeignKey, Index, Step, Table};
use crate::value::iso;
use crate::{Action, ColumnType, Driver, Value};

/// Case and trailing marks count, as on the other engines: `Ada` and `ada` are two people.
const MYSQL_TABLE: &str = " default character set utf8mb4 collate utf8mb4_bin";

/// The statements of a step, without a look at the database.
pub(crate) fn step(driver: Driver, step: &Step) -> Result<Vec<String>> {
    Ok(match step {
        Step::Create(table) => create(driver, table)?,
        Step::Alter(table) => {
            let mut statements = Vec::new();
            for change in &table.changes {
                match alter(driver, &table.name, change)? {
                    Some(native) => statements.extend(native),
                    None => statements.push(format!(
                        "-- SQLite cannot change {} in place: it is copied into a new table",
                        driver.quote(&table.name)
                    )),
                }
            }
            statements
        }
        Step::Drop { table, if_exists } => {
            vec![format!("drop table {}{}", if *if_exists { "if exists " } else { "" }, driver.quote(table))]
        }
        Step::Rename { from, to } => {
            vec![format!("alter table {} rename to {}", driver.quote(from), driver.quote(to))]
        }
        Step::Raw(sql) => vec![sql.clone()],
    })
}

/// `create table`, and an index for each that was asked for.
pub(crate) fn create(driver: Driver, table: &Table) -> Result<Vec<String>> {
    let (mut parts, mut keys, mut indexes) = (Vec::new(), Vec::new(), Vec::new());
    for change in &table.changes {
        match change {
            Change::Column(column) => {
                parts.push(definition(driver, column)?);
                keys.extend(column.reference.clone());
                indexes.extend(column_indexes(column));
            }
            Change::Primary(columns) => parts.push(format!("primary key ({})", list(driver, columns))),
            Change::Index(index) => indexes.push(index.clone()),
            Change::Foreign(key) => keys.push(key.clone()),
            _ => {
                return Err(Error::internal(format!(
                    "`{}` is being created: there is nothing to drop or rename in it yet",
                    table.name
                )));
            }
        }
    }
    if parts.is_empty() {
        return Err(Error::internal(format!("the table `{}` has no columns", table.name)));
    }
    parts.extend(keys.iter().map(|key| foreign_key(driver, &table.name, key)));
    let name = driver.quote(&table.name);
    let tail = if driver == Driver::MySql { MYSQL_TABLE } else { "" };
    let mut statements = vec![format!("create table {name} ({}){tail}", parts.join(", "))];
    for index in &indexes {
        check_indexable(driver, table, index)?;
        statements.push(create_index(driver, &table.name, index));
    }
    Ok(statements)
}

/// One change of a table; `None` where SQLite has to copy the table.
pub(crate) fn alter(driver: Driver, table: &str, change: &Change) -> Result<Option<Vec<String>>> {
    let sqlite = driver == Driver::Sqlite;
    let name = driver.quote(table);
    Ok(Some(match change {
        Change::Column(column) if column.changes => {
            if sqlite {
                return Ok(None);
            }
            let mut statements = change_column(driver, &name, column)?;
            statements.extend(column_indexes(column).iter().map(|index| create_index(driver, table, index)));
            if let Some(key) = &column.reference {
                statements.push(format!("alter table {name} add {}", foreign_key(driver, table, key)));
            }
            statements
        }
        Change::Column(column) => {
            if sqlite && !sqlite_can_add(column) {
                return Ok(None);
            }
            let reference = match &column.reference {
                Some(key) if sqlite => format!(" {}", inline_reference(driver, key)),
                _ => String::new(),
            };
            let mut statements =
                vec![format!("alter table {name} add column {}{reference}", definition(driver, column)?)];
            statements.extend(column_indexes(column).iter().map(|index| create_index(driver, table, index)));
            if let Some(key) = column.reference.as_ref().filter(|_| !sqlite) {
                statements.push(format!("alter table {name} add {}", foreign_key(driver, table, key)));
            }
            statements
        }
        Change::Index(index) => vec![create_index(driver, table, index)],
        Change::RenameColumn { from, to } => {
            vec![format!("alter table {name} rename column {} to {}", driver.quote(from), driver.quote(to))]
        }
        Change::DropIndex(index) if driver == Driver::MySql => {
            vec![format!("drop index {} on {name}", driver.quote(index))]
        }
        Change::DropIndex(index) => vec![format!("drop index {}", driver.quote(index))],
        Change::DropColumn(column) => {
            vec![format!("alter table {name} drop column {}", driver.quote(column))]
        }
        Change::Primary(_) | Change::Foreign(_) | Change::DropForeign(_) if sqlite => return Ok(None),
        Change::Primary(columns) => {
            vec![format!("alter table {name} add primary key ({})", list(driver, columns))]
        }
        Change::Foreign(key) => vec![format!("alter table {name} add {}", foreign_key(driver, table, key))],
        Change::DropForeign(key) => {
            let kind = if driver == Driver::MySql { "foreign key" } else { "constraint" };
            vec![format!("alter table {name} drop {kind} {}", driver.quote(key))]
        }
    }))
}

/// What SQLite's `add column` takes: no key, and no value it would have to work out for the rows that are there.
fn sqlite_can_add(column: &Column) -> bool {
    let constant = matches!(&column.default, Some(DefaultValue::Value(value)) if !value.is_null());
    let computed = matches!(&column.default, Some(DefaultValue::Now | DefaultValue::Raw(_)));
    let filled_reference = column.reference.is_some() && column.default.is_some();
    !column.primary && !computed && !filled_reference && (column.nullable || constant)
}

fn change_column(driver: Driver, table: &str, column: &Column) -> Result<Vec<String>> {
    if driver == Driver::MySql {
        return Ok(vec![format!("alter table {table} modify column {}", definition(driver, column)?)]);
    }
    let name = driver.quote(&column.name);
    let kind = column.kind.sql(driver);
    let null = if column.nullable { "drop" } else { "set" };
    // A cast in words would cut a text that is too long; without it, the change is refused.
    let using = match column.kind {
        ColumnType::String(_) => String::new(),
        _ => format!(" using {name}::{kind}"),
    };
    // One statement, so that it happens at once; the old default goes first, it may not fit the new type.
    let mut parts = vec![
        format!("alter column {name} drop default"),
        format!("alter column {name} type {kind}{using}"),
        format!("alter column {name} {null} not null"),
    ];
    if let Some(default) = &column.default {
        parts.push(format!(
            "alter column {name} set default {}",
            default_value(driver, &column.kind, default)?
        ));
    }
    Ok(vec![format!("alter table {table} {}", parts.join(", "))])
}

fn definition(driver: Driver, column: &Column) -> Result<String> {
    let name = driver.quote(&column.name);
    if column.kind == ColumnType::Id {
        return Ok(match driver {
            // Without AUTOINCREMENT, SQLite gives the key of a deleted row to the next one.
            Driver::Sqlite => format!("{name} integer primary key autoincrement not null"),
            Driver::Postgres => format!("{name} bigint generated by default as identity primary key"),
            Driver::MySql => format!("{name} bigint not null auto_increment primary key"),
        });
    }
    check_digits(column)?;
    let mut text = format!("{name} {}", column.kind.sql(driver));
    text += if column.nullable { " null" } else { " not null" };
    if let Some(default) = &column.default {
        text += " default ";
        text += &default_value(driver, &column.kind, default)?;
    }
    if column.primary {
        text += " primary key";
    }
    if let (ColumnType::Decimal(precision, scale), Driver::Sqlite) = (&column.kind, driver) {
        text += " ";
        text += &sqlite_digits(&column.name, *precision, *scale);
    }
    Ok(text)
}

/// The other engines know how many digits a number has; SQLite looks at its text.
pub(crate) fn sqlite_digits(column: &str, precision: u32, scale: u32) -> String {
    let name = Driver::Sqlite.quote(column);
    let whole = precision.saturating_sub(scale);
    format!(
        "check (length({name}) - instr({name} || '.', '.') <= {scale} \
         and instr(ltrim({name}, '-0') || '.', '.') <= {whole} + 1)"
    )
}

fn check_digits(column: &Column) -> Result<()> {
    let ColumnType::Decimal(precision, scale) = column.kind else { return Ok(()) };
    if (1..=DECIMAL_DIGITS).contains(&precision) && scale <= precision {
        return Ok(());
    }
    Err(Error::internal(format!(
        "`{}` is a decimal of {precision} digits with {scale} behind the point: it can have 1 to {DECIMAL_DIGITS} digits, and no \
         more than these behind the point",
        column.name
    )))
}

/// As many as a `Decimal` holds, whatever they are.
const DECIMAL_DIGITS: u32 = 28;

fn default_value(driver: Driver, kind: &ColumnType, default: &DefaultValue) -> Result<String> {
    Ok(match (default, driver) {
        (DefaultValue::Raw(sql), _) => sql.clone(),
        (DefaultValue::Now, _) if *kind == ColumnType::Date => today(driver).into(),
        (DefaultValue::Now, Driver::Sqlite) => "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))".into(),
        (DefaultValue::Now, _) => "current_timestamp(3)".into(),
        (DefaultValue::Value(value), _) => {
            let text = literal(driver, value)?;
            // MySQL takes a plain literal for these types only as an expression.
            let wrapped = matches!(kind, ColumnType::Text | ColumnType::Json | ColumnType::Binary);
            if driver == Driver::MySql && wrapped { format!("({text})") } else { text }
        }
    })
}

/// In UTC, as every time is kept.
fn today(driver: Driver) -> &'static str {
    match driver {
        Driver::Sqlite => "(date('now'))",
        Driver::Postgres => "((now() at time zone 'utc')::date)",
        Driver::MySql => "(utc_date())",
    }
}

/// A value inside a statement that changes the schema, where nothing can be bound.
fn literal(driver: Driver, value: &Value) -> Result<String> {
    Ok(match value {
        Value::Null => "null".into(),
        Value::Bool(value) if driver == Driver::Postgres => value.to_string(),
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::Int(value) => value.to_string(),
        Value::Real(value) if value.is_finite() => format!("{value:?}"),
        Value::Text(text) => quoted(driver, text),
        Value::Json(json) => quoted(driver, &json.to_string()),
        Value::Time(time) if driver == Driver::MySql => {
            quoted(driver, &iso::text(*time).replace('T', " ").replace('Z', ""))
        }
        Value::Time(time) => quoted(driver, &iso::text(*time)),
        Value::Date(date) => quoted(driver, &iso::date_text(*date)),
        // Without quotes, SQLite would take it for a number that it rounds.
        Value::Decimal(number) => quoted(driver, &number.normalize().to_string()),
        Value::Uuid(uuid) if driver == Driver::MySql => format!("(x'{}')", uuid.simple()),
        Value::Uuid(uuid) => quoted(driver, &uuid.to_string()),
        other => return Err(Error::internal(format!("{} cannot be a default", other.kind()))),
    })
}

fn quoted(driver: Driver, text: &str) -> String {
    let text = text.replace('\'', "''");
    // A backslash means something in MySQL's text only.
    let text = if driver == Driver::MySql { text.replace('\\', "\\\\") } else { text };
    format!("'{text}'")
}

fn column_indexes(column: &Column) -> Vec<Index> {
    let unique = column.unique.then(|| Index::new([column.name.clone()], true));
    let plain = (column.indexed && !column.unique).then(|| Index::new([column.name.clone()], false));
    unique.into_iter().chain(plain).collect()
}

pub(crate) fn create_index(driver: Driver, table: &str, index: &Index) -> String {
    format!(
        "create {}index {} on {} ({})",
        if index.unique { "unique " } else { "" },
        driver.quote(&index.name_in(table)),
        driver.quote(table),
        indexed(driver, index)
    )
}

/// What an index holds of a row.
fn indexed(driver: Driver, index: &Index) -> String {
    let columns = list(driver, &index.columns);
    match (index.search, driver) {
        // The usual order of texts is that of a language, in which those that begin alike need not stand together.
        (true, Driver::Postgres) => format!("lower({columns}) text_pattern_ops"),
        (true, Driver::Sqlite) => format!("lower({columns})"),
        (true, Driver::MySql) | (false, _) => columns,
    }
}

pub(crate) fn foreign_key(driver: Driver, table: &str, key: &ForeignKey) -> String {
    format!(
        "constraint {} foreign key ({}) {}",
        driver.quote(&key.name_in(table)),
        list(driver, &key.columns),
        inline_reference(driver, key)
    )
}

fn inline_reference(driver: Driver, key: &ForeignKey) -> String {
    let mut text = format!("references {} ({})", driver.quote(&key.table), list(driver, &key.references));
    for (event, action) in [("delete", key.on_delete), ("update", key.on_update)] {
        if action != Action::NoAction {
            text += &format!(" on {event} {}", action.sql());
        }
    }
    text
}

pub(crate) fn list(driver: Driver, names: &[String]) -> String {
    names.iter().map(|name| driver.quote(name)).collect::<Vec<_>>().join(", ")
}

/// MySQL indexes text only up to a length; the error of the server does not say what to do.
fn check_indexable(driver: Driver, table: &Table, index: &Index) -> Result<()> {
    if driver != Driver::MySql {
        return Ok(());
    }
    for change in &table.changes {
        if let Change::Column(column) = change
            && index.columns.contains(&column.name)
            && matches!(column.kind, ColumnType::Text | ColumnType::Json | ColumnType::Binary)
        {
            return Err(Error::internal(format!(
                "MySQL cannot index `{}.{}`: it has no length. Make it a string(\"{}\", length)",
                table.name, column.name, column.name
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Schema;

    fn sql(driver: Driver, describe: impl FnOnce(&mut Schema)) -> Vec<String> {
        let mut schema = Schema::new(driver);
        describe(&mut schema);
        schema.to_sql().unwrap()
    }

    fn posts(schema: &mut Schema) {
        schema.create("posts", |table| {
            table.id();
            table.string("slug", 80).unique();
            table.boolean("published").default(false);
            table.big_integer("author_id").references("users", "id").on_delete_cascade();
            table.timestamp("created_at").default_now();
        });
    }

    #[test]
    fn sqlite_gets_its_own_sql() {
        assert_eq!(
            sql(Driver::Sqlite, posts),
            [
                "create table `posts` (`id` integer primary key autoincrement not null, \
                 `slug` varchar(80) not null, `published` boolean not null default 0, \
                 `author_id` bigint not null, \
                 `created_at` timestamp not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), \
                 constraint `posts_author_id_foreign` foreign key (`author_id`) references `users` (`id`) \
                 on delete cascade)",
                "create unique index `posts_slug_unique` on `posts` (`slug`)",
            ]
        );
    }

    #[test]
    fn postgres_gets_its_own_sql() {
        let made = sql(Driver::Postgres, posts);
        assert!(made[0].contains("\"published\" boolean not null default false"), "{made:?}");
        assert!(made[0].contains("timestamptz(3) not null default current_timestamp(3)"), "{made:?}");
    }

    #[test]
    fn mysql_gets_its_own_sql() {
        let made = sql(Driver::MySql, posts);
        assert!(made[0].starts_with("create table `posts` (`id` bigint not null auto_increment primary key"));
        assert!(made[0].ends_with("collate utf8mb4_bin"), "{made:?}");
    }

    #[test]
    fn a_default_cannot_break_out_of_its_quotes() {
        for driver in Driver::ALL {
            let made = sql(driver, |schema| {
                schema.create("a", |table| {
                    table.string("b", 9).default("'); drop table a; --\\");
                });
            });
            let tail = if driver == Driver::MySql { "--\\\\'" } else { "--\\'" };
            assert!(made[0].contains(&format!("default '''); drop table a; {tail}")), "{made:?}");
        }
    }

    #[test]
    fn an_index_that_mysql_cannot_have_is_refused_with_advice() {
        let mut schema = Schema::new(Driver::MySql);
        schema.create("a", |table| {
            table.text("b").index();
        });
        let error = schema.to_sql().unwrap_err().to_string();
        assert!(error.contains("string(\"b\", length)"), "{error}");
    }
}
