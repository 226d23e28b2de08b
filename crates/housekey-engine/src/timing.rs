//! Answers that do not tell by their time what they keep to themselves.

use std::time::Duration;

use crate::{Clock, Result};

/// The shortest time in which an answer about an address is given, so that it does not tell by its time whether the
/// address is known. A frozen clock has no time to tell.
const SHORTEST_ANSWER: Duration = Duration::from_millis(500);

/// Does some work, and gives what came of it no sooner than after half a second: for an answer about an address, a name or a
/// number that must not tell by its time whether it is known. With a clock that is [frozen](Clock::is_frozen), as tests have it,
/// nobody waits.
///
/// ```
/// use housekey_engine::{Api, Reply, Result, with_minimum_duration};
///
/// async fn ask_for_a_link(api: &mut Api) -> Result<Reply> {
///     let clock = api.clock().clone();
///     let work = async {
///         // Looks the address up, and sends something or does not.
///         Reply::json(&serde_json::json!({ "status": true }))
///     };
///     with_minimum_duration(&clock, work).await
/// }
/// ```
// spec: SEC-5
pub async fn with_minimum_duration<T>(clock: &Clock, work: impl Future<Output = T>) -> T {
    if clock.is_frozen() {
        return work.await;
    }
    tokio::join!(work, tokio::time::sleep(SHORTEST_ANSWER)).0
}

/// The same for refusals alone: who is let in learns nothing by waiting.
pub async fn with_minimum_duration_on_error<T>(
    clock: &Clock,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let floor = tokio::time::sleep(SHORTEST_ANSWER);
    let done = work.await;
    if done.is_err() && !clock.is_frozen() {
        floor.await;
    }
    done
}
