use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::{SessionId, SessionRecord, SessionStore, StoreFuture};

/// Keeps sessions in the memory of one process: for tests, and for apps whose sessions may die with them.
#[derive(Debug, Default)]
pub struct MemorySessions {
    records: Mutex<HashMap<SessionId, SessionRecord>>,
}

impl MemorySessions {
    pub fn new() -> Self {
        Self::default()
    }

    /// How many records there are, ended and expired ones included.
    pub fn len(&self) -> usize {
        self.records().len()
    }

    /// Whether nothing was ever written, or all of it has been swept away.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn records(&self) -> MutexGuard<'_, HashMap<SessionId, SessionRecord>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionStore for MemorySessions {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Option<SessionRecord>> {
        Box::pin(async move { Ok(self.records().get(id).cloned()) })
    }

    fn swap<'a>(
        &'a self,
        id: &'a SessionId,
        expected: Option<u64>,
        record: SessionRecord,
    ) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let mut records = self.records();
            let is_expected = records.get(id).map(|record| record.version) == expected;
            if is_expected {
                records.insert(*id, record);
            }
            Ok(is_expected)
        })
    }

    fn remove<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.records().remove(id);
            Ok(())
        })
    }

    fn collect_garbage(&self, now: u64) -> StoreFuture<'_, u64> {
        Box::pin(async move {
            let mut records = self.records();
            let before = records.len();
            records.retain(|_, record| record.expires_at > now);
            Ok((before - records.len()) as u64)
        })
    }
}
