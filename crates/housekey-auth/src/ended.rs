use housekey_core::Result;
use housekey_http::session::{flashed, session};

use crate::current::Current;
use crate::signed_cookie;

const KEY: &str = "auth.ended";

/// Leaves word for the page that a guest is sent to: this one was signed in until now. The answer that sends them away
/// also takes the cookie away that says so.
pub(crate) fn remember() -> Result<()> {
    if signed_cookie("session_token")?.is_some() { session().flash(KEY, true) } else { Ok(()) }
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
    Ok(flashed(KEY).unwrap_or(false) || signed_cookie("session_token")?.is_some())
}
