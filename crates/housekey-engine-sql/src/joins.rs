use std::sync::{Arc, OnceLock};

use housekey_core::Result;
use housekey_database::{Database, Value as Stored};
use housekey_engine::schema::Table;
use housekey_engine::storage::{Comparison, Condition, Filter, Find};
use housekey_engine::{Record, Value};

use crate::records::{self, column};
use crate::values::{read_row, to_stored};

/// Reads a row together with the row it belongs to.
///
/// Every request of somebody who is signed in reads such a pair, and always the same one: session and user by the
/// session's token. That is one query, and its text is made once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joins(Arc<OnceLock<Arc<Join>>>);

impl Joins {
    pub(crate) async fn find(
        &self,
        database: &Database,
        table: &Table,
        filter: &Filter,
        reference: &str,
        parent: &Table,
    ) -> Result<Option<(Record, Record)>> {
        if let Some((field, value)) = unique(table, filter)? {
            let join = self.join(database, table, field, reference, parent)?;
            let rows = database.raw(&join.sql, [to_stored(value)]).await?;
            let Some(row) = rows.first() else { return Ok(None) };
            return Ok(Some((read_row(row, table, 0)?, read_row(row, parent, table.columns.len())?)));
        }
        let find = Find::new(filter.clone()).limit(1);
        let Some(child) = records::find(database, table, &find).await?.pop() else { return Ok(None) };
        let Some(id) = child.text(reference) else { return Ok(None) };
        let of_id = Find::new(Filter::by("id", id)).limit(1);
        Ok(records::find(database, parent, &of_id).await?.pop().map(|parent| (child, parent)))
    }

    /// The join that is kept, or a new one. The first one made stays.
    fn join(
        &self,
        database: &Database,
        table: &Table,
        field: &str,
        reference: &str,
        parent: &Table,
    ) -> Result<Arc<Join>> {
        if let Some(kept) = self.0.get()
            && (&*kept.field, &*kept.reference) == (field, reference)
            && kept.child.fits(table)
            && kept.parent.fits(parent)
        {
            return Ok(Arc::clone(kept));
        }
        let join = Arc::new(Join::new(database, table, field, reference, parent)?);
        let _ = self.0.set(Arc::clone(&join));
        Ok(join)
    }
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

/// The query for a row by a unique field and for the row it belongs to.
#[derive(Debug)]
struct Join {
    field: String,
    reference: String,
    child: Names,
    parent: Names,
    sql: String,
}

impl Join {
    fn new(database: &Database, table: &Table, field: &str, reference: &str, parent: &Table) -> Result<Self> {
        let (child_names, parent_names) = (Names::of(table), Names::of(parent));
        let (own, key) = (&column(table, reference)?.name, &column(parent, "id")?.name);
        let query = database
            .table(format!("{} as c", table.name))
            .join(format!("{} as p", parent.name), format!("c.{own}"), format!("p.{key}"))
            .select(child_names.selected('c'))
            .select(parent_names.selected('p'))
            .where_eq(format!("c.{}", column(table, field)?.name), Stored::Text(String::new()));
        Ok(Self {
            field: field.to_owned(),
            reference: reference.to_owned(),
            child: child_names,
            parent: parent_names,
            sql: query.to_sql()?,
        })
    }
}

/// The names of a table and its columns.
#[derive(Debug)]
struct Names {
    table: String,
    columns: Vec<String>,
}

impl Names {
    fn of(table: &Table) -> Self {
        let columns = table.columns.iter().map(|column| column.name.clone()).collect();
        Self { table: table.name.clone(), columns }
    }

    fn fits(&self, table: &Table) -> bool {
        self.table == table.name && self.columns.iter().eq(table.columns.iter().map(|column| &column.name))
    }

    fn selected(&self, whose: char) -> Vec<String> {
        self.columns.iter().map(|name| format!("{whose}.{name}")).collect()
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

    #[tokio::test]
    async fn what_was_kept_for_other_columns_is_not_used() {
        let (storage, books, shelves) = library().await;
        let filter = Filter::by("isbn", "isbn-b1");
        let whole = storage.find_with_parent(&books, &filter, "shelfId", &shelves).await.unwrap().unwrap();
        assert_eq!(whole.0.len(), 4);
        let mut fewer = books.clone();
        fewer.columns.retain(|column| column.field != "title");
        let found = storage.find_with_parent(&fewer, &filter, "shelfId", &shelves).await.unwrap().unwrap();
        assert_eq!((found.0.len(), found.0.text("shelfId")), (3, Some("s1")));
        let mut by_title = books;
        by_title.columns.iter_mut().for_each(|column| column.unique = column.field == "title");
        let filter = Filter::by("title", "Nothing");
        assert_eq!(storage.find_with_parent(&by_title, &filter, "shelfId", &shelves).await.unwrap(), None);
    }
}
