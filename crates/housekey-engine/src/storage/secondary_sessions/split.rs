use crate::schema::Table;
use crate::storage::{Filter, Find, Records, StorageError, StorageResult};
use crate::{BoxFuture, Record};

use super::sessions::SecondarySessions;

/// The database with all other rows, and what is done with the sessions beside it.
pub(crate) trait SplitBackend: Send + Sync {
    /// Where everything else is.
    fn rows(&self) -> &dyn Records;

    fn sessions(&self) -> &SecondarySessions;

    fn begin_session<'a>(&'a self, session: &'a Record) -> BoxFuture<'a, StorageResult<()>>;

    /// Keeps sessions as they are now, and says how many of them still live.
    fn change_sessions(&self, sessions: Vec<Record>) -> BoxFuture<'_, StorageResult<u64>>;

    /// Ends the sessions that a filter meant, and says how many it did end.
    fn end_sessions<'a>(
        &'a self,
        filter: &'a Filter,
        sessions: Vec<Record>,
    ) -> BoxFuture<'a, StorageResult<u64>>;
}

/// Sends a call about sessions to the secondary storage, and any other to the database.
pub(crate) struct SplitRecords<S>(pub(super) S);

impl<S: SplitBackend> SplitRecords<S> {
    fn is_session_table(&self, table: &Table) -> bool {
        self.0.sessions().is(table)
    }
}

impl<S: SplitBackend> Records for SplitRecords<S> {
    fn find<'a>(&'a self, table: &'a Table, find: &'a Find) -> BoxFuture<'a, StorageResult<Vec<Record>>> {
        if !self.is_session_table(table) {
            return self.0.rows().find(table, find);
        }
        Box::pin(async move { Ok(self.0.sessions().candidates(&find.filter).await?.find(table, find)) })
    }

    fn create<'a>(&'a self, table: &'a Table, record: &'a Record) -> BoxFuture<'a, StorageResult<()>> {
        if !self.is_session_table(table) {
            return self.0.rows().create(table, record);
        }
        self.0.begin_session(record)
    }

    fn update<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
        changes: &'a Record,
    ) -> BoxFuture<'a, StorageResult<u64>> {
        if !self.is_session_table(table) {
            return self.0.rows().update(table, filter, changes);
        }
        Box::pin(async move {
            let mut sessions = self.0.sessions().matching(filter).await?;
            sessions.iter_mut().for_each(|session| session.merge(changes.clone()));
            self.0.change_sessions(sessions).await
        })
    }

    fn increment<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
        field: &'a str,
        by: i64,
    ) -> BoxFuture<'a, StorageResult<Option<i64>>> {
        if !self.is_session_table(table) {
            return self.0.rows().increment(table, filter, field, by);
        }
        let message = "sessions in the secondary storage have nothing to count";
        Box::pin(async move { Err(StorageError::failure(message)) })
    }

    fn adjust<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
        add: &'a [(&'static str, i64)],
        set: &'a Record,
    ) -> BoxFuture<'a, StorageResult<u64>> {
        if !self.is_session_table(table) {
            return self.0.rows().adjust(table, filter, add, set);
        }
        let message = "sessions in the secondary storage have nothing to count";
        Box::pin(async move { Err(StorageError::failure(message)) })
    }

    fn delete<'a>(&'a self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>> {
        if !self.is_session_table(table) {
            return self.0.rows().delete(table, filter);
        }
        Box::pin(async move {
            let sessions = self.0.sessions().matching(filter).await?;
            self.0.end_sessions(filter, sessions).await
        })
    }

    fn count<'a>(&'a self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>> {
        if !self.is_session_table(table) {
            return self.0.rows().count(table, filter);
        }
        Box::pin(async move { Ok(self.0.sessions().matching(filter).await?.len() as u64) })
    }
}
