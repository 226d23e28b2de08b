use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;

use super::Connection;

/// Says when the server is asked to stop: for an answer that goes on until then, such as a stream of events. It is known where
/// the request asks for `text/event-stream` first, or for another protocol; elsewhere it never comes.
///
/// ```
/// use housekey_http::server::Stopping;
///
/// async fn events(stopping: Stopping) -> &'static str {
///     tokio::select! {
///         () = stopping.wait() => "until next time",
///         () = std::future::ready(()) => "something happened",
///     }
/// }
/// # housekey_http::Routes::new().get("/events", events);
/// ```
#[derive(Clone)]
pub struct Stopping(Option<Connection>);

impl Stopping {
    /// Waits until the server is asked to stop.
    pub async fn wait(&self) {
        match &self.0 {
            Some(connection) => connection.stopping().await,
            None => std::future::pending().await,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Stopping {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get().cloned()))
    }
}

impl std::fmt::Debug for Stopping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stopping").field(&self.0.is_some()).finish()
    }
}
