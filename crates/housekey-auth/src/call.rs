use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use housekey_core::Result;
use housekey_engine::Api;

use crate::current::Current;

/// A conversation with the engine on behalf of the present request.
///
/// Everything the engine can do is a method on it. When it is dropped, its cookies join the answer, [`user`](crate::user)
/// knows who is there now, and the framework's session follows: a sign-in gives it a new id (and every form a new token),
/// a sign-out ends it.
///
/// ```
/// use housekey_auth::api;
/// use housekey_core::Result;
/// use housekey_http::response::{Redirect, redirect};
/// use housekey_auth::Refuse;
///
/// async fn sign_out() -> Result<Redirect> {
///     api()?.sign_out().await.refuse()?;
///     Ok(redirect("/"))
/// }
/// ```
pub fn api() -> Result<ApiCall> {
    let current = Current::of_request()?;
    Ok(ApiCall { api: Some(current.open()), current })
}

/// See [`api`].
pub struct ApiCall {
    /// There until the value is dropped.
    api: Option<Api>,
    current: Arc<Current>,
}

impl Deref for ApiCall {
    type Target = Api;

    fn deref(&self) -> &Api {
        match &self.api {
            Some(api) => api,
            None => unreachable!("the conversation is only taken out when it is dropped"),
        }
    }
}

impl DerefMut for ApiCall {
    fn deref_mut(&mut self) -> &mut Api {
        match &mut self.api {
            Some(api) => api,
            None => unreachable!("the conversation is only taken out when it is dropped"),
        }
    }
}

impl Drop for ApiCall {
    fn drop(&mut self) {
        if let Some(api) = self.api.take() {
            self.current.close(api);
        }
    }
}

impl fmt::Debug for ApiCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiCall")
    }
}
