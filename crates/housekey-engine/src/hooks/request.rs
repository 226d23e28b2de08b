use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::Response;
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Api, BoxFuture, Result};

/// Called before the endpoint. It may read and change the request through the [`Api`]; an error ends the request.
pub type BeforeHook = Arc<dyn for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Called after the endpoint, whatever it answered. It may change the response.
pub type AfterHook =
    Arc<dyn for<'a> Fn(&'a mut Api, &'a mut Response<Bytes>) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Functions called around every request that found its endpoint: first the app's, then those of plugins.
///
/// ```
/// use housekey_engine::hooks::RequestHooks;
///
/// let hooks = RequestHooks::new().after(|_api, response| {
///     Box::pin(async move {
///         response.headers_mut().insert("x-served-by", http::HeaderValue::from_static("housekey"));
///         Ok(())
///     })
/// });
/// # let _ = hooks;
/// ```
#[derive(Clone, Default)]
pub struct RequestHooks {
    pub(crate) before: Vec<BeforeHook>,
    pub(crate) after: Vec<AfterHook>,
}

impl RequestHooks {
    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn before<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<()>> + Send + Sync + 'static,
    {
        self.before.push(Arc::new(hook));
        self
    }

    #[must_use]
    pub fn after<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a mut Api, &'a mut Response<Bytes>) -> BoxFuture<'a, Result<()>>
            + Send
            + Sync
            + 'static,
    {
        self.after.push(Arc::new(hook));
        self
    }

    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

impl fmt::Debug for RequestHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestHooks({} before, {} after)", self.before.len(), self.after.len())
    }
}

impl Serialize for RequestHooks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.is_empty() {
            return Err(S::Error::custom("a function cannot be written down"));
        }
        serializer.serialize_map(Some(0))?.end()
    }
}

impl<'de> Deserialize<'de> for RequestHooks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Self::new())
    }
}
