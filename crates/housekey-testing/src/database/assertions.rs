//! What a test says about the tables, and about how often they were asked.

use std::fmt::Write;
use std::panic::Location;
use std::sync::Arc;

use housekey_core::Result;
use housekey_database::{Database, Databases, Query, QueryLog, Record, Row, Value};

use crate::{TestApp, TestResponse};

impl TestApp {
    /// The table has a row with these values; whatever else the row holds.
    ///
    /// ```no_run
    /// # use housekey_database::record;
    /// # async fn example(app: housekey_testing::TestApp) {
    /// app.post("/books").form(&[("title", "Dune")]).await;
    /// app.assert_database_has("books", record! { "title" => "Dune", "returned_at" => None::<String> }).await;
    /// # }
    /// ```
    ///
    /// # Panics
    /// When there is none. The message lists rows that there are.
    #[track_caller]
    pub fn assert_database_has(
        &self,
        table: &str,
        values: Record,
    ) -> impl Future<Output = ()> + Send + use<> {
        self.assert_count(table, values, Expected::Some)
    }

    /// The table has no row with these values.
    ///
    /// # Panics
    /// When there is one. The message shows it.
    #[track_caller]
    pub fn assert_database_missing(
        &self,
        table: &str,
        values: Record,
    ) -> impl Future<Output = ()> + Send + use<> {
        self.assert_count(table, values, Expected::None)
    }

    /// The table has so many rows.
    ///
    /// # Panics
    /// When it has more or fewer.
    #[track_caller]
    pub fn assert_database_count(&self, table: &str, rows: u64) -> impl Future<Output = ()> + Send + use<> {
        self.assert_count(table, Record::new(), Expected::Exactly(rows))
    }

    #[track_caller]
    fn assert_count(
        &self,
        table: &str,
        values: Record,
        expected: Expected,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (app, table, place) = (self.clone(), table.to_owned(), Location::caller());
        async move {
            app.prepare().await;
            match problem(&app, &table, &values, expected).await {
                Ok(None) => (),
                Ok(Some(problem)) => panic!("{problem}\n\nasserted at {place}"),
                Err(error) => {
                    panic!("the table {table} could not be looked at: {error}\n\nasserted at {place}")
                }
            }
        }
    }

    /// Writes down what the app asks its databases from now on; nothing when it has none.
    pub(crate) fn log_queries(&self) -> Option<QueryLog> {
        self.services().get::<Databases>().map(|databases| databases.log_queries())
    }
}

impl TestResponse {
    /// The statements that ran for this answer, on every connection, without their values.
    #[must_use]
    pub fn queries(&self) -> &[Arc<str>] {
        &self.queries
    }

    /// The app asked its databases so many times for this answer. What no answer waits for, such as account mail, counts too;
    /// the beginning and the end of a transaction do not. Requests at the same time count each other's.
    ///
    /// A page takes the same number with one row and with a hundred: that is how a query in a loop is found.
    ///
    /// ```no_run
    /// # async fn example(app: housekey_testing::TestApp) {
    /// app.get("/books").await.assert_ok().assert_queries(3);
    /// # }
    /// ```
    #[track_caller]
    pub fn assert_queries(&self, expected: usize) -> &Self {
        match QueryLog::problem(&self.queries, expected) {
            Some(problem) => panic!("{}: {problem}", self.asked),
            None => self,
        }
    }
}

#[derive(Clone, Copy)]
enum Expected {
    Some,
    None,
    Exactly(u64),
}

/// As many rows as a person reads.
const SHOWN: u64 = 10;

async fn problem(app: &TestApp, table: &str, values: &Record, expected: Expected) -> Result<Option<String>> {
    let database = app.services().require::<Databases>()?.connection(None)?;
    let matching = matching(&database, table, values);
    let count = matching.count().await?;
    let (holds, wanted) = match expected {
        Expected::Some => (count > 0, format!("a row in {table} with {}", written(values))),
        Expected::None => (count == 0, format!("no row in {table} with {}", written(values))),
        Expected::Exactly(rows) => (count == rows, format!("{rows} rows in {table}")),
    };
    if holds {
        return Ok(None);
    }
    // Those that are too many; or else all, among which the one that was meant may differ by a letter.
    let (found, shown) = match expected {
        Expected::Some => {
            let all = database.table(table);
            let count = all.count().await?;
            (format!("there is none among {count}"), all)
        }
        _ => (format!("there are {count}"), matching),
    };
    let mut problem = format!("expected {wanted}, {found}");
    for row in shown.limit(SHOWN).rows().await? {
        let _ = write!(problem, "\n  {}", text(&row));
    }
    Ok(Some(problem))
}

fn matching(database: &Database, table: &str, values: &Record) -> Query {
    let columns = values.columns();
    columns.fold(database.table(table), |query, column| {
        query.where_eq(column, values.get(column).cloned().unwrap_or_default())
    })
}

fn written(values: &Record) -> String {
    let pairs =
        values.columns().filter_map(|column| Some(format!("{column} = {}", plain(values.get(column)?))));
    pairs.collect::<Vec<_>>().join(", ")
}

fn text(row: &Row) -> String {
    let value = |column: &str| match row.value(column) {
        Ok(value) => format!("{column} = {}", plain(&value)),
        Err(_) => format!("{column} = ?"),
    };
    row.columns().into_iter().map(value).collect::<Vec<_>>().join(", ")
}

/// A value as a person would write it.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "NULL".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Real(value) => value.to_string(),
        Value::Text(value) => format!("{value:?}"),
        Value::Bytes(value) => format!("{} bytes", value.len()),
        Value::Time(value) => value.to_string(),
        Value::Date(value) => value.to_string(),
        Value::Decimal(value) => value.to_string(),
        Value::Uuid(value) => value.to_string(),
        Value::Json(value) => value.to_string(),
    }
}
