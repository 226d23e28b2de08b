use std::time::Duration;

use crate::{BoxError, BoxFuture};

/// Counts requests in windows.
pub trait RateLimitStore: Send + Sync {
    /// Counts one more request under a key, in one step, and says where the count stands. A window begins with its
    /// first request.
    fn hit<'a>(&'a self, key: &'a str, window: Duration) -> BoxFuture<'a, Result<Hit, BoxError>>;

    /// Forgets a count, because what was counted turned out to be right. A store that does nothing here lets people sign in
    /// only so often in a window, with the right password too.
    fn forget<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(), BoxError>> {
        let _ = key;
        Box::pin(async { Ok(()) })
    }
}

/// Where a count stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Requests in this window, this one included.
    pub count: u32,
    pub resets_in: Duration,
}
