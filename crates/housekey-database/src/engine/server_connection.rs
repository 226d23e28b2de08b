use std::io;

use sqlx::pool::PoolConnection;
use sqlx::{Executor, IntoArguments};

use super::servers::{self, Engine};
use super::{EngineRow, Outcome, Statement};

/// A connection to a server, given back to its pool when dropped.
///
/// Whoever stops waiting in the middle of a statement can leave a connection behind from which nobody can read on: where
/// an engine says so, it is closed instead of given back, and answers nothing until then.
pub(crate) struct ServerConnection<E: Engine> {
    pooled: PoolConnection<E>,
    /// Stays behind when the one who asked went away.
    is_asked: bool,
}

impl<E> ServerConnection<E>
where
    E: Engine<Row: Into<EngineRow>, Arguments: IntoArguments<E>>,
    for<'c> &'c mut E::Connection: Executor<'c, Database = E>,
{
    pub(super) async fn rows(&mut self, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error> {
        self.ask(async |connection| servers::rows(&mut **connection, statement).await).await
    }

    pub(super) async fn execute(&mut self, statement: Statement) -> Result<Outcome, sqlx::Error> {
        self.ask(async |connection| servers::execute(&mut **connection, statement).await).await
    }

    pub(super) async fn batch(&mut self, sql: &str) -> Result<(), sqlx::Error> {
        self.ask(async |connection| servers::batch(&mut **connection, sql).await).await
    }
}

impl<E: Engine> ServerConnection<E> {
    pub(super) async fn of(pool: &sqlx::Pool<E>) -> Result<Self, sqlx::Error> {
        Ok(Self { pooled: pool.acquire().await?, is_asked: false })
    }

    pub(super) async fn begin(&mut self) -> Result<(), sqlx::Error> {
        self.ask(async |connection| servers::begin(connection).await).await
    }

    pub(super) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        self.ask(async |connection| servers::commit(connection).await).await
    }

    pub(super) async fn roll_back(&mut self) -> Result<(), sqlx::Error> {
        self.ask(async |connection| servers::roll_back(connection).await).await
    }

    pub(super) fn start_roll_back(&mut self) {
        // The server rolls back what a closed connection leaves.
        if !self.is_asked {
            servers::start_roll_back(&mut self.pooled);
        }
    }

    pub(super) fn close_on_drop(&mut self) {
        self.pooled.close_on_drop();
    }

    async fn ask<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut PoolConnection<E>) -> Result<T, sqlx::Error>,
    ) -> Result<T, sqlx::Error> {
        if self.is_asked {
            let cut_off = "somebody stopped waiting in the middle of a statement";
            return Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::ConnectionAborted, cut_off)));
        }
        self.is_asked = !E::SURVIVES_CANCELLATION;
        let outcome = work(&mut self.pooled).await;
        self.is_asked = false;
        outcome
    }
}

impl<E: Engine> Drop for ServerConnection<E> {
    fn drop(&mut self) {
        if self.is_asked {
            self.pooled.close_on_drop();
        }
    }
}
