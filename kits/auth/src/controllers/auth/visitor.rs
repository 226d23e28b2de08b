use housekey::auth::api;
use housekey::prelude::*;

/// Whether the right password was given here a moment ago, and a code is waited for.
pub fn is_challenged() -> Result<bool> {
    holds("two_factor")
}

/// Whether somebody was signed in here, for long enough: the cookie is ours and opens nothing any more.
pub fn was_signed_in() -> Result<bool> {
    Ok(user().is_none() && holds("session_token")?)
}

/// Whether the visitor brought a cookie that the accounts have signed.
fn holds(cookie: &str) -> Result<bool> {
    let api = api()?;
    Ok(api.signed_cookie(&api.cookie(cookie)).is_some())
}
