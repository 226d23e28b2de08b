use std::time::Duration;

use housekey_core::random;

/// Twice as long every time, beginning with `first` and never more than an hour.
///
/// ```
/// use std::time::Duration;
/// use housekey_queue::exponential;
///
/// let waits = [1, 2, 3, 20].map(|attempt| exponential(Duration::from_secs(5), attempt).as_secs());
/// assert_eq!(waits, [5, 10, 20, 3600]);
/// ```
pub fn exponential(first: Duration, attempt: u32) -> Duration {
    let factor = 2_u32.saturating_pow(attempt.saturating_sub(1));
    first.saturating_mul(factor).min(Duration::from_secs(3600))
}

/// By chance somewhere between half of a wait and all of it: many jobs that failed together, because a service was away, do
/// not come back together.
///
/// ```
/// use std::time::Duration;
/// use housekey_queue::{exponential, jitter};
///
/// let wait = jitter(exponential(Duration::from_secs(5), 2));
/// assert!(wait >= Duration::from_secs(5) && wait <= Duration::from_secs(10));
/// ```
pub fn jitter(wait: Duration) -> Duration {
    let half = wait / 2;
    let chance = f64::from(u32::from_be_bytes(random::bytes())) / f64::from(u32::MAX);
    half.saturating_add((wait - half).mul_f64(chance)).min(wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn what_failed_together_does_not_come_back_together() {
        let wait = Duration::from_secs(3600);
        let waits: Vec<Duration> = (0..200).map(|_| jitter(wait)).collect();
        assert!(waits.iter().all(|chosen| *chosen >= wait / 2 && *chosen <= wait));
        assert!(waits.iter().collect::<HashSet<_>>().len() > 190);
        let early = waits.iter().filter(|chosen| **chosen < wait * 3 / 4).count();
        assert!((40..160).contains(&early), "{early} of 200 in the first half");
        assert_eq!(jitter(Duration::ZERO), Duration::ZERO);
        assert!(jitter(Duration::MAX) <= Duration::MAX);
    }
}
