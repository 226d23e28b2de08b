use std::thread;
use std::time::{Duration, Instant};

/// How long anything is waited for. It ends what hangs, and decides nothing else: a busy machine is slow, not broken.
pub const DEADLINE: Duration = Duration::from_secs(300);

/// How long to rest between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// Looks again and again until it has happened.
///
/// # Panics
///
/// When it has not after [`DEADLINE`].
#[track_caller]
pub fn until(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < DEADLINE, "waited in vain: {what}");
        thread::sleep(PAUSE);
    }
}

/// The same in an async test, where a thread must not rest.
///
/// # Panics
///
/// When it has not happened after [`DEADLINE`].
#[cfg(feature = "tokio")]
pub async fn happens(what: &str, mut happened: impl FnMut() -> bool) {
    in_time(what, async {
        while !happened() {
            tokio::time::sleep(PAUSE).await;
        }
    })
    .await;
}

/// The same for a look that has to wait itself.
///
/// # Panics
///
/// When it has not happened after [`DEADLINE`].
#[cfg(feature = "tokio")]
pub async fn until_async(what: &str, mut happened: impl AsyncFnMut() -> bool) {
    in_time(what, async {
        while !happened().await {
            tokio::time::sleep(PAUSE).await;
        }
    })
    .await;
}

/// Waits for work that ends by itself.
///
/// # Panics
///
/// When it has not after [`DEADLINE`].
#[cfg(feature = "tokio")]
pub async fn in_time<T>(what: &str, work: impl Future<Output = T>) -> T {
    match tokio::time::timeout(DEADLINE, work).await {
        Ok(outcome) => outcome,
        Err(_) => panic!("waited in vain: {what}"),
    }
}
