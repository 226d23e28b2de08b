use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::mode::{Mode, mode};

/// A function inside a config value, or none.
///
/// A function cannot be written down as JSON. Freezing a value with a set hook fails and names the place, which is
/// how `config:cache` knows to leave the file alone and have it read live.
///
/// ```
/// use housekey_core::Hook;
///
/// type Shout = dyn Fn(&str) -> String + Send + Sync;
/// let hook: Hook<Shout> = Hook::set(std::sync::Arc::new(|text: &str| text.to_uppercase()));
/// assert_eq!(hook.get().unwrap()("hello"), "HELLO");
/// assert!(Hook::<Shout>::unset().get().is_none());
/// ```
pub struct Hook<F: ?Sized>(Option<Arc<F>>);

impl<F: ?Sized> Hook<F> {
    pub const fn unset() -> Self {
        Self(None)
    }

    pub fn set(function: Arc<F>) -> Self {
        Self(Some(function))
    }

    pub fn get(&self) -> Option<&F> {
        self.0.as_deref()
    }

    pub fn is_set(&self) -> bool {
        self.0.is_some()
    }

    /// Sets the function unless one is set already.
    pub fn or_set(&mut self, function: impl FnOnce() -> Arc<F>) {
        self.0.get_or_insert_with(function);
    }
}

impl<F: ?Sized> Default for Hook<F> {
    fn default() -> Self {
        Self::unset()
    }
}

impl<F: ?Sized> Clone for Hook<F> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<F: ?Sized> From<Arc<F>> for Hook<F> {
    fn from(function: Arc<F>) -> Self {
        Self::set(function)
    }
}

impl<F: ?Sized> Deref for Hook<F> {
    type Target = Option<Arc<F>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<F: ?Sized> fmt::Debug for Hook<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_set() { "Hook(set)" } else { "Hook(unset)" })
    }
}

impl<F: ?Sized> Serialize for Hook<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.is_set(), mode()) {
            (false, _) => serializer.serialize_none(),
            (true, Mode::Freeze) => Err(S::Error::custom("a function cannot be cached")),
            (true, Mode::Show | Mode::ShowSecrets) => serializer.serialize_str("[function]"),
        }
    }
}

impl<'de, F: ?Sized> Deserialize<'de> for Hook<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Only an unset hook is ever written, so only that can come back.
        Option::<IgnoredAny>::deserialize(deserializer).map(|_| Self::unset())
    }
}
