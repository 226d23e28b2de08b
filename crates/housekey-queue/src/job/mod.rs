use std::fmt;
use std::future::Future;
use std::time::Duration;

use housekey_core::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{JobId, queue};

/// Work to be done later.
///
/// The fields are what the work needs; they are written down as JSON and read by whichever worker does the work, so
/// they should name things (`order: i64`) rather than hold them. A job can run twice: see [what is
/// promised](crate#what-is-promised).
///
/// ```
/// use std::time::Duration;
/// use housekey_core::Result;
/// use housekey_queue::Job;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct ResizePhoto {
///     photo: i64,
/// }
///
/// impl Job for ResizePhoto {
///     const NAME: &'static str = "resize-photo";
///
///     async fn handle(self) -> Result<()> {
///         Ok(())
///     }
///
///     fn queue(&self) -> &str {
///         "photos"
///     }
///
///     fn timeout(&self) -> Duration {
///         Duration::from_secs(300)
///     }
/// }
/// ```
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// What the job is called in the store. It outlives the type's name: keep it when the type is renamed.
    const NAME: &'static str;

    /// Does the work. Services are there ([`service`](housekey_core::service), `db()`, `cache()`, …), a request is not.
    fn handle(self) -> impl Future<Output = Result<()>> + Send;

    /// The queue it waits in; the application's default one if empty.
    fn queue(&self) -> &str {
        ""
    }

    /// How often it is tried again after it failed.
    fn retries(&self) -> u32 {
        3
    }

    /// How long it waits before it is tried again; `attempt` is the one that failed, counted from 1.
    fn backoff(&self, attempt: u32) -> Duration {
        exponential(Duration::from_secs(5), attempt)
    }

    /// How long it may take. It is then dropped where it waits, so work that never waits cannot be stopped.
    fn timeout(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// Hands it to the application's queue.
    fn dispatch(self) -> impl Future<Output = Result<JobId>> + Send {
        async { queue()?.dispatch(self).await }
    }

    /// Hands it to the application's queue, not to be started before `delay` has passed.
    fn dispatch_after(self, delay: Duration) -> impl Future<Output = Result<JobId>> + Send {
        async move { queue()?.dispatch_after(self, delay).await }
    }
}

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

/// Marks an error as final: the job goes to the failed ones at once, for trying again cannot help.
///
/// ```
/// use housekey_core::{Error, Result};
/// use housekey_queue::give_up;
///
/// fn charge(card: &str) -> Result<()> {
///     if card.is_empty() {
///         return Err(give_up(Error::internal("the customer has no card")));
///     }
///     Ok(())
/// }
/// # assert!(charge("").unwrap_err().to_string().contains("no card"));
/// ```
pub fn give_up(error: Error) -> Error {
    Error::from(GivenUp(error))
}

#[derive(Debug)]
pub(crate) struct GivenUp(Error);

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for GivenUp {}
