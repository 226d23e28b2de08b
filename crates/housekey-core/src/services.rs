use std::any::{Any, TypeId, type_name};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::{Error, Result};

type Service = Arc<dyn Any + Send + Sync>;

/// What an application is made of, one value per type: the cache, the encrypter, the clock.
///
/// It is filled while the application boots and never changes after that, so reading takes no lock.
///
/// ```
/// use housekey_core::{Clock, Services};
///
/// let mut services = Services::builder();
/// services.insert(Clock::system());
/// let services = services.build();
///
/// assert!(services.get::<Clock>().is_some());
/// assert!(services.get::<String>().is_none());
/// ```
#[derive(Clone, Default)]
pub struct Services(Arc<Registry>);

type Registry = BTreeMap<TypeId, Service>;

impl Services {
    pub fn builder() -> ServicesBuilder {
        ServicesBuilder::default()
    }

    /// The value of this type, if the application has one.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        get(&self.0)
    }

    /// The value of this type, or an error that names it.
    pub fn require<T: Send + Sync + 'static>(&self) -> Result<Arc<T>> {
        self.get().ok_or_else(|| missing::<T>())
    }
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Services({})", self.0.len())
    }
}

/// A registry still being filled.
#[derive(Default)]
pub struct ServicesBuilder(Registry);

impl ServicesBuilder {
    /// Adds a value, replacing one of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) -> &mut Self {
        self.insert_shared(Arc::new(value))
    }

    /// Adds a value that is shared already.
    pub fn insert_shared<T: Send + Sync + 'static>(&mut self, value: Arc<T>) -> &mut Self {
        self.0.insert(TypeId::of::<T>(), value);
        self
    }

    /// The value of this type, if it has been added.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        get(&self.0)
    }

    /// The value of this type, or an error that names it.
    pub fn require<T: Send + Sync + 'static>(&self) -> Result<Arc<T>> {
        self.get().ok_or_else(|| missing::<T>())
    }

    /// Changes the value of this type: the one that has been added, or a new one.
    ///
    /// ```
    /// use housekey_core::Services;
    ///
    /// let mut services = Services::builder();
    /// services.contribute(|words: &mut Vec<&str>| words.push("one"));
    /// services.contribute(|words: &mut Vec<&str>| words.push("two"));
    /// assert_eq!(*services.require::<Vec<&str>>()?, ["one", "two"]);
    /// # Ok::<(), housekey_core::Error>(())
    /// ```
    pub fn contribute<T, R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R
    where
        T: Clone + Default + Send + Sync + 'static,
    {
        let mut service = self.get::<T>().map(Arc::unwrap_or_clone).unwrap_or_default();
        let outcome = change(&mut service);
        self.insert(service);
        outcome
    }

    /// The value of this type, of which clones are one and the same thing: a list that is still added to after it was handed out.
    /// It is made when it is first asked for.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use housekey_core::Services;
    ///
    /// #[derive(Clone, Default)]
    /// struct Words(Arc<Mutex<Vec<&'static str>>>);
    ///
    /// let mut services = Services::builder();
    /// let words = services.shared::<Words>();
    /// services.shared::<Words>().0.lock().unwrap().push("one");
    /// assert_eq!(*words.0.lock().unwrap(), ["one"]);
    /// ```
    pub fn shared<T>(&mut self) -> T
    where
        T: Clone + Default + Send + Sync + 'static,
    {
        if let Some(present) = self.get::<T>() {
            return (*present).clone();
        }
        let made = T::default();
        self.insert(made.clone());
        made
    }

    /// Closes the registry.
    pub fn build(self) -> Services {
        Services(Arc::new(self.0))
    }
}

impl fmt::Debug for ServicesBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServicesBuilder({})", self.0.len())
    }
}

fn get<T: Send + Sync + 'static>(services: &Registry) -> Option<Arc<T>> {
    services.get(&TypeId::of::<T>())?.clone().downcast().ok()
}

fn missing<T>() -> Error {
    Error::internal(format!(
        "no {} is registered: add the provider that brings it to the app",
        type_name::<T>()
    ))
}
