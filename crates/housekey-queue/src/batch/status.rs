use std::fmt;

use housekey_core::Clock;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::JobId;

/// The name of one batch, to ask for it later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BatchId(String);

impl BatchId {
    pub(crate) fn new(clock: &Clock) -> Self {
        Self(JobId::new(clock).to_string())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for BatchId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for BatchId {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for BatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How far a batch is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchStatus {
    pub id: BatchId,
    pub name: String,
    pub total: u64,
    /// How many have succeeded.
    pub done: u64,
    /// How many have failed for good. One that is retried later does not belong to the batch any more.
    pub failed: u64,
    /// How many were left out, because the batch was cancelled or the queue cleared.
    pub skipped: u64,
    /// Whether it was cancelled: what has not begun does not begin any more.
    pub is_cancelled: bool,
    pub created_at: OffsetDateTime,
    /// When its last job ended.
    pub finished_at: Option<OffsetDateTime>,
}

impl BatchStatus {
    /// How many have not ended yet.
    pub fn pending(&self) -> u64 {
        self.total.saturating_sub(self.done + self.failed + self.skipped)
    }

    /// How many of a hundred have ended, rounded down: 100 means all.
    pub fn percent(&self) -> u64 {
        ((self.total - self.pending()) * 100).checked_div(self.total).unwrap_or(100)
    }

    /// Whether all have ended.
    pub fn is_finished(&self) -> bool {
        self.finished_at.is_some()
    }
}
