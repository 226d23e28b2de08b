use housekey_core::Result;
use housekey_database::Database;
use housekey_engine::Record;
use housekey_engine::schema::Table;
use housekey_engine::storage::{Comparison, Condition, Filter, Find};

use crate::records;
use crate::statement::{Statement, column};
use crate::values::take_record;

/// Reads a row together with the row it belongs to: in one query where it is asked by something that is looked up by, as every
/// request of somebody who is signed in does for session and user, and every use of an API key for key and owner.
pub(crate) async fn find_with_parent(
    database: &Database,
    table: &Table,
    filter: &Filter,
    reference: &str,
    parent: &Table,
) -> Result<Option<(Record, Record)>> {
    if is_looked_up(table, filter)? {
        let select = Statement::with_parent(database.driver(), table, filter, reference, parent)?;
        let Some(mut row) = select.rows(database).await?.pop() else { return Ok(None) };
        let child = take_record(&mut row, table, 0)?;
        return Ok(Some((child, take_record(&mut row, parent, table.columns.len())?)));
    }
    let find = Find::new(filter.clone()).limit(1);
    let Some(child) = records::find(database, table, &find).await?.pop() else { return Ok(None) };
    let Some(id) = child.text(reference) else { return Ok(None) };
    let of_id = Find::new(Filter::by("id", id)).limit(1);
    Ok(records::find(database, parent, &of_id).await?.pop().map(|parent| (child, parent)))
}

/// Whether a filter leaves one row, or few of which any will do: those with one value in a column that rows are looked up by.
fn is_looked_up(table: &Table, filter: &Filter) -> Result<bool> {
    match filter.conditions() {
        _ if !filter.alternatives().is_empty() => Ok(false),
        [Condition { field, comparison: Comparison::Equal, value }] if !value.is_null() => {
            let column = column(table, field)?;
            Ok(column.unique || column.indexed)
        }
        _ => Ok(false),
    }
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
