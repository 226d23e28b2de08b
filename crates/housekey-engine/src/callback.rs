use std::fmt;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{BoxError, BoxFuture};

type Function<A, R> = dyn Fn(A) -> BoxFuture<'static, Result<R, BoxError>> + Send + Sync;

/// An async function inside the options, or none.
///
/// A function cannot be written down. Serialising options that hold a set callback fails *at that place*, so that
/// whoever caches a configuration (with `serde_path_to_error`, for instance) learns where the function sits.
///
/// ```
/// use housekey_engine::Callback;
///
/// let shout: Callback<String, String> =
///     Callback::new(|text: String| async move { Ok::<_, std::io::Error>(text.to_uppercase()) });
/// assert!(shout.is_set());
/// assert!(serde_json::to_string(&shout).is_err());
/// assert_eq!(serde_json::to_string(&Callback::<String>::unset()).unwrap(), "null");
/// ```
pub struct Callback<A, R = ()>(Option<Arc<Function<A, R>>>);

impl<A, R> Callback<A, R> {
    pub const fn unset() -> Self {
        Self(None)
    }

    /// A callback that awaits `function`, whose error may be of any type.
    pub fn new<F, T, E>(function: F) -> Self
    where
        F: Fn(A) -> T + Send + Sync + 'static,
        T: Future<Output = Result<R, E>> + Send + 'static,
        E: Into<BoxError>,
        R: 'static,
    {
        Self(Some(Arc::new(move |argument| {
            let answer = function(argument);
            Box::pin(async move { answer.await.map_err(Into::into) })
        })))
    }

    pub fn is_set(&self) -> bool {
        self.0.is_some()
    }

    /// Sets the function unless one is set already: how a framework fills in what an app left open.
    pub fn or_set(&mut self, other: impl FnOnce() -> Self) {
        if self.0.is_none() {
            *self = other();
        }
    }

    /// Calls the function; `None` when there is none.
    pub async fn call(&self, argument: A) -> Option<Result<R, BoxError>> {
        match &self.0 {
            Some(function) => Some(function(argument).await),
            None => None,
        }
    }
}

impl<A> Callback<A> {
    /// Calls the function for what it does. That it failed is logged, under its name in the options, and undoes nothing.
    pub async fn call_or_log(&self, name: &str, argument: A) {
        if let Some(Err(error)) = self.call(argument).await {
            tracing::error!(what = name, %error, "a callback of the auth engine failed");
        }
    }
}

impl<A, R> Clone for Callback<A, R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<A, R> Default for Callback<A, R> {
    fn default() -> Self {
        Self::unset()
    }
}

impl<A, R> fmt::Debug for Callback<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_set() { "Callback(set)" } else { "Callback(unset)" })
    }
}

impl<A, R> Serialize for Callback<A, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_set() {
            return Err(S::Error::custom("a function cannot be written down"));
        }
        serializer.serialize_none()
    }
}

impl<'de, A, R> Deserialize<'de> for Callback<A, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Only an unset callback is ever written, so only that can come back.
        Option::<IgnoredAny>::deserialize(deserializer).map(|_| Self::unset())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_callback_is_called_only_when_set() {
        let double: Callback<u32, u32> =
            Callback::new(|n: u32| async move { Ok::<_, std::io::Error>(n * 2) });
        assert_eq!(double.call(21).await.unwrap().unwrap(), 42);
        assert!(Callback::<u32, u32>::unset().call(21).await.is_none());
    }

    #[test]
    // spec: CFG-8
    fn what_the_app_set_is_not_replaced() {
        let mut callback: Callback<u32> = Callback::new(|_| async { Ok::<_, std::io::Error>(()) });
        callback.or_set(Callback::unset);
        assert!(callback.is_set());
    }
}
