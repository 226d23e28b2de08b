use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::store::Hit;
use crate::Clock;

/// The most counts that are kept.
const MOST: usize = 100_000;

/// Counts in this process.
pub(super) struct MemoryCounters {
    clock: Clock,
    windows: Mutex<HashMap<String, Window>>,
}

struct Window {
    /// Milliseconds since 1970.
    ends: i64,
    count: u32,
}

impl MemoryCounters {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, windows: Mutex::default() }
    }

    pub(super) fn hit(&self, key: &str, window: Duration) -> Hit {
        let now = self.clock.unix_millis();
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= MOST && !windows.contains_key(key) {
            make_room(&mut windows, now);
        }
        let length = i64::try_from(window.as_millis()).unwrap_or(i64::MAX);
        let entry = windows.entry(key.to_owned()).or_insert(Window { ends: 0, count: 0 });
        if entry.ends <= now {
            *entry = Window { ends: now.saturating_add(length), count: 0 };
        }
        entry.count = entry.count.saturating_add(1);
        Hit { count: entry.count, resets_in: Duration::from_millis((entry.ends - now).unsigned_abs()) }
    }

    pub(super) fn forget(&self, key: &str) {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}

fn make_room(windows: &mut HashMap<String, Window>, now: i64) {
    windows.retain(|_, window| window.ends > now);
    if windows.len() >= MOST {
        // Everyone is counting at once: half of them start again, and memory stays bounded.
        let mut keep = false;
        windows.retain(|_, _| {
            keep = !keep;
            keep
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_ends_on_time_however_steady_the_requests() {
        let clock = Clock::frozen_now();
        let counters = MemoryCounters::new(clock.clone());
        let window = Duration::from_secs(2);
        let mut counts = Vec::new();
        for _ in 0..6 {
            counts.push(counters.hit("a", window).count);
            clock.advance(Duration::from_millis(1100));
        }
        assert_eq!(counts, [1, 2, 1, 2, 1, 2]);
        assert_eq!(counters.hit("b", window), Hit { count: 1, resets_in: window });
    }

    #[test]
    fn memory_is_bounded() {
        let counters = MemoryCounters::new(Clock::frozen_now());
        for number in 0..=MOST {
            counters.hit(&number.to_string(), Duration::from_secs(10));
        }
        assert!(counters.windows.lock().unwrap().len() <= MOST);
    }
}
