use std::fmt;
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
pub struct Clock(Source);

#[derive(Clone, Default)]
enum Source {
    #[default]
    Machine,
    Frozen(Arc<Mutex<OffsetDateTime>>),
    Other {
        now: Arc<dyn Fn() -> OffsetDateTime + Send + Sync>,
        frozen: bool,
    },
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
        Self(Source::Frozen(Arc::new(Mutex::new(whole_milliseconds(moment)))))
    }

    /// A clock that goes by another one, that of the framework the engine is part of. Whether the other one is `frozen`
    /// has to be said: nobody waits for a clock that stands still.
    pub fn following(now: impl Fn() -> OffsetDateTime + Send + Sync + 'static, frozen: bool) -> Self {
        Self(Source::Other { now: Arc::new(now), frozen })
    }

    /// The time, in UTC.
    pub fn now(&self) -> OffsetDateTime {
        match &self.0 {
            Source::Machine => whole_milliseconds(OffsetDateTime::now_utc()),
            Source::Frozen(hand) => *hand.lock().unwrap_or_else(PoisonError::into_inner),
            Source::Other { now, .. } => whole_milliseconds(now()),
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
        matches!(self.0, Source::Frozen(_) | Source::Other { frozen: true, .. })
    }

    /// Moves a frozen clock forward; a running one is left alone.
    pub fn advance(&self, by: Duration) {
        if let Source::Frozen(hand) = &self.0 {
            *hand.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Machine => "machine",
            Self::Frozen(_) => "frozen",
            Self::Other { .. } => "following another",
        })
    }
}

/// Milliseconds since 1970 of a moment.
pub(crate) fn millis(moment: OffsetDateTime) -> i64 {
    i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
}

fn whole_milliseconds(moment: OffsetDateTime) -> OffsetDateTime {
    moment.replace_millisecond(moment.millisecond()).unwrap_or(moment)
}
