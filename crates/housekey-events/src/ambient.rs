use housekey_core::{Result, service};
use housekey_database::Database;

use crate::{Event, Events};

/// Tells everybody who listens. Inside a transaction that is when it is committed.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_events::{Event, emit};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Serialize, Deserialize)] struct OrderPaid { order: i64 }
/// # impl Event for OrderPaid { const NAME: &'static str = "order-paid"; }
/// async fn paid(order: i64) -> Result<()> {
///     emit(OrderPaid { order }).await
/// }
/// # drop(paid(7));
/// ```
///
/// A listener that fails does not make this fail: it cannot undo what happened. An error means that the event could not be
/// written into the outbox, or its work not into the queue.
pub async fn emit<E: Event>(event: E) -> Result<()> {
    events().emit(event).await
}

/// The same for a transaction that is held as a value (`db()?.begin()`): that one is not found by itself.
pub async fn emit_in<E: Event>(transaction: &Database, event: E) -> Result<()> {
    events().emit_in(transaction, event).await
}

/// The application's events, from anywhere below a handler, a command or a job. Outside of an application nobody listens, and
/// emitting is an error.
pub fn events() -> Events {
    service::<Events>().map_or_else(Events::nowhere, |events| (*events).clone())
}
