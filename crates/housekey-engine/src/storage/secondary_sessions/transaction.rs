use std::sync::Arc;

use tokio::sync::Mutex;

use super::sessions::{SecondarySessions, equal};
use super::split::{SplitBackend, SplitRecords};
use crate::storage::{Filter, Records, Storage, StorageError, StorageResult, Transaction};
use crate::{BoxFuture, Record};

/// Writes rows at once and remembers what is to happen to sessions.
pub(super) struct PendingWrites {
    rows: Box<dyn Transaction>,
    database: Arc<dyn Storage>,
    sessions: Arc<SecondarySessions>,
    ends: Mutex<Vec<(Filter, Vec<Record>)>>,
    puts: Mutex<Vec<Record>>,
}

impl PendingWrites {
    pub(super) fn new(
        rows: Box<dyn Transaction>,
        database: Arc<dyn Storage>,
        sessions: Arc<SecondarySessions>,
    ) -> Self {
        Self { rows, database, sessions, ends: Mutex::default(), puts: Mutex::default() }
    }
}

impl SplitBackend for PendingWrites {
    fn rows(&self) -> &dyn Records {
        self.rows.as_ref()
    }

    fn sessions(&self) -> &SecondarySessions {
        &self.sessions
    }

    fn begin_session<'a>(&'a self, session: &'a Record) -> BoxFuture<'a, StorageResult<()>> {
        Box::pin(async move {
            self.puts.lock().await.push(session.clone());
            Ok(())
        })
    }

    fn change_sessions(&self, sessions: Vec<Record>) -> BoxFuture<'_, StorageResult<u64>> {
        Box::pin(async move {
            let count = sessions.len() as u64;
            self.puts.lock().await.extend(sessions);
            Ok(count)
        })
    }

    fn end_sessions<'a>(
        &'a self,
        filter: &'a Filter,
        sessions: Vec<Record>,
    ) -> BoxFuture<'a, StorageResult<u64>> {
        Box::pin(async move {
            let count = sessions.len() as u64;
            self.ends.lock().await.push((filter.clone(), sessions));
            Ok(count)
        })
    }
}

impl Transaction for SplitRecords<PendingWrites> {
    fn commit(self: Box<Self>) -> BoxFuture<'static, StorageResult<()>> {
        Box::pin(async move {
            let PendingWrites { rows, database, sessions, ends, puts } = self.0;
            for (filter, found) in &ends.into_inner() {
                let ended = sessions.end_all(filter, found).await?;
                // Whoever ends one session by its token goes on only if it was theirs to end.
                if equal(filter, "token").is_some() && ended < found.len() as u64 {
                    return Err(StorageError::conflict("the session was ended at the same time"));
                }
            }
            rows.commit().await?;
            for session in &puts.into_inner() {
                sessions.put(database.as_ref(), session).await?;
            }
            Ok(())
        })
    }
}
