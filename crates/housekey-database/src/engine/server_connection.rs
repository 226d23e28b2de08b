use std::io;

use sqlx::{Executor, IntoArguments};

use super::server_pool::{Lent, ServerPool};
use super::servers::{self, Engine};
use super::{EngineRow, Outcome, Statement};

/// A connection to a server, given back to its pool when dropped.
///
/// Whoever stops waiting in the middle of a statement can leave a connection behind from which nobody can read on: where
/// an engine says so, it is closed instead of given back, and answers nothing until then.
pub(crate) struct ServerConnection<E: Engine> {
    /// `None` only while it is dropped.
    lent: Option<Lent<E>>,
    /// Stays behind when the one who asked went away.
    is_asked: bool,
    /// Something failed on it, or waits to be taken back.
    is_in_doubt: bool,
    closes: bool,
}

impl<E> ServerConnection<E>
where
    E: Engine<Row: Into<EngineRow>, Arguments: IntoArguments<E>>,
    for<'c> &'c mut E::Connection: Executor<'c, Database = E>,
{
    pub(super) async fn rows(&mut self, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error> {
        self.ask(async |connection| servers::rows(connection, statement).await).await
    }

    pub(super) async fn execute(&mut self, statement: Statement) -> Result<Outcome, sqlx::Error> {
        self.ask(async |connection| servers::execute(connection, statement).await).await
    }

    pub(super) async fn batch(&mut self, sql: &str) -> Result<(), sqlx::Error> {
        self.ask(async |connection| servers::batch(connection, sql).await).await
    }
}

impl<E: Engine> ServerConnection<E> {
    pub(super) async fn of(pool: &ServerPool<E>) -> Result<Self, sqlx::Error> {
        Ok(Self { lent: Some(pool.acquire().await?), is_asked: false, is_in_doubt: false, closes: false })
    }

    pub(super) async fn begin(&mut self) -> Result<(), sqlx::Error> {
        self.ask(async |connection| servers::begin::<E>(connection).await).await
    }

    pub(super) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        self.ask(async |connection| servers::commit::<E>(connection).await).await
    }

    pub(super) async fn roll_back(&mut self) -> Result<(), sqlx::Error> {
        self.ask(async |connection| servers::roll_back::<E>(connection).await).await
    }

    pub(super) fn start_roll_back(&mut self) {
        // The server rolls back what a closed connection leaves.
        if !self.is_cut_off()
            && let Some(lent) = &mut self.lent
        {
            servers::start_roll_back::<E>(&mut lent.connection);
            self.is_in_doubt = true;
        }
    }

    pub(super) fn close_on_drop(&mut self) {
        self.closes = true;
    }

    async fn ask<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut E::Connection) -> Result<T, sqlx::Error>,
    ) -> Result<T, sqlx::Error> {
        let is_cut_off = self.is_cut_off();
        let Some(lent) = self.lent.as_mut().filter(|_| !is_cut_off) else {
            let cut_off = "somebody stopped waiting in the middle of a statement";
            return Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::ConnectionAborted, cut_off)));
        };
        self.is_asked = true;
        let outcome = work(&mut lent.connection).await;
        self.is_asked = false;
        self.is_in_doubt |= outcome.is_err();
        outcome
    }

    /// Whether nobody can read on from it.
    fn is_cut_off(&self) -> bool {
        self.is_asked && !E::SURVIVES_CANCELLATION
    }
}

impl<E: Engine> Drop for ServerConnection<E> {
    fn drop(&mut self) {
        let is_cut_off = self.is_cut_off();
        match self.lent.take() {
            None => {}
            // Without a word: the server would not understand it.
            Some(lent) if is_cut_off => drop(lent),
            Some(lent) if self.closes => lent.close(),
            Some(lent) if self.is_asked || self.is_in_doubt => lent.give_back_if_it_answers(),
            Some(lent) => lent.give_back(),
        }
    }
}
