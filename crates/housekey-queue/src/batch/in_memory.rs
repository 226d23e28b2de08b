use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{BatchId, BatchStatus};

/// How many are remembered; the oldest go first.
const MOST: usize = 100;

/// How far batches are, for drivers that keep nothing: this process alone knows of them. Clones are the same batches.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchesInMemory(Arc<Mutex<BTreeMap<BatchId, BatchStatus>>>);

impl BatchesInMemory {
    pub(crate) fn add(&self, status: BatchStatus) {
        let mut batches = self.lock();
        batches.insert(status.id.clone(), status);
        while batches.len() > MOST {
            batches.pop_first();
        }
    }

    pub(crate) fn find(&self, id: &BatchId) -> Option<BatchStatus> {
        self.lock().get(id).cloned()
    }

    pub(crate) fn newest(&self, limit: u64) -> Vec<BatchStatus> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        self.lock().values().rev().take(limit).cloned().collect()
    }

    pub(crate) fn change(&self, id: &BatchId, change: impl FnOnce(&mut BatchStatus)) {
        if let Some(status) = self.lock().get_mut(id) {
            change(status);
        }
    }

    /// Cancels one that has not ended, and says whether it did.
    pub(crate) fn cancel(&self, id: &BatchId) -> bool {
        match self.lock().get_mut(id) {
            Some(status) if !status.is_finished() && !status.is_cancelled => {
                status.is_cancelled = true;
                true
            }
            _ => false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<BatchId, BatchStatus>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
