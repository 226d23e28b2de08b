use std::time::{Duration, Instant};

/// Asks again and again. The limit is for what will never happen, not for what is slow.
#[track_caller]
pub(crate) fn until(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < Duration::from_mins(2), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
