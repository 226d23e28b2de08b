use housekey_core::Result;
use housekey_http::RequestContext;

use crate::current::Current;
use crate::signed_cookie;

const KEY: &str = "auth.ended";

/// Leaves word for the page that a guest is sent to: this one was signed in until now. The answer that sends them away
/// also takes the cookie away that says so.
pub(super) fn remember() -> Result<()> {
    match RequestContext::current() {
        Some(context) if signed_cookie("session_token")?.is_some() => context.session().flash(KEY, true),
        _ => Ok(()),
    }
}

/// Whether the visitor was signed in until now, and the session has run out or was ended elsewhere. Told once: on the
/// request that comes with the dead session, or on the page that a guard sent it to.
///
/// ```
/// use housekey_auth::session_ended;
///
/// async fn sign_in() -> housekey_core::Result<&'static str> {
///     Ok(if session_ended()? { "Your session has ended. Please sign in again." } else { "Welcome back." })
/// }
/// ```
pub fn session_ended() -> Result<bool> {
    // A store that could not be asked has ended nothing.
    if let Some(Ok(Some(_)) | Err(_)) = Current::find().map(|current| current.known()) {
        return Ok(false);
    }
    let told = RequestContext::current().and_then(|context| context.session().flashed(KEY));
    Ok(told.unwrap_or(false) || signed_cookie("session_token")?.is_some())
}
