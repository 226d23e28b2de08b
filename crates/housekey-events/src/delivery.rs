use std::sync::Arc;

use housekey_core::Scope;

/// What a listener to a durable or queued event can know about the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The name of this one event, the same for all its listeners.
    pub event_id: String,
    /// Of what kind it is.
    pub event: String,
    /// Who is told.
    pub listener: String,
    /// Which attempt this is, counted from 1.
    pub attempt: u32,
}

impl Delivery {
    /// An idempotency key: the same however often this listener is told of this event, and no other's. Payment services and
    /// the like take one, to do a thing once.
    pub fn key(&self) -> String {
        format!("{}-{}", self.event_id, self.listener)
    }
}

/// The call that is running here; nothing outside a listener, and nothing for a plain event that is told at once.
///
/// ```
/// use housekey_events::delivery;
///
/// let key = delivery().map(|delivery| delivery.key());
/// # assert!(key.is_none());
/// ```
pub fn delivery() -> Option<Arc<Delivery>> {
    Scope::read(|scope| scope.get::<Delivery>()).flatten()
}
