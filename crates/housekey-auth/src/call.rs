use housekey_core::Result;
use housekey_engine::Api;

use crate::current::Current;

/// The engine on behalf of the present request: everything it can do is a method.
///
/// What a call does holds when it returns: [`user`](crate::user) knows who is there now, the answer will carry the cookies,
/// and the framework's session follows. A sign-in gives it a new id (and every form a new token), a sign-out ends it.
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
pub fn api() -> Result<Api> {
    Ok(Current::of_request()?.api())
}
