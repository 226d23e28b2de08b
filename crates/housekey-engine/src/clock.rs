use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use time::OffsetDateTime;

/// Where time comes from. A frozen clock stands still until a test moves it.
///
/// The engine's time has milliseconds and nothing finer, because that is what the wire and the tables hold: a value
/// read back equals the value written.
///
/// ```
/// use std::time::Duration;
/// use housekey_engine::Clock;
///
/// let clock = Clock::frozen();
/// let before = clock.now();
/// clock.advance(Duration::from_secs(60));
/// assert_eq!(clock.now() - before, Duration::from_secs(60));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clock {
    frozen: Option<Arc<Mutex<OffsetDateTime>>>,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that stands still at the present moment. Clones share the hand.
    pub fn frozen() -> Self {
        Self::frozen_at(OffsetDateTime::now_utc())
    }

    /// A clock that stands still at a given moment.
    pub fn frozen_at(moment: OffsetDateTime) -> Self {
        Self { frozen: Some(Arc::new(Mutex::new(whole_milliseconds(moment)))) }
    }

    /// The time, in UTC.
    pub fn now(&self) -> OffsetDateTime {
        match &self.frozen {
            None => whole_milliseconds(OffsetDateTime::now_utc()),
            Some(hand) => *hand.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Milliseconds since 1970.
    pub fn millis(&self) -> i64 {
        millis(self.now())
    }

    /// Seconds since 1970.
    pub fn seconds(&self) -> i64 {
        self.now().unix_timestamp()
    }

    pub(crate) fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// Moves a frozen clock forward; a running one is left alone.
    pub fn advance(&self, by: Duration) {
        if let Some(hand) = &self.frozen {
            *hand.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}

/// Milliseconds since 1970 of a moment.
pub(crate) fn millis(moment: OffsetDateTime) -> i64 {
    i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
}

fn whole_milliseconds(moment: OffsetDateTime) -> OffsetDateTime {
    moment.replace_millisecond(moment.millisecond()).unwrap_or(moment)
}
