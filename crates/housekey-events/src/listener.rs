use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use housekey_core::{Error, Result};

use crate::Event;

/// Who wants to know of an event: made by [`listener`], made known by [`AppEvents::listeners`](crate::AppEvents::listeners).
#[derive(Clone)]
pub struct Listener {
    pub(crate) event: &'static str,
    pub(crate) event_type: TypeId,
    pub(crate) event_type_name: &'static str,
    pub(crate) is_durable: bool,
    pub(crate) name: String,
    /// The queue that its work waits in; empty for the default one.
    pub(crate) queue: Option<String>,
    pub(crate) once: bool,
    pub(crate) retries: u32,
    call: Arc<Call>,
    read: Arc<Read>,
}

pub(crate) type Work = Pin<Box<dyn Future<Output = Result<()>> + Send>>;
type Call = dyn Fn(&(dyn Any + Send + Sync)) -> Work + Send + Sync;
type Read = dyn Fn(&[u8]) -> serde_json::Result<Work> + Send + Sync;

/// A listener for the events that the function takes. It is called as the function is, unless it is
/// [`named`](Listener::named) otherwise; a closure has to be.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_events::{Event, Listener, listener};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Serialize, Deserialize)] struct OrderPaid { order: i64 }
/// # impl Event for OrderPaid { const NAME: &'static str = "order-paid"; }
/// async fn send_receipt(event: OrderPaid) -> Result<()> {
///     // …
///     Ok(())
/// }
///
/// fn listeners() -> [Listener; 2] {
///     [
///         listener(send_receipt).queued(),
///         listener(async |event: OrderPaid| Ok(println!("order {}", event.order))).named("print"),
///     ]
/// }
/// # listeners();
/// ```
pub fn listener<E, F, W>(handle: F) -> Listener
where
    E: Event,
    F: Fn(E) -> W + Send + Sync + 'static,
    W: Future<Output = Result<()>> + Send + 'static,
{
    let handle = Arc::new(handle);
    let called = Arc::clone(&handle);
    Listener {
        event: E::NAME,
        event_type: TypeId::of::<E>(),
        event_type_name: type_name::<E>(),
        is_durable: E::DURABLE,
        name: type_name::<F>().rsplit("::").next().unwrap_or_default().to_owned(),
        queue: None,
        once: false,
        retries: 5,
        call: Arc::new(move |event| match event.downcast_ref::<E>() {
            Some(event) => Box::pin(called(event.clone())),
            None => Box::pin(async { Err(Error::internal("an event of another type has this name")) }),
        }),
        read: Arc::new(move |payload| Ok(Box::pin(handle(serde_json::from_slice::<E>(payload)?)))),
    }
}

impl Listener {
    /// Another name, among those that listen to this event. It outlives the function's name: what waits in the outbox
    /// finds its listener by it.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Does its work in the queue, not where the event is emitted.
    #[must_use]
    pub fn queued(self) -> Self {
        self.queued_on("")
    }

    #[must_use]
    pub fn queued_on(mut self, queue: impl Into<String>) -> Self {
        self.queue = Some(queue.into());
        self
    }

    /// What it does to the database happens exactly once, whatever is killed when: its work and the mark that it was done
    /// are one transaction. Only for [durable](Event::DURABLE) events. The transaction is open while it works, so it should
    /// be quick.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// How often it is told again of a durable event after it failed; five times if nothing is said.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    pub(crate) fn call(&self, event: &(dyn Any + Send + Sync)) -> Work {
        (self.call)(event)
    }

    pub(crate) fn read(&self, payload: &[u8]) -> Result<Work> {
        // The parser quotes what it stumbles over, and that may be anything: only the place is told.
        (self.read)(payload).map_err(|error| {
            let (event, line, column) = (self.event_type_name, error.line(), error.column());
            Error::internal(format!("what was written down is no {event} (line {line}, column {column})"))
        })
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Listener({} of {})", self.name, self.event)
    }
}
