use housekey_core::{Error, Result};
use housekey_database::{Database, Driver, Row, Value as Stored};
use housekey_engine::schema::{Column, Table};
use housekey_engine::storage::{Comparison, Condition, Filter};

use crate::values::to_stored;

/// Most texts are shorter, and most have fewer values: what grows is copied each time.
const USUAL_LENGTH: usize = 384;
const USUAL_VALUES: usize = 8;

/// The text of a statement that the engine asks for, written as it is read, and its values.
///
/// Somebody who is signed in causes two or three of them with every request. The query builder of the database layer, which
/// knows far more, needs as long for such a text as SQLite for the rows.
pub(crate) struct Statement {
    pub(crate) driver: Driver,
    pub(crate) sql: String,
    pub(crate) values: Vec<Stored>,
}

impl Statement {
    /// One that begins with a word.
    pub(crate) fn new(driver: Driver, word: &str) -> Self {
        let mut sql = String::with_capacity(USUAL_LENGTH);
        sql.push_str(word);
        Self { driver, sql, values: Vec::with_capacity(USUAL_VALUES) }
    }

    /// The text without its values.
    pub(crate) fn into_sql(self) -> String {
        self.sql
    }

    pub(crate) async fn rows(self, database: &Database) -> Result<Vec<Row>> {
        database.raw(&self.sql, self.values).await
    }

    pub(crate) fn columns(&mut self, whose: &str, table: &Table) {
        for (index, column) in table.columns.iter().enumerate() {
            self.sql.push_str(if index > 0 { ", " } else { "" });
            self.sql.push_str(whose);
            self.name(&column.name);
        }
    }

    pub(crate) fn conditions(&mut self, whose: &str, table: &Table, filter: &Filter) -> Result<()> {
        let mut before = " WHERE ";
        for condition in filter.conditions() {
            self.sql.push_str(before);
            self.condition(whose, table, condition)?;
            before = " AND ";
        }
        for group in filter.alternatives() {
            self.sql.push_str(before);
            self.one_of(whose, table, group)?;
            before = " AND ";
        }
        Ok(())
    }

    /// Of no conditions none is met.
    fn one_of(&mut self, whose: &str, table: &Table, group: &[Condition]) -> Result<()> {
        self.sql.push_str(if group.is_empty() { "(1 = 0" } else { "(" });
        for (index, condition) in group.iter().enumerate() {
            self.sql.push_str(if index > 0 { " OR " } else { "" });
            self.condition(whose, table, condition)?;
        }
        self.sql.push(')');
        Ok(())
    }

    /// SQL says of an empty field neither that it is equal to something nor that it is not.
    fn condition(
        &mut self,
        whose: &str,
        table: &Table,
        Condition { field, comparison, value }: &Condition,
    ) -> Result<()> {
        let (name, comparison, value) = (&column(table, field)?.name, *comparison, to_stored(value));
        let is_empty = value.is_null();
        let or_empty = comparison == Comparison::NotEqual && !is_empty;
        self.sql.push_str(if or_empty { "(" } else { "" });
        self.sql.push_str(whose);
        self.name(name);
        match comparison {
            Comparison::Equal if is_empty => self.sql.push_str(" IS NULL"),
            Comparison::NotEqual if is_empty => self.sql.push_str(" IS NOT NULL"),
            _ => {
                let operator = operator(comparison)
                    .ok_or_else(|| Error::internal("a search in texts is written by the query builder"))?;
                self.sql.push(' ');
                self.sql.push_str(operator);
                self.sql.push(' ');
                self.value(value);
            }
        }
        if or_empty {
            self.sql.push_str(" OR ");
            self.sql.push_str(whose);
            self.name(name);
            self.sql.push_str(" IS NULL)");
        }
        Ok(())
    }

    pub(crate) fn name(&mut self, name: &str) {
        self.driver.quote_into(&mut self.sql, name);
    }

    pub(crate) fn value(&mut self, value: Stored) {
        self.values.push(value);
        match self.driver {
            Driver::Sqlite | Driver::MySql => self.sql.push('?'),
            Driver::Postgres => {
                self.sql.push('$');
                self.sql.push_str(&self.values.len().to_string());
            }
        }
    }
}

/// The operator of SQL, of comparisons that have one. The three for texts have none: the query builder writes those.
pub(crate) fn operator(comparison: Comparison) -> Option<&'static str> {
    match comparison {
        Comparison::Equal => Some("="),
        Comparison::NotEqual => Some("!="),
        Comparison::Less => Some("<"),
        Comparison::LessOrEqual => Some("<="),
        Comparison::Greater => Some(">"),
        Comparison::GreaterOrEqual => Some(">="),
        Comparison::Contains | Comparison::StartsWith | Comparison::EndsWith => None,
    }
}

pub(crate) fn column<'a>(table: &'a Table, field: &str) -> Result<&'a Column> {
    table
        .column(field)
        .ok_or_else(|| Error::internal(format!("the table `{}` has no column for `{field}`", table.name)))
}
