//! Names for what a database holds, so that an answer can be used again for as long as it is still the right one.

#[cfg(all(feature = "sqlite", any(target_os = "linux", target_os = "macos")))]
mod sqlite;
#[cfg(all(feature = "sqlite", any(target_os = "linux", target_os = "macos")))]
mod wal_index;

use std::fmt;
#[cfg(feature = "sqlite")]
use std::sync::Arc;
#[cfg(feature = "sqlite")]
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Database;

/// A name for what a database holds at one moment. Made by [`Database::stamp`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The connections that were open; see [`Tenure`].
    tenure: u64,
    /// What SQLite compares to know whether the pages it has read are still good.
    header: [u32; 12],
}

impl Database {
    /// A name for what the database holds now, or `None` where that cannot be known for little.
    ///
    /// Two equal stamps say that nothing was committed between them: not by this handle, not by another one, not by
    /// another process. What was read *after* a stamp was taken can be used again while the next stamps are equal to
    /// it. Two stamps that differ say nothing: a checkpoint or a new connection changes the stamp too.
    ///
    /// It takes less than a microsecond and asks no connection. There is one for SQLite files (in WAL mode, as all are
    /// that are opened to be written) on Linux and macOS, once something has been written since the file was opened
    /// by its first process. Transactions, databases in memory, files opened only to be read, and the other engines
    /// have none.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// # use housekey_database::Database;
    /// # async fn titles(db: Database) -> Result<()> {
    /// let before = db.stamp();
    /// let rows = db.raw("select title from posts", []).await?;
    /// // Later:
    /// let still_good = before.is_some() && db.stamp() == before;
    /// # let _ = (rows, still_good); Ok(()) }
    /// ```
    pub fn stamp(&self) -> Option<Stamp> {
        // What a transaction has written is not committed, and what it reads may be older than the last commit.
        if self.level.is_some() { None } else { self.present() }
    }

    #[cfg(not(all(feature = "sqlite", any(target_os = "linux", target_os = "macos"))))]
    fn present(&self) -> Option<Stamp> {
        None
    }
}

impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stamp").finish_non_exhaustive()
    }
}

/// What a database keeps in order to make stamps.
#[derive(Default)]
pub(crate) struct Stamps {
    #[cfg(feature = "sqlite")]
    pub(crate) tenure: Tenure,
    #[cfg(all(feature = "sqlite", any(target_os = "linux", target_os = "macos")))]
    seen: std::sync::RwLock<sqlite::Seen>,
}

/// The connections of a pool: how many are open, and a number for the newest that no other one in this process has.
///
/// If the number has not changed and a connection is open, then one has been open all the time.
#[cfg(feature = "sqlite")]
#[derive(Clone, Default)]
pub(crate) struct Tenure(Arc<Connections>);

#[cfg(feature = "sqlite")]
#[derive(Default)]
struct Connections {
    newest: AtomicU64,
    open: AtomicU64,
}

/// An open connection; see [`Tenure`].
#[cfg(feature = "sqlite")]
pub(crate) struct Held(Arc<Connections>);

#[cfg(feature = "sqlite")]
impl Tenure {
    /// A connection was opened.
    pub(crate) fn begin(&self) -> Held {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let Connections { newest, open } = &*self.0;
        // In this order: who counts this connection knows its number.
        newest.store(LAST.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Release);
        open.fetch_add(1, Ordering::AcqRel);
        Held(Arc::clone(&self.0))
    }

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    fn number(&self) -> u64 {
        self.0.newest.load(Ordering::Acquire)
    }

    /// Whether a connection is open, and has been since this was the newest one's number.
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    fn lasts(&self, number: u64) -> bool {
        self.0.open.load(Ordering::Acquire) > 0 && self.number() == number
    }
}

#[cfg(feature = "sqlite")]
impl Drop for Held {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::AcqRel);
    }
}
