use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use housekey_core::Clock;

use crate::JobId;
use crate::driver::UniqueLock;

/// Who holds which lock, and until when, for drivers that keep nothing: this process alone knows of them. Clones are the
/// same locks.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocksInMemory(Arc<Mutex<HashMap<String, (JobId, i64)>>>);

impl LocksInMemory {
    /// Takes a lock for a job, or says who holds it.
    pub(crate) fn take(&self, lock: Option<&UniqueLock>, id: &JobId, clock: &Clock) -> Result<(), JobId> {
        let Some(lock) = lock else { return Ok(()) };
        let now = clock.unix_millis();
        let mut locks = self.lock();
        if let Some((holder, until)) = locks.get(&lock.key)
            && *until > now
        {
            return Err(holder.clone());
        }
        let lasts = i64::try_from(lock.lasts.as_millis()).unwrap_or(i64::MAX);
        locks.insert(lock.key.clone(), (id.clone(), now.saturating_add(lasts)));
        Ok(())
    }

    /// Gives it back, if it is still this job's.
    pub(crate) fn give_back(&self, lock: Option<&UniqueLock>, id: &JobId) {
        let Some(lock) = lock else { return };
        let mut locks = self.lock();
        if locks.get(&lock.key).is_some_and(|(holder, _)| holder == id) {
            locks.remove(&lock.key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, (JobId, i64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
