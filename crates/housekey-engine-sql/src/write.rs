use housekey_core::Result;
use housekey_database::{Database, Driver};
use housekey_engine::schema::Table;
use housekey_engine::storage::Filter;
use housekey_engine::{Record, Value};

use crate::statement::{Statement, column};
use crate::values::to_stored;

/// Writing.
impl Statement {
    /// A new row.
    pub(crate) fn insert(driver: Driver, table: &Table, record: &Record) -> Result<Self> {
        let mut insert = Self::new(driver, "INSERT INTO ");
        insert.name(&table.name);
        for (index, (field, _)) in record.iter().enumerate() {
            insert.sql.push_str(if index > 0 { ", " } else { " (" });
            insert.name(&column(table, field)?.name);
        }
        for (index, (_, value)) in record.iter().enumerate() {
            insert.sql.push_str(if index > 0 { ", " } else { ") VALUES (" });
            insert.new_value(value);
        }
        insert.sql.push(')');
        Ok(insert)
    }

    /// Other values for every row that matches.
    pub(crate) fn update(driver: Driver, table: &Table, filter: &Filter, changes: &Record) -> Result<Self> {
        let mut update = Self::new(driver, "UPDATE ");
        update.name(&table.name);
        for (index, (field, value)) in changes.iter().enumerate() {
            update.sql.push_str(if index > 0 { ", " } else { " SET " });
            update.name(&column(table, field)?.name);
            update.sql.push_str(" = ");
            update.new_value(value);
        }
        update.conditions("", table, filter)?;
        Ok(update)
    }

    /// The end of every row that matches.
    pub(crate) fn delete(driver: Driver, table: &Table, filter: &Filter) -> Result<Self> {
        let mut delete = Self::new(driver, "DELETE FROM ");
        delete.name(&table.name);
        delete.conditions("", table, filter)?;
        Ok(delete)
    }

    /// NULL is written out: PostgreSQL cannot tell the type of one that is handed over.
    fn new_value(&mut self, value: &Value) {
        match to_stored(value) {
            value if value.is_null() => self.sql.push_str("NULL"),
            value => self.value(value),
        }
    }

    /// Runs it, and says how many rows it met.
    pub(crate) async fn run(self, database: &Database) -> Result<u64> {
        database.execute_raw(&self.sql, self.values).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use housekey_engine::schema::Column;
    use housekey_engine::storage::{Comparison, Condition};

    use super::*;

    fn books() -> Table {
        Table::new("book").column_with(Column::text("title")).column_with(Column::text("shelfId").nullable())
    }

    #[test]
    fn a_new_row_is_written_with_its_values_beside_it_and_what_is_empty_as_a_word() {
        let record = Record::new().with("id", "b1").with("shelfId", Value::Null).with("title", "Notes");
        for (driver, text) in [
            (Driver::Sqlite, "INSERT INTO `book` (`id`, `shelfId`, `title`) VALUES (?, NULL, ?)"),
            (Driver::Postgres, "INSERT INTO \"book\" (\"id\", \"shelfId\", \"title\") VALUES ($1, NULL, $2)"),
        ] {
            let insert = Statement::insert(driver, &books(), &record).unwrap();
            assert_eq!(insert.sql, text);
            assert_eq!(insert.values, ["b1".into(), "Notes".into()]);
        }
        assert!(Statement::insert(Driver::Sqlite, &books(), &Record::new().with("author", "Ada")).is_err());
    }

    #[test]
    fn a_change_has_its_values_before_those_of_its_conditions() {
        let changes = Record::new().with("title", "New").with("shelfId", Value::Null);
        let filter = Filter::by("title", "Old").and_any([
            Condition::new("shelfId", Comparison::Equal, "s1"),
            Condition::new("shelfId", Comparison::Equal, Value::Null),
        ]);
        let update = Statement::update(Driver::Postgres, &books(), &filter, &changes).unwrap();
        assert_eq!(
            update.sql,
            "UPDATE \"book\" SET \"title\" = $1, \"shelfId\" = NULL WHERE \"title\" = $2 AND (\"shelfId\" = $3 OR \"shelfId\" \
             IS NULL)"
        );
        assert_eq!(update.values, ["New".into(), "Old".into(), "s1".into()]);
    }

    #[test]
    fn what_ends_is_what_meets_the_conditions_and_nothing_meets_one_of_none() {
        let delete = |filter| Statement::delete(Driver::MySql, &books(), &filter).unwrap().sql;
        assert_eq!(delete(Filter::all()), "DELETE FROM `book`");
        assert_eq!(delete(Filter::by("id", "b1")), "DELETE FROM `book` WHERE `id` = ?");
        assert_eq!(delete(Filter::all().and_any([])), "DELETE FROM `book` WHERE (1 = 0)");
    }
}
