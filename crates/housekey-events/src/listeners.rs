use std::any::TypeId;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use housekey_core::{Error, Result, ServicesBuilder};
use housekey_queue::JobRegistry;

use crate::{Event, Listener, queued};

/// Everybody who listens. It is filled while the application boots, by [`AppEvents::listeners`](crate::AppEvents::listeners)
/// and by providers; clones are the same list.
///
/// ```
/// use housekey_core::Result;
/// use housekey_events::{Event, Listeners, listener};
/// use housekey_http::{Provider, Registrar};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Serialize, Deserialize)] struct OrderPaid { order: i64 }
/// # impl Event for OrderPaid { const NAME: &'static str = "order-paid"; }
/// # async fn count_sale(_: OrderPaid) -> Result<()> { Ok(()) }
///
/// struct Statistics;
///
/// impl Provider for Statistics {
///     fn name(&self) -> &'static str {
///         "statistics"
///     }
///
///     fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
///         Listeners::add(app.services(), listener(count_sale))
///     }
/// }
/// ```
#[derive(Clone, Default)]
pub struct Listeners(Arc<RwLock<Vec<Listener>>>);

impl Listeners {
    /// Adds a listener while the application boots. The order of providers does not matter.
    pub fn add(services: &mut ServicesBuilder, listener: Listener) -> Result<()> {
        let listeners = Self::of(services);
        listeners.check(&listener)?;
        if listener.queue.is_some() {
            JobRegistry::of(services).add(queued::job(&listener))?;
        }
        listeners.0.write().unwrap_or_else(PoisonError::into_inner).push(listener);
        Ok(())
    }

    /// The list that these services share.
    pub(crate) fn of(services: &mut ServicesBuilder) -> Self {
        services.shared()
    }

    /// Those who listen to an event, in the order in which they were added.
    pub(crate) fn to<E: Event>(&self) -> Result<Vec<Listener>> {
        let found = self.filter(|listener| listener.event == E::NAME);
        match found.iter().find(|listener| listener.event_type != TypeId::of::<E>()) {
            Some(other) => Err(two_types(E::NAME, other.event_type_name, std::any::type_name::<E>())),
            None => Ok(found),
        }
    }

    pub(crate) fn find(&self, event: &str, name: &str) -> Option<Listener> {
        self.filter(|listener| listener.event == event && listener.name == name).pop()
    }

    pub(crate) fn has_durable(&self) -> bool {
        !self.filter(|listener| listener.is_durable).is_empty()
    }

    fn filter(&self, is_meant: impl Fn(&Listener) -> bool) -> Vec<Listener> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|listener| is_meant(listener)).cloned().collect()
    }

    fn check(&self, new: &Listener) -> Result<()> {
        let (event, name) = (new.event, &new.name);
        if name.is_empty() || name.contains('{') {
            return Err(Error::internal(format!(
                "a listener to `{event}` is a closure, which has no name: give it one with `.named(\"…\")`"
            )));
        }
        if self.find(event, name).is_some() {
            return Err(Error::internal(format!(
                "two listeners to `{event}` are called `{name}`: give one of them another name with `.named(\"…\")`"
            )));
        }
        if let Some(other) = self.filter(|listener| listener.event == event).pop()
            && other.event_type != new.event_type
        {
            return Err(two_types(event, other.event_type_name, new.event_type_name));
        }
        if new.once && !new.is_durable {
            return Err(Error::internal(format!(
                "`{name}` wants `{event}` once, but that event is not durable: set `const DURABLE: bool = true`"
            )));
        }
        if new.once && new.queue.is_some() {
            return Err(Error::internal(format!(
                "`{name}` is queued and once: a job can run twice. Leave `.queued()` out; a relay calls it in the background"
            )));
        }
        Ok(())
    }
}

fn two_types(event: &str, one: &str, other: &str) -> Error {
    Error::internal(format!("two events are named `{event}`: {one} and {other}; rename one of them"))
}

impl fmt::Debug for Listeners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.filter(|_| true)).finish()
    }
}
