use futures_util::TryFutureExt;
use housekey_core::Result;
use housekey_database::{Database, Driver, Query, Record as StoredRecord};
use housekey_engine::Record;
use housekey_engine::schema::Table;
use housekey_engine::storage::{Comparison, Condition, Direction, Filter, Find, Write, WriteAction};

use crate::statement::{Statement, column, operator};
use crate::values::{take_record, to_stored};

/// What [`Records`](housekey_engine::storage::Records) asks for, for a type that says with `database()` where its rows are
/// and with `IS_TRANSACTION` whether what it writes is part of a transaction of the engine.
macro_rules! records_in_database {
    () => {
        fn find<'a>(
            &'a self,
            table: &'a housekey_engine::schema::Table,
            find: &'a housekey_engine::storage::Find,
        ) -> housekey_engine::BoxFuture<
            'a,
            housekey_engine::storage::StorageResult<Vec<housekey_engine::Record>>,
        > {
            let database = self.database();
            $crate::records::explained(async move { $crate::records::find(&database, table, find).await })
        }

        fn count<'a>(
            &'a self,
            table: &'a housekey_engine::schema::Table,
            filter: &'a housekey_engine::storage::Filter,
        ) -> housekey_engine::BoxFuture<'a, housekey_engine::storage::StorageResult<u64>> {
            let database = self.database();
            $crate::records::explained(async move { $crate::records::count(&database, table, filter).await })
        }

        fn create<'a>(
            &'a self,
            table: &'a housekey_engine::schema::Table,
            record: &'a housekey_engine::Record,
        ) -> housekey_engine::BoxFuture<'a, housekey_engine::storage::StorageResult<()>> {
            let database = self.database();
            $crate::records::explained(async move {
                let write = async |database| $crate::records::create(&database, table, record).await;
                if Self::IS_TRANSACTION {
                    write(database).await
                } else {
                    $crate::records::in_savepoint(database, write).await
                }
            })
        }

        fn update<'a>(
            &'a self,
            table: &'a housekey_engine::schema::Table,
            filter: &'a housekey_engine::storage::Filter,
            changes: &'a housekey_engine::Record,
        ) -> housekey_engine::BoxFuture<'a, housekey_engine::storage::StorageResult<u64>> {
            let database = self.database();
            $crate::records::explained(async move {
                let write = async |database| $crate::records::update(&database, table, filter, changes).await;
                if Self::IS_TRANSACTION {
                    write(database).await
                } else {
                    $crate::records::in_savepoint(database, write).await
                }
            })
        }

        fn increment<'a>(
            &'a self,
            table: &'a housekey_engine::schema::Table,
            filter: &'a housekey_engine::storage::Filter,
            field: &'a str,
            by: i64,
        ) -> housekey_engine::BoxFuture<'a, housekey_engine::storage::StorageResult<Option<i64>>> {
            let database = self.database();
            $crate::records::explained(async move {
                $crate::records::increment(&database, table, filter, field, by).await
            })
        }

        fn adjust<'a>(
            &'a self,
            table: &'a housekey_engine::schema::Table,
            filter: &'a housekey_engine::storage::Filter,
            add: &'a [(&'static str, i64)],
            set: &'a housekey_engine::Record,
        ) -> housekey_engine::BoxFuture<'a, housekey_engine::storage::StorageResult<u64>> {
            let database = self.database();
            $crate::records::explained(async move {
                $crate::records::adjust(&database, table, filter, add, set).await
            })
        }

        fn delete<'a>(
            &'a self,
            table: &'a housekey_engine::schema::Table,
            filter: &'a housekey_engine::storage::Filter,
        ) -> housekey_engine::BoxFuture<'a, housekey_engine::storage::StorageResult<u64>> {
            let database = self.database();
            $crate::records::explained(async move { $crate::records::delete(&database, table, filter).await })
        }
    };
}
pub(crate) use records_in_database;

/// A database's work as the engine's: boxed, with its errors told in the engine's words. An async block around the work would be
/// twice as large as the work, which is copied within it at the first poll.
pub(crate) fn explained<'a, T: 'a>(
    work: impl Future<Output = Result<T>> + Send + 'a,
) -> housekey_engine::BoxFuture<'a, housekey_engine::storage::StorageResult<T>> {
    Box::pin(work.map_err(|error| crate::error::explain(&error)))
}

/// Writes so that the transaction of the app around it goes on if this fails: the engine takes a value that is there
/// already for an answer, and after any error PostgreSQL refuses the rest of the transaction.
pub(crate) async fn in_savepoint<T>(
    database: Database,
    write: impl AsyncFnOnce(Database) -> Result<T>,
) -> Result<T> {
    if database.in_transaction() && database.driver() == Driver::Postgres {
        // Boxed: few writes stand in such a transaction, and the future of each would carry the room for it.
        Box::pin(database.transaction(write)).await
    } else {
        write(database).await
    }
}

pub(crate) async fn find(database: &Database, table: &Table, find: &Find) -> Result<Vec<Record>> {
    // The query builder knows how each database searches in texts, and needs longer for its text than these rows usually do.
    let rows = if is_search(&find.filter) {
        Box::pin(search(database, table, find)?.rows()).await?
    } else {
        Statement::find(database.driver(), table, find)?.rows(database).await?
    };
    rows.into_iter().map(|mut row| take_record(&mut row, table, 0)).collect()
}

/// The text of what [`find`] asks.
pub(crate) fn statement(database: &Database, table: &Table, find: &Find) -> Result<String> {
    match is_search(&find.filter) {
        true => search(database, table, find)?.to_sql(),
        false => Ok(Statement::find(database.driver(), table, find)?.into_sql()),
    }
}

pub(crate) async fn create(database: &Database, table: &Table, record: &Record) -> Result<()> {
    Statement::insert(database.driver(), table, record)?.run(database).await.map(drop)
}

pub(crate) async fn update(
    database: &Database,
    table: &Table,
    filter: &Filter,
    changes: &Record,
) -> Result<u64> {
    if is_search(filter) || changes.is_empty() {
        return Box::pin(matching(database, table, filter)?.update(stored(table, changes)?)).await;
    }
    Statement::update(database.driver(), table, filter, changes)?.run(database).await
}

pub(crate) async fn delete(database: &Database, table: &Table, filter: &Filter) -> Result<u64> {
    if is_search(filter) {
        return Box::pin(matching(database, table, filter)?.delete()).await;
    }
    Statement::delete(database.driver(), table, filter)?.run(database).await
}

/// Writes all of this at once, or nothing of it.
pub(crate) async fn write_together(database: &Database, writes: &[Write<'_>]) -> Result<bool> {
    let (driver, mut batch) = (database.driver(), database.batch());
    for Write { table, action, expecting } in writes {
        let Statement { sql, values, .. } = match action {
            WriteAction::Create(record) => Statement::insert(driver, table, record),
            WriteAction::Update(filter, changes) => Statement::update(driver, table, filter, changes),
            WriteAction::Delete(filter) => Statement::delete(driver, table, filter),
        }?;
        batch = batch.execute_raw(sql, values);
        if *expecting {
            batch = batch.expecting(1);
        }
    }
    batch.commit().await
}

/// Whether [`write_together`] has words for all of it: it does not search in texts, and SQL has none for a change of nothing.
pub(crate) fn are_plain(writes: &[Write<'_>]) -> bool {
    writes.iter().all(|write| match write.action {
        WriteAction::Create(_) => true,
        WriteAction::Update(filter, changes) => !is_search(filter) && !changes.is_empty(),
        WriteAction::Delete(filter) => !is_search(filter),
    })
}

pub(crate) async fn count(database: &Database, table: &Table, filter: &Filter) -> Result<u64> {
    if is_search(filter) {
        return Box::pin(matching(database, table, filter)?.count()).await;
    }
    let rows = Statement::count(database.driver(), table, filter)?.rows(database).await?;
    rows.first().map_or(Ok(0), |row| row.at(0))
}

/// Adds to a number while nobody else may touch its row: of many who do this at once each gets a number of their own.
pub(crate) async fn increment(
    database: &Database,
    table: &Table,
    filter: &Filter,
    field: &str,
    by: i64,
) -> Result<Option<i64>> {
    let (id, name) = (&column(table, "id")?.name, &column(table, field)?.name);
    database
        .transaction(async |inside| {
            let query = matching(&inside, table, filter)?.select([id, name]).lock_for_update().limit(1);
            let rows = query.rows().await?;
            let Some(row) = rows.first() else { return Ok(None) };
            let (key, number) = (row.get::<String>(id)?, row.get::<Option<i64>>(name)?);
            let number = number.unwrap_or(0).saturating_add(by);
            inside
                .table(&table.name)
                .where_eq(id, key)
                .update(StoredRecord::new().with(name.clone(), number))
                .await?;
            Ok(Some(number))
        })
        .await
}

/// Adds to numbers in one statement: its conditions are looked at while nobody else may touch the row.
pub(crate) async fn adjust(
    database: &Database,
    table: &Table,
    filter: &Filter,
    add: &[(&'static str, i64)],
    set: &Record,
) -> Result<u64> {
    let add = add.iter().map(|&(field, by)| Ok((column(table, field)?.name.clone(), by)));
    let add = add.collect::<Result<Vec<_>>>()?;
    matching(database, table, filter)?.update_adding(stored(table, set)?, add).await
}

fn is_search(filter: &Filter) -> bool {
    let for_texts = [Comparison::Contains, Comparison::StartsWith, Comparison::EndsWith];
    let conditions = filter.conditions().iter().chain(filter.alternatives().iter().flatten());
    conditions.map(|condition| condition.comparison).any(|comparison| for_texts.contains(&comparison))
}

fn search(database: &Database, table: &Table, find: &Find) -> Result<Query> {
    let names = table.columns.iter().map(|column| column.name.as_str());
    let mut query = matching(database, table, &find.filter)?.select(names);
    if let Some((field, direction)) = &find.order {
        let name = &column(table, field)?.name;
        query = match direction {
            Direction::Ascending => query.order_by(name),
            Direction::Descending => query.order_by_desc(name),
        };
        if let Some(then_by) = &find.then_by {
            let name = &column(table, then_by)?.name;
            query = match direction {
                Direction::Ascending => query.order_by(name),
                Direction::Descending => query.order_by_desc(name),
            };
        }
    }
    if let Some(limit) = find.limit {
        query = query.limit(u64::from(limit));
    }
    if find.offset > 0 {
        query = query.offset(u64::from(find.offset));
    }
    Ok(query)
}

fn matching(database: &Database, table: &Table, filter: &Filter) -> Result<Query> {
    let (driver, mut query) = (database.driver(), database.table(&table.name));
    for condition in filter.conditions() {
        query = compared(driver, query, &column(table, &condition.field)?.name, condition);
    }
    for group in filter.alternatives() {
        let names: Vec<_> = group
            .iter()
            .map(|condition| Ok((&column(table, &condition.field)?.name, condition)))
            .collect::<Result<_>>()?;
        // Of no conditions none is met; a group of none would ask for nothing.
        query = match names.is_empty() {
            true => query.where_in(&column(table, "id")?.name, Vec::<String>::new()),
            false => query.where_any(|either| {
                names
                    .into_iter()
                    .fold(either, |either, (name, condition)| compared(driver, either, name, condition))
            }),
        };
    }
    Ok(query)
}

fn compared(
    driver: Driver,
    query: Query,
    name: &str,
    Condition { field, comparison, value }: &Condition,
) -> Query {
    let text = value.as_text().unwrap_or_default();
    let value = to_stored(value);
    match (comparison, operator(*comparison)) {
        // SQL says of an empty field neither that it is equal nor that it is not.
        (Comparison::NotEqual, _) if !value.is_null() => {
            query.where_any(|either| either.where_(name, "!=", value).where_null(name))
        }
        (_, Some(operator)) => query.where_(name, operator, value),
        (Comparison::Contains, None) => query.where_contains(name, text),
        // Addresses are kept in small letters, and not every database knows the small one of every letter.
        (Comparison::StartsWith, None) if field == "email" => {
            beginning(driver, query, name, &text.to_lowercase())
        }
        (Comparison::StartsWith, None) => query.where_starts_with(name, text),
        (_, None) => query.where_ends_with(name, text),
    }
}

/// Addresses that begin with a text. SQLite has no index for what is written in either case; but in small letters they are those between
/// the text and the text with the greatest character behind it, which no address has.
fn beginning(driver: Driver, query: Query, name: &str, text: &str) -> Query {
    match driver {
        Driver::Sqlite => query.where_between(name, text, format!("{text}\u{10ffff}")),
        Driver::Postgres | Driver::MySql => query.where_starts_with(name, text),
    }
}

fn stored(table: &Table, record: &Record) -> Result<StoredRecord> {
    let mut stored = StoredRecord::new();
    for (field, value) in record.iter() {
        stored.set(column(table, field)?.name.clone(), to_stored(value));
    }
    Ok(stored)
}
