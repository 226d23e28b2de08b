use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use time::OffsetDateTime;

use super::range::Range;

/// An answer has some hundred kilobytes at most; this many are kept.
const MOST: usize = 64;

/// Answers of the service, for a few minutes.
pub(super) struct Cache {
    life: Duration,
    ranges: Mutex<HashMap<String, Kept>>,
}

struct Kept {
    until: OffsetDateTime,
    range: Arc<Range>,
}

impl Cache {
    pub(super) fn new(life: Duration) -> Self {
        Self { life, ranges: Mutex::default() }
    }

    pub(super) fn find(&self, prefix: &str, now: OffsetDateTime) -> Option<Arc<Range>> {
        let ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        ranges.get(prefix).filter(|kept| kept.until > now).map(|kept| Arc::clone(&kept.range))
    }

    pub(super) fn keep(&self, prefix: &str, range: &Arc<Range>, now: OffsetDateTime) {
        let mut ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        if ranges.len() >= MOST {
            ranges.retain(|_, kept| kept.until > now);
        }
        if ranges.len() >= MOST {
            let oldest = ranges.iter().min_by_key(|(_, kept)| kept.until).map(|(prefix, _)| prefix.clone());
            oldest.map(|oldest| ranges.remove(&oldest));
        }
        let kept = Kept { until: now + self.life, range: Arc::clone(range) };
        ranges.insert(prefix.to_owned(), kept);
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn answers_are_kept_for_a_while_and_never_too_many() {
        let now = datetime!(2026-01-01 00:00 UTC);
        let cache = Cache::new(Duration::from_secs(600));
        let range = Arc::new(Range::parse(&format!("{}:1", "0".repeat(35))).unwrap());
        cache.keep("00000", &range, now);
        assert!(cache.find("00000", now + Duration::from_secs(599)).is_some());
        assert!(cache.find("00000", now + Duration::from_secs(600)).is_none());
        for number in 0..200 {
            cache.keep(&format!("{number:05}"), &range, now + Duration::from_secs(number));
        }
        assert_eq!(cache.ranges.lock().unwrap().len(), MOST);
        assert!(cache.find("00199", now + Duration::from_secs(200)).is_some(), "the newest are kept");
    }
}
