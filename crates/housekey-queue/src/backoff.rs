use std::time::Duration;

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
