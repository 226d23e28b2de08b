use housekey_core::Result;
use housekey_engine::Api;
use housekey_engine::plugins::admin::forget_admin_session;

use crate::OrHttpError;
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
/// use housekey_auth::OrHttpError;
///
/// async fn sign_out_everywhere() -> Result<Redirect> {
///     api()?.revoke_sessions().await.or_http_error()?;
///     Ok(redirect("/"))
/// }
/// ```
pub fn api() -> Result<Api> {
    Ok(Current::of_request()?.api())
}

/// Signs the present user out. An admin who acts as somebody else is gone as well, not back where they came from.
///
/// ```
/// use housekey_auth::sign_out;
/// use housekey_core::Result;
/// use housekey_http::response::{Redirect, redirect};
///
/// async fn goodbye() -> Result<Redirect> {
///     sign_out().await?;
///     Ok(redirect("/"))
/// }
/// ```
// spec: ADM-2
pub async fn sign_out() -> Result<()> {
    let mut api = api()?;
    forget_admin_session(&mut api).await.or_http_error()?;
    api.sign_out().await.or_http_error()
}
