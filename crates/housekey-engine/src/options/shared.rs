use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An object that the options share with the app, or none: a store, for instance.
///
/// Like a [`Callback`](crate::Callback), a set one refuses to be serialised.
pub struct Shared<T: ?Sized>(Option<Arc<T>>);

impl<T: ?Sized> Shared<T> {
    pub const fn unset() -> Self {
        Self(None)
    }

    /// Shares `object` with the app.
    pub fn new(object: Arc<T>) -> Self {
        Self(Some(object))
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = Option<Arc<T>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> Default for Shared<T> {
    fn default() -> Self {
        Self::unset()
    }
}

impl<T: ?Sized> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_some() { "Shared(set)" } else { "Shared(unset)" })
    }
}

impl<T: ?Sized> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_some() {
            return Err(S::Error::custom("a shared object cannot be written down"));
        }
        serializer.serialize_none()
    }
}

impl<'de, T: ?Sized> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<IgnoredAny>::deserialize(deserializer).map(|_| Self::unset())
    }
}
