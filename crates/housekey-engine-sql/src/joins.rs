use housekey_core::Result;
use housekey_database::Database;
use housekey_engine::schema::Table;
use housekey_engine::storage::{Comparison, Condition, Filter, Find};
use housekey_engine::{Record, Value};

use crate::records::{self, column};
use crate::values::{read_row, to_stored};

/// Reads a row together with the row it belongs to: in one query where it is asked by something unique, as every request
/// of somebody who is signed in does for session and user.
pub(crate) async fn find_with_parent(
    database: &Database,
    table: &Table,
    filter: &Filter,
    reference: &str,
    parent: &Table,
) -> Result<Option<(Record, Record)>> {
    if let Some((field, value)) = unique(table, filter)? {
        let (own, key) = (&column(table, reference)?.name, &column(parent, "id")?.name);
        let query = database
            .table(format!("{} as c", table.name))
            .join(format!("{} as p", parent.name), format!("c.{own}"), format!("p.{key}"))
            .select(columns_of(table, 'c'))
            .select(columns_of(parent, 'p'))
            .where_eq(format!("c.{}", column(table, field)?.name), to_stored(value));
        let rows = query.rows().await?;
        let Some(row) = rows.first() else { return Ok(None) };
        return Ok(Some((read_row(row, table, 0)?, read_row(row, parent, table.columns.len())?)));
    }
    let find = Find::new(filter.clone()).limit(1);
    let Some(child) = records::find(database, table, &find).await?.pop() else { return Ok(None) };
    let Some(id) = child.text(reference) else { return Ok(None) };
    let of_id = Find::new(Filter::by("id", id)).limit(1);
    Ok(records::find(database, parent, &of_id).await?.pop().map(|parent| (child, parent)))
}

/// The one condition of a filter, if it leaves one row at most.
fn unique<'a>(table: &Table, filter: &'a Filter) -> Result<Option<(&'a str, &'a Value)>> {
    match filter.conditions() {
        [Condition { field, comparison: Comparison::Equal, value }] if !value.is_null() => {
            Ok(column(table, field)?.unique.then_some((field, value)))
        }
        _ => Ok(None),
    }
}

fn columns_of(table: &Table, alias: char) -> impl Iterator<Item = String> {
    table.columns.iter().map(move |column| format!("{alias}.{}", column.name))
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use housekey_engine::schema::Column;
    use housekey_engine::storage::Records;

    use super::*;
    use crate::SqlStorage;

    async fn library() -> (SqlStorage, Table, Table) {
        let storage = SqlStorage::memory();
        let shelves = Table::new("shelf").column_with(Column::text("place"));
        let books = Table::new("book")
            .column_with(Column::text("isbn").unique())
            .column_with(Column::text("title"))
            .column_with(Column::text("shelfId"));
        for sql in [
            "create table shelf (id text, place text)",
            "create table book (id text, isbn text, title text, shelfId text)",
        ] {
            storage.database().execute_raw(sql, []).await.unwrap();
        }
        let shelf = Record::new().with("id", "s1").with("place", "left");
        storage.create(&shelves, &shelf).await.unwrap();
        for (id, shelf) in [("b1", "s1"), ("b2", "gone")] {
            let book = Record::new().with("id", id).with("isbn", format!("isbn-{id}"));
            let book = book.with("title", "Notes").with("shelfId", shelf);
            storage.create(&books, &book).await.unwrap();
        }
        (storage, books, shelves)
    }

    #[tokio::test]
    async fn a_row_comes_with_its_parent_whatever_it_is_asked_by() {
        let (storage, books, shelves) = library().await;
        for filter in [
            Filter::by("isbn", "isbn-b1"),
            Filter::by("title", "Notes").and_by("id", "b1"),
            Filter::by("isbn", "isbn-b1").and_by("title", "Notes"),
        ] {
            let found = storage.find_with_parent(&books, &filter, "shelfId", &shelves).await.unwrap();
            let (book, shelf) = found.unwrap();
            assert_eq!((book.text("id"), shelf.text("place")), (Some("b1"), Some("left")), "{filter:?}");
        }
        for filter in [Filter::by("isbn", "isbn-b2"), Filter::by("id", "b2"), Filter::by("isbn", "none")] {
            let found = storage.find_with_parent(&books, &filter, "shelfId", &shelves).await.unwrap();
            assert_eq!(found, None, "{filter:?}");
        }
    }
}
