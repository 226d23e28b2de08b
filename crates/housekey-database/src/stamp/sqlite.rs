use std::sync::{Arc, PoisonError};

use super::Stamp;
use super::wal_index::WalIndex;
use crate::{Database, Driver};

/// The wal-index that the connections of a tenure share.
#[derive(Default)]
pub(super) struct Seen {
    tenure: u64,
    index: Option<Arc<WalIndex>>,
}

impl Database {
    /// SQLite keeps the header of its wal-index in a file beside the database, and every commit changes it.
    ///
    /// The header alone is not enough. While no connection is open, the wal-index can be emptied, replaced, or passed
    /// over by a process that has the database to itself, and one with the same header can come back. An open
    /// connection rules all of this out. So a stamp names the newest connection too, and is made only while one is
    /// open: between two equal stamps, one was.
    pub(super) fn present(&self) -> Option<Stamp> {
        let (config, stamps) = (&self.inner.config, &self.inner.stamps);
        // A file that is only read may stand where its wal-index cannot be kept up.
        if config.driver != Driver::Sqlite || config.is_memory() || config.read_only {
            return None;
        }
        let tenure = stamps.tenure.number();
        let header = self.index(tenure)?.header()?;
        // Asked after the header was read, so that a connection was open when it was.
        stamps.tenure.lasts(tenure).then_some(Stamp { tenure, header })
    }

    /// Each tenure looks anew: its connection may have opened another file, through a link that was changed.
    fn index(&self, tenure: u64) -> Option<Arc<WalIndex>> {
        let seen = &self.inner.stamps.seen;
        {
            let seen = seen.read().unwrap_or_else(PoisonError::into_inner);
            if let (Some(index), true) = (&seen.index, seen.tenure == tenure) {
                return Some(Arc::clone(index));
            }
        }
        let file = self.inner.paths.locate(&self.inner.config.database);
        let index = WalIndex::of(&file)?;
        let mut seen = seen.write().unwrap_or_else(PoisonError::into_inner);
        *seen = Seen { tenure, index: Some(Arc::clone(&index)) };
        Some(index)
    }
}
