//! The session of the present request. What a session is and where it is kept is the subject of `housekey-session`, whose
//! names are all here too.

pub use housekey_session::*;

use crate::RequestContext;

/// The session of the present request. Outside a request it is an empty one that is kept nowhere.
///
/// ```
/// use housekey_core::Result;
/// use housekey_http::session::session;
///
/// async fn visit() -> Result<String> {
///     let visits = session().increment("visits", 1).await?;
///     session().flash("status", "Welcome back.")?;
///     Ok(format!("Visit number {visits}"))
/// }
/// ```
pub fn session() -> Session {
    RequestContext::current().map_or_else(Session::detached, |context| context.session().clone())
}

/// A value that was flashed to this request, read without waiting: for views. It is `None` outside a request.
///
/// ```
/// use housekey_http::session::flashed;
///
/// let notice: Option<String> = flashed("status");
/// assert_eq!(notice, None);
/// ```
pub fn flashed<T: serde::de::DeserializeOwned>(key: &str) -> Option<T> {
    RequestContext::current()?.session().flashed(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn outside_a_request_a_session_is_empty_and_kept_nowhere() {
        session().put("name", "Ada").unwrap();
        assert!(!session().has("name").await.unwrap());
    }
}
