//! Sessions in the secondary storage, in the reference's form, and everything else in the database.
//!
//! | key | value |
//! |---|---|
//! | the session's token | `{"session":{…},"user":{…}}`, for as long as the session lives |
//! | `active-sessions-<user>` | `[{"token":…,"expiresAt":…}]`, the user's living sessions |
//! | `revoked-sessions-before-<user>` | milliseconds: what was begun before is over, even if the list missed it |
//! | `ended-session-<token>` | a counter: of two who end a session, the first did; a renewal at the same time is undone |
//!
//! The user is always read from the database; the copy beside the session is for a JavaScript deployment that shares
//! the store. In a transaction sessions are ended before the rows are written and begun after: a failure in between
//! can sign someone out, never in.

mod sessions;
mod split;
mod transaction;

use std::sync::Arc;

use super::{Filter, Records, SecondaryStorage, Storage, StorageResult, Transaction};
use crate::schema::Table;
use crate::{BoxFuture, Clock, Record};

use sessions::SecondarySessions;
use split::{SplitBackend, SplitRecords};
use transaction::PendingWrites;

/// A storage whose sessions are in a secondary storage.
pub(crate) type SecondarySessionStorage = SplitRecords<DirectWrites>;

/// Writes rows and sessions as they come.
pub(crate) struct DirectWrites {
    database: Arc<dyn Storage>,
    sessions: Arc<SecondarySessions>,
}

impl SecondarySessionStorage {
    pub(crate) fn new(
        database: Box<dyn Storage>,
        store: Arc<dyn SecondaryStorage>,
        tables: (Table, Table),
        clock: Clock,
        longest: u32,
    ) -> Self {
        let sessions = Arc::new(SecondarySessions::new(store, tables, clock, longest));
        SplitRecords(DirectWrites { database: Arc::from(database), sessions })
    }
}

impl SplitBackend for DirectWrites {
    fn rows(&self) -> &dyn Records {
        self.database.as_ref()
    }

    fn sessions(&self) -> &SecondarySessions {
        &self.sessions
    }

    fn begin_session<'a>(&'a self, session: &'a Record) -> BoxFuture<'a, StorageResult<()>> {
        Box::pin(async move { self.sessions.put(self.database.as_ref(), session).await.map(drop) })
    }

    fn change_sessions(&self, sessions: Vec<Record>) -> BoxFuture<'_, StorageResult<u64>> {
        Box::pin(async move {
            let mut count = 0;
            for session in &sessions {
                count += u64::from(self.sessions.put(self.database.as_ref(), session).await?);
            }
            Ok(count)
        })
    }

    fn end_sessions<'a>(
        &'a self,
        filter: &'a Filter,
        sessions: Vec<Record>,
    ) -> BoxFuture<'a, StorageResult<u64>> {
        Box::pin(async move { self.sessions.end_all(filter, &sessions).await })
    }
}

impl Storage for SecondarySessionStorage {
    fn begin(&self) -> BoxFuture<'_, StorageResult<Box<dyn Transaction>>> {
        let DirectWrites { database, sessions } = &self.0;
        Box::pin(async move {
            let rows = database.begin().await?;
            let transaction =
                SplitRecords(PendingWrites::new(rows, Arc::clone(database), Arc::clone(sessions)));
            Ok(Box::new(transaction) as Box<dyn Transaction>)
        })
    }
}
