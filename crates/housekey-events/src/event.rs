use serde::Serialize;
use serde::de::DeserializeOwned;

/// Something that happened, in the past tense: `OrderPaid`, `BookReturned`.
///
/// ```
/// use housekey_events::Event;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Serialize, Deserialize)]
/// struct BookReturned {
///     loan: i64,
/// }
///
/// impl Event for BookReturned {
///     const NAME: &'static str = "book-returned";
/// }
/// ```
///
/// The fields should name things (`loan: i64`) rather than hold them: a queued or durable listener sees them later, when
/// the thing itself may have changed.
pub trait Event: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// What it is called in the outbox and the queue. It outlives the type's name: keep it when the type is renamed.
    const NAME: &'static str;

    /// Whether it must reach its listeners even if the process is killed. It then waits in the table `event_outbox`.
    const DURABLE: bool = false;
}
