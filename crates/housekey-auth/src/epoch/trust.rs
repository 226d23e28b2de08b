use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long to wait before a cache that was away is asked again.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(1);
/// How long the numbers of a cache that came back are not believed. Every process that could not write a revocation has
/// done so by then: its next attempt is one [`RETRY_AFTER`] away, and one that is under way ends within the timeouts of
/// `config/redis.rs`.
const SETTLING: Duration = Duration::from_secs(10);

/// Whether the numbers in the cache can be believed.
///
/// A cache that comes back may still have the number from before a revocation that another process could not write
/// meanwhile. So coming back is not enough.
pub(super) struct Trust(Mutex<State>);

#[derive(Clone, Copy)]
enum State {
    Good,
    /// The last failure.
    Away(Instant),
    /// The first answer after it.
    Back(Instant),
}

impl Trust {
    pub(super) fn new() -> Self {
        Self(Mutex::new(State::Good))
    }

    /// Whether to ask at all: nobody should wait for a server that has just failed to answer somebody else.
    pub(super) fn may_ask(&self, now: Instant) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(*state, State::Away(since) if now.saturating_duration_since(since) < RETRY_AFTER)
    }

    pub(super) fn failed(&self, now: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State::Away(now);
    }

    /// There is an answer: whether to believe it.
    pub(super) fn answered(&self, now: Instant) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *state = match *state {
            State::Away(_) => State::Back(now),
            State::Back(since) if now.saturating_duration_since(since) >= SETTLING => State::Good,
            state => state,
        };
        matches!(*state, State::Good)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: EPC-2
    #[test]
    fn a_cache_that_was_away_is_believed_only_after_everyone_could_write_what_they_owe() {
        let (trust, start) = (Trust::new(), Instant::now());
        assert!(trust.may_ask(start) && trust.answered(start));
        trust.failed(start);
        assert!(!trust.may_ask(start) && trust.may_ask(start + RETRY_AFTER));
        let back = start + RETRY_AFTER;
        assert!(!trust.answered(back));
        assert!(trust.may_ask(back), "it is asked, and not believed");
        assert!(!trust.answered(back + SETTLING - Duration::from_millis(1)));
        trust.failed(back + SETTLING);
        assert!(!trust.answered(back + SETTLING), "gone again: from the beginning");
        assert!(trust.answered(back + SETTLING * 2));
    }
}
