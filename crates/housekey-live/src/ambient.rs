use std::sync::Arc;

use housekey_core::{Error, Result, service};
use housekey_database::Database;
use serde::Serialize;

use crate::Live;

/// Says something to everybody who listens to a channel, at this process and every other. Inside a transaction it is said when that is
/// committed, and never if it is rolled back.
///
/// ```
/// # use housekey_core::Result;
/// use housekey_live::broadcast;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Lent<'a> {
///     to: &'a str,
/// }
///
/// async fn lend(book: i64, to: &str) -> Result<()> {
///     broadcast(&format!("books.{book}"), &Lent { to }).await
/// }
/// # drop(lend(1, "Ada"));
/// ```
///
/// An error means that nobody heard it: nothing carries it to the others, it is too long, or no channel has this name. After a commit
/// there is nobody to tell of the first; it is logged.
pub async fn broadcast<T: Serialize + ?Sized>(channel: &str, payload: &T) -> Result<()> {
    live()?.broadcast(channel, payload).await
}

/// The same for a transaction that is held as a value (`db()?.begin()`), or that is on another connection than the default one.
pub async fn broadcast_in<T: Serialize + ?Sized>(
    transaction: &Database,
    channel: &str,
    payload: &T,
) -> Result<()> {
    live()?.broadcast_in(transaction, channel, payload).await
}

/// The application's live updates, from anywhere below a handler, a command or a job.
pub fn live() -> Result<Live> {
    let live = service::<Live>().map(Arc::unwrap_or_clone);
    live.ok_or_else(|| {
        Error::internal(
            "nobody can be told live here: it works inside an application that has the live provider",
        )
    })
}
