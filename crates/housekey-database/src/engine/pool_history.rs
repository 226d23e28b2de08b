use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(any(feature = "postgres", feature = "mysql"))]
use std::time::Duration;
use std::time::Instant;

/// What a pool should know about the past.
#[derive(Clone, Debug, Default)]
pub(crate) struct PoolHistory {
    /// A connection broke.
    pub(crate) broken: LastTime,
    /// The schema changed.
    pub(crate) changed: LastTime,
}

/// When something last happened.
#[derive(Clone, Debug)]
pub(crate) struct LastTime {
    started: Instant,
    /// Microseconds after `started`, plus one; 0 for never.
    at: Arc<AtomicU64>,
}

impl Default for LastTime {
    fn default() -> Self {
        Self { started: Instant::now(), at: Arc::default() }
    }
}

impl LastTime {
    pub(crate) fn mark(&self) {
        let now = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.at.store(now.saturating_add(1), Ordering::Relaxed);
    }

    #[cfg(any(feature = "postgres", feature = "mysql"))]
    pub(super) fn since(&self) -> Option<Duration> {
        let at = self.at.load(Ordering::Relaxed).checked_sub(1)?;
        Some(self.started.elapsed().saturating_sub(Duration::from_micros(at)))
    }
}
