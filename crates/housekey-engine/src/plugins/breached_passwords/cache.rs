use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use housekey_base::BoundedMap;
use time::OffsetDateTime;

use super::range::Range;

/// An answer has some hundred kilobytes at most; this many are kept.
const MOST: usize = 64;

/// Answers of the service, for a few minutes.
pub(super) struct Cache {
    life: Duration,
    ranges: Mutex<BoundedMap<String, CachedRange>>,
}

struct CachedRange {
    until: OffsetDateTime,
    range: Arc<Range>,
}

impl Cache {
    pub(super) fn new(life: Duration) -> Self {
        Self { life, ranges: Mutex::new(BoundedMap::new(MOST)) }
    }

    pub(super) fn find(&self, prefix: &str, now: OffsetDateTime) -> Option<Arc<Range>> {
        let ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        ranges.get(prefix).filter(|kept| kept.until > now).map(|kept| Arc::clone(&kept.range))
    }

    pub(super) fn keep(&self, prefix: &str, range: &Arc<Range>, now: OffsetDateTime) {
        let mut ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = CachedRange { until: now + self.life, range: Arc::clone(range) };
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
        let kept = (0..200).filter(|number| cache.find(&format!("{number:05}"), now).is_some());
        assert_eq!(kept.count(), MOST);
        assert!(cache.find("00199", now + Duration::from_secs(200)).is_some(), "the newest are kept");
    }
}
