use std::fmt;
use std::sync::atomic::{AtomicU16, Ordering};

use data_encoding::BASE32HEX_NOPAD;
use housekey_core::{Clock, random};

/// The name of one job: 26 characters that sort by the moment they were made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(String);

impl JobId {
    /// A new one. Jobs that one process makes in the same millisecond stay in their order.
    pub fn new(clock: &Clock) -> Self {
        static NEXT: AtomicU16 = AtomicU16::new(0);
        let mut bytes = [0; 16];
        bytes[..6].copy_from_slice(&clock.unix_millis().to_be_bytes()[2..]);
        bytes[6..8].copy_from_slice(&NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes());
        bytes[8..].copy_from_slice(&random::bytes::<8>());
        // The "hex" alphabet is the one whose letters sort like the bits they stand for.
        Self(BASE32HEX_NOPAD.encode(&bytes).to_ascii_lowercase())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for JobId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for JobId {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn later_ones_sort_later() {
        let clock = Clock::frozen_now();
        let first = JobId::new(&clock);
        clock.advance(Duration::from_millis(1));
        let second = JobId::new(&clock);
        assert!(first < second);
        assert_eq!(first.as_str().len(), 26);
        assert_ne!(second, JobId::new(&clock));
    }
}
