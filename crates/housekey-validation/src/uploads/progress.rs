use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes of a request's files have been read again, to be kept somewhere. Keeping a large file in a bucket takes
/// longer than a request may, and a request that gets on is not given up.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    pub(super) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
