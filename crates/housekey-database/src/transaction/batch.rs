use std::sync::Arc;
#[cfg(feature = "sqlite")]
use std::time::Instant;

use housekey_core::Result;

#[cfg(feature = "sqlite")]
use crate::engine::{Pool, StepsRun, sqlite::SqlitePool};
use crate::engine::{Statement, Step};
use crate::{Database, Value};

/// Statements that are known beforehand and happen together or not at all: made by [`Database::batch`].
///
/// It is a transaction without anything in between, and cheaper for it: SQLite gets all of it at once. Where what comes next
/// depends on what came before, [`Database::transaction`] is the right thing.
#[must_use = "nothing is written before the commit"]
#[derive(Debug)]
pub struct Batch {
    db: Database,
    steps: Vec<Step>,
}

impl Database {
    /// Begins to collect statements that happen together or not at all.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// # use housekey_database::{Database, record};
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
    /// # let db = Database::memory();
    /// # db.execute_raw("create table seats (number integer, taken integer)", []).await?;
    /// # db.execute_raw("create table tickets (seat integer)", []).await?;
    /// # db.table("seats").insert(record! { "number" => 7, "taken" => false }).await?;
    /// let buy = || db.batch()
    ///     .execute_raw("update seats set taken = 1 where number = ? and taken = 0", [7.into()])
    ///     .expecting(1)
    ///     .execute_raw("insert into tickets (seat) values (?)", [7.into()]);
    ///
    /// assert!(buy().commit().await?);
    /// assert!(!buy().commit().await?); // Somebody was faster: no second ticket.
    /// assert_eq!(db.table("tickets").count().await?, 1);
    /// # Ok(()) }
    /// ```
    pub fn batch(&self) -> Batch {
        Batch { db: self.clone(), steps: Vec::new() }
    }
}

impl Batch {
    /// Adds SQL of your own that changes something, as [`Database::execute_raw`] takes it.
    pub fn execute_raw(self, sql: impl Into<Arc<str>>, values: impl IntoIterator<Item = Value>) -> Self {
        self.with(Statement::new(sql, values.into_iter().collect()))
    }

    /// Adds a statement made with [`sql`](crate::sql) (sea-query).
    pub fn run(self, statement: &impl sea_query::QueryStatementWriter) -> Self {
        let statement = self.db.build(statement);
        self.with(statement)
    }

    /// Says how many rows the statement added last must meet. If it meets more or fewer, nothing is kept.
    pub fn expecting(mut self, rows: u64) -> Self {
        if let Some(step) = self.steps.last_mut() {
            step.expected = Some(rows);
        }
        self
    }

    /// Does all of it. `false` when a statement did not meet the rows that it must: then nothing is kept, as after an error.
    ///
    /// Whoever stops waiting may find all of it done or none of it, and never a part.
    pub async fn commit(self) -> Result<bool> {
        #[cfg(feature = "sqlite")]
        if !self.db.in_transaction()
            && let Pool::Sqlite(pool) = self.db.pool()?
        {
            return in_one_go(&self.db, pool, self.steps).await;
        }
        // Boxed: what goes the short way would carry the room for the long one.
        Box::pin(one_by_one(&self.db, self.steps)).await
    }

    fn with(mut self, statement: Statement) -> Self {
        self.steps.push(Step { statement, expected: None });
        self
    }
}

/// SQLite works in a thread of its own, and every way there and back costs more than most statements.
#[cfg(feature = "sqlite")]
async fn in_one_go(db: &Database, pool: &SqlitePool, steps: Vec<Step>) -> Result<bool> {
    let started = Instant::now();
    let _turn = db.turn().await?;
    let mut connection = db.log_and_explain("BEGIN", started, pool.acquire().await).await?;
    let texts: Vec<Arc<str>> = steps.iter().map(|step| step.statement.sql.clone()).collect();
    let StepsRun { begun, outcome } = connection.all_or_none(steps).await;
    for sql in &texts[..begun] {
        db.inner.query_logs.write(sql);
    }
    let sql = match (&outcome, texts[..begun].last()) {
        (Ok(_), _) => texts.join("; "),
        (Err(_), Some(failed)) => failed.to_string(),
        (Err(_), None) => "BEGIN".to_owned(),
    };
    db.log_and_explain(&sql, started, outcome).await
}

async fn one_by_one(db: &Database, steps: Vec<Step>) -> Result<bool> {
    let transaction = db.begin().await?;
    for Step { statement, expected } in steps {
        let outcome = transaction.execute(statement).await?;
        if !outcome.meets(expected) {
            transaction.rollback().await;
            return Ok(false);
        }
    }
    transaction.commit().await.map(|()| true)
}
