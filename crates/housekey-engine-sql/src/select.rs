use housekey_core::Result;
use housekey_database::Driver;
use housekey_engine::schema::Table;
use housekey_engine::storage::{Direction, Filter, Find};

use crate::statement::{Statement, column};

/// Rows skipped from which on a page is far behind.
const FAR: u32 = 1000;

/// Reading.
impl Statement {
    /// Rows of one table.
    pub(crate) fn find(driver: Driver, table: &Table, find: &Find) -> Result<Self> {
        let mut select = Self::new(driver, "SELECT ");
        if find.offset >= FAR && find.order.is_some() {
            select.far_page(table, find)?;
            return Ok(select);
        }
        select.columns("", table);
        select.sql.push_str(" FROM ");
        select.name(&table.name);
        select.conditions("", table, &find.filter)?;
        select.order("", table, find)?;
        select.part(find);
        Ok(select)
    }

    /// How many rows match.
    pub(crate) fn count(driver: Driver, table: &Table, filter: &Filter) -> Result<Self> {
        let mut select = Self::new(driver, "SELECT COUNT(*) FROM ");
        select.name(&table.name);
        select.conditions("", table, filter)?;
        Ok(select)
    }

    /// A page far behind: its ids first, which an index may hold all of, and then their rows. Otherwise every row that is skipped
    /// would be read for it, from all over the table.
    // spec: ADM-1
    fn far_page(&mut self, table: &Table, find: &Find) -> Result<()> {
        let id = &column(table, "id")?.name;
        self.columns("t.", table);
        self.sql.push_str(" FROM (SELECT ");
        self.name(id);
        self.sql.push_str(" AS k FROM ");
        self.name(&table.name);
        self.conditions("", table, &find.filter)?;
        self.order("", table, find)?;
        self.part(find);
        self.sql.push_str(match self.driver {
            // It does not know how few they are, and would read the whole table beside them; these words keep the order.
            Driver::Sqlite => ") AS page CROSS JOIN ",
            Driver::Postgres | Driver::MySql => ") AS page INNER JOIN ",
        });
        self.name(&table.name);
        self.sql.push_str(" AS t ON t.");
        self.name(id);
        self.sql.push_str(" = page.k");
        self.order("t.", table, find)
    }

    /// The second field decides in the direction of the first: an index of both is read one way or the other.
    fn order(&mut self, whose: &str, table: &Table, find: &Find) -> Result<()> {
        let Some((field, direction)) = &find.order else { return Ok(()) };
        let way = match direction {
            Direction::Ascending => " ASC",
            Direction::Descending => " DESC",
        };
        for (between, field) in [(" ORDER BY ", Some(field)), (", ", find.then_by.as_ref())] {
            let Some(field) = field else { continue };
            self.sql.push_str(between);
            self.sql.push_str(whose);
            self.name(&column(table, field)?.name);
            self.sql.push_str(way);
        }
        Ok(())
    }

    /// A row of a table, followed by the row it belongs to.
    pub(crate) fn with_parent(
        driver: Driver,
        table: &Table,
        filter: &Filter,
        reference: &str,
        parent: &Table,
    ) -> Result<Self> {
        let mut select = Self::new(driver, "SELECT ");
        select.columns("c.", table);
        select.sql.push_str(", ");
        select.columns("p.", parent);
        select.sql.push_str(" FROM ");
        select.name(&table.name);
        select.sql.push_str(" AS c INNER JOIN ");
        select.name(&parent.name);
        select.sql.push_str(" AS p ON c.");
        select.name(&column(table, reference)?.name);
        select.sql.push_str(" = p.");
        select.name(&column(parent, "id")?.name);
        select.conditions("c.", table, filter)?;
        select.sql.push_str(" LIMIT 1");
        Ok(select)
    }

    fn part(&mut self, find: &Find) {
        // SQLite and MySQL know OFFSET only behind a LIMIT.
        let all = (find.offset > 0 && self.driver != Driver::Postgres).then_some(i64::MAX);
        if let Some(limit) = find.limit.map(i64::from).or(all) {
            self.sql.push_str(" LIMIT ");
            self.value(limit.into());
        }
        if find.offset > 0 {
            self.sql.push_str(" OFFSET ");
            self.value(i64::from(find.offset).into());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use housekey_engine::Value;
    use housekey_engine::schema::Column;
    use housekey_engine::storage::Comparison;

    use super::*;

    fn books() -> Table {
        Table::new("book").column_with(Column::text("title")).column_with(Column::text("shelfId"))
    }

    #[test]
    fn a_read_says_everything_that_is_asked_for() {
        let filter =
            Filter::by("title", "Notes").and("shelfId", Comparison::NotEqual, "s1").and_by("id", Value::Null);
        let find = Find::new(filter).order("title", Direction::Descending).limit(5).offset(10);
        for (driver, text) in [
            (
                Driver::Sqlite,
                "SELECT `id`, `title`, `shelfId` FROM `book` WHERE `title` = ? AND (`shelfId` != ? OR `shelfId` IS NULL) \
                 AND `id` IS NULL ORDER BY `title` DESC LIMIT ? OFFSET ?",
            ),
            (
                Driver::Postgres,
                "SELECT \"id\", \"title\", \"shelfId\" FROM \"book\" WHERE \"title\" = $1 AND (\"shelfId\" != $2 OR \"shelfId\" \
                 IS NULL) AND \"id\" IS NULL ORDER BY \"title\" DESC LIMIT $3 OFFSET $4",
            ),
        ] {
            let select = Statement::find(driver, &books(), &find).unwrap();
            assert_eq!(select.sql, text);
            assert_eq!(select.values, ["Notes".into(), "s1".into(), 5_i64.into(), 10_i64.into()]);
        }
    }

    #[test]
    fn rows_are_counted_by_the_same_conditions() {
        let filter = Filter::by("title", "Notes").and("shelfId", Comparison::NotEqual, Value::Null);
        let count = Statement::count(Driver::Postgres, &books(), &filter).unwrap();
        assert_eq!(
            count.sql,
            "SELECT COUNT(*) FROM \"book\" WHERE \"title\" = $1 AND \"shelfId\" IS NOT NULL"
        );
        assert_eq!(count.values, ["Notes".into()]);
    }

    #[test]
    // spec: ADM-1
    fn a_page_far_behind_is_found_by_ids_before_its_rows_are_read() {
        let find = Find::new(Filter::by("shelfId", "s1")).order("title", Direction::Descending).then_by("id");
        let select = Statement::find(Driver::Postgres, &books(), &find.limit(100).offset(49_900)).unwrap();
        assert_eq!(
            select.sql,
            "SELECT t.\"id\", t.\"title\", t.\"shelfId\" FROM (SELECT \"id\" AS k FROM \"book\" WHERE \"shelfId\" = $1 ORDER BY \
             \"title\" DESC, \"id\" DESC LIMIT $2 OFFSET $3) AS page INNER JOIN \"book\" AS t ON t.\"id\" = page.k ORDER BY \
             t.\"title\" DESC, t.\"id\" DESC"
        );
    }

    #[test]
    fn what_is_skipped_without_an_end_has_an_end_where_sql_wants_one() {
        let find = Find::new(Filter::all()).offset(2);
        let told = |driver| Statement::find(driver, &books(), &find).unwrap().sql;
        assert!(told(Driver::MySql).ends_with("FROM `book` LIMIT ? OFFSET ?"));
        assert!(told(Driver::Postgres).ends_with("FROM \"book\" OFFSET $1"));
    }
}
