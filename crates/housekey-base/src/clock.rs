use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use time::OffsetDateTime;

/// Where time comes from. Code that reads the time takes a clock, so that a test can stop it.
///
/// Its time has milliseconds and nothing finer, because that is what cookies, tokens and tables hold: a value read back
/// equals the value written.
///
/// ```
/// use std::time::Duration;
/// use housekey_base::Clock;
///
/// let clock = Clock::frozen_now();
/// let before = clock.now();
/// clock.advance(Duration::from_secs(60));
/// assert_eq!(clock.now() - before, Duration::from_secs(60));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clock {
    frozen: Option<Arc<Mutex<OffsetDateTime>>>,
}

impl Clock {
    pub fn system() -> Self {
        Self { frozen: None }
    }

    /// A clock that stands still until it is told to move. Clones share the hand.
    pub fn frozen(at: OffsetDateTime) -> Self {
        Self { frozen: Some(Arc::new(Mutex::new(at))) }
    }

    /// A clock that stands still at the present moment.
    pub fn frozen_now() -> Self {
        Self::frozen(OffsetDateTime::now_utc())
    }

    /// The time, in UTC.
    pub fn now(&self) -> OffsetDateTime {
        let now = match &self.frozen {
            None => OffsetDateTime::now_utc(),
            Some(hand) => *hand.lock().unwrap_or_else(PoisonError::into_inner),
        };
        now.truncate_to_millisecond()
    }

    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// Whole seconds since 1970, never negative.
    pub fn unix(&self) -> u64 {
        self.now().unix_timestamp().max(0).unsigned_abs()
    }

    pub fn unix_millis(&self) -> i64 {
        i64::try_from(self.now().unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
    }

    /// Moves a frozen clock forward; a running one is left alone.
    pub fn advance(&self, by: Duration) {
        if let Some(hand) = &self.frozen {
            let mut hand = hand.lock().unwrap_or_else(PoisonError::into_inner);
            *hand += by;
        }
    }

    /// Sets a frozen clock; a running one is left alone.
    pub fn set(&self, to: OffsetDateTime) {
        if let Some(hand) = &self.frozen {
            *hand.lock().unwrap_or_else(PoisonError::into_inner) = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_has_whole_milliseconds_whoever_set_it() {
        let clock = Clock::frozen(OffsetDateTime::UNIX_EPOCH + Duration::from_nanos(1_999_999));
        assert_eq!(clock.now() - OffsetDateTime::UNIX_EPOCH, Duration::from_millis(1));
        assert_eq!(Clock::system().now().nanosecond() % 1_000_000, 0);
    }
}
