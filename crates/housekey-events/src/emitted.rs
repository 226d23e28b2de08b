use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Event;

/// What was emitted, in order.
#[derive(Clone, Default)]
pub(crate) struct EmittedEvents(Arc<Mutex<Vec<Emitted>>>);

/// An event and its name.
type Emitted = (&'static str, Arc<dyn Any + Send + Sync>);

impl EmittedEvents {
    pub(crate) fn add<E: Event>(&self, event: E) {
        self.lock().push((E::NAME, Arc::new(event)));
    }

    /// Those of a kind, in order.
    pub(crate) fn of<E: Event>(&self) -> Vec<E> {
        self.lock().iter().filter_map(|(_, event)| event.downcast_ref::<E>().cloned()).collect()
    }

    /// What they are called, in order.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.lock().iter().map(|(name, _)| *name).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Emitted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
