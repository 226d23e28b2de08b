use std::any::{Any, TypeId};
use std::fmt;
use std::future::Future;
use std::sync::{Arc, PoisonError, RwLock};

use crate::Services;

tokio::task_local! {
    static CURRENT: Scope;
}

/// What surrounds a piece of work: the application's services, and values that belong to this work alone, such
/// as the request being answered.
///
/// A scope travels with the task that entered it. A task started with `tokio::spawn` does *not* inherit it, so
/// nothing of one request can show up in another; [`spawn`] carries it on purpose.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use std::sync::Arc;
/// use housekey_core::{Scope, Services};
///
/// let scope = Scope::new(Services::default());
/// scope.set(Arc::new("request 1".to_owned()));
/// scope.enter(async {
///     assert_eq!(*Scope::current().unwrap().get::<String>().unwrap(), "request 1");
/// }).await;
///
/// assert!(Scope::current().is_none());
/// # }
/// ```
#[derive(Clone)]
pub struct Scope(Arc<Inner>);

struct Inner {
    services: Services,
    /// A handful of values at most: a scan beats a hash map here.
    slots: RwLock<Vec<Slot>>,
}

type Slot = (TypeId, Arc<dyn Any + Send + Sync>);

impl Scope {
    /// A scope with no values of its own yet.
    pub fn new(services: Services) -> Self {
        Self(Arc::new(Inner { services, slots: RwLock::default() }))
    }

    /// A scope that starts with one value, the usual case of a request.
    pub fn with<T: Send + Sync + 'static>(services: Services, value: Arc<T>) -> Self {
        let scope = Self::new(services);
        scope.set(value);
        scope
    }

    /// The scope of the running task, or nothing.
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    /// Reads from the scope of the running task without keeping it.
    pub fn read<R>(read: impl FnOnce(&Self) -> R) -> Option<R> {
        CURRENT.try_with(read).ok()
    }

    /// Runs a future inside this scope.
    pub fn enter<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, future)
    }

    /// Runs a closure inside this scope.
    pub fn run<R>(self, work: impl FnOnce() -> R) -> R {
        CURRENT.sync_scope(self, work)
    }

    pub fn services(&self) -> &Services {
        &self.0.services
    }

    /// Sets this scope's value of a type, replacing an earlier one.
    pub fn set<T: Send + Sync + 'static>(&self, value: Arc<T>) {
        let key = TypeId::of::<T>();
        let mut slots = self.0.slots.write().unwrap_or_else(PoisonError::into_inner);
        match slots.iter_mut().find(|(id, _)| *id == key) {
            Some(slot) => slot.1 = value,
            None => slots.push((key, value)),
        }
    }

    pub fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let slots = self.0.slots.read().unwrap_or_else(PoisonError::into_inner);
        let (_, value) = slots.iter().find(|(id, _)| *id == TypeId::of::<T>())?;
        value.clone().downcast().ok()
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("services", &self.0.services).finish_non_exhaustive()
    }
}

/// The application's service of a type, from wherever the code runs inside a scope.
pub fn service<T: Send + Sync + 'static>() -> Option<Arc<T>> {
    Scope::read(|scope| scope.services().get()).flatten()
}

/// Starts a task that keeps the present scope.
///
/// Use it for work that belongs to the request (parallel look-ups, say). Work that merely starts in a request and
/// outlives it should be spawned plainly and be given what it needs.
pub fn spawn<F>(future: F) -> tokio::task::JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    match Scope::current() {
        Some(scope) => tokio::spawn(scope.enter(future)),
        None => tokio::spawn(future),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen() -> Option<u32> {
        Scope::read(|scope| scope.get::<u32>().map(|value| *value)).flatten()
    }

    #[tokio::test]
    async fn a_plainly_spawned_task_sees_nothing_and_a_carried_one_sees_its_own() {
        let scope = Scope::with(Services::default(), Arc::new(7_u32));
        scope
            .enter(async {
                assert_eq!(seen(), Some(7));
                assert_eq!(tokio::spawn(async { seen() }).await.unwrap(), None);
                assert_eq!(spawn(async { seen() }).await.unwrap(), Some(7));
            })
            .await;
        assert_eq!(seen(), None);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn concurrent_scopes_never_see_each_others_values() {
        let tasks: Vec<_> = (0..200_u32)
            .map(|number| {
                tokio::spawn(Scope::with(Services::default(), Arc::new(number)).enter(async move {
                    for _ in 0..20 {
                        tokio::task::yield_now().await;
                        assert_eq!(seen(), Some(number));
                    }
                }))
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    }

    #[test]
    fn a_value_set_later_replaces_the_one_the_scope_began_with() {
        let scope = Scope::with(Services::default(), Arc::new(1_u32));
        scope.set(Arc::new(2_u32));
        assert_eq!(scope.get::<u32>().as_deref(), Some(&2));
        assert_eq!(scope.get::<String>(), None);
    }

    #[test]
    fn a_panic_inside_leaves_nothing_behind() {
        let scope = Scope::with(Services::default(), Arc::new(1_u32));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scope.run(|| panic!("boom"))));
        assert!(result.is_err());
        assert_eq!(seen(), None);
    }
}
