use housekey::auth::signed_cookie;
use housekey::prelude::*;

/// Whether the right password was given here a moment ago, and a code is waited for.
pub fn is_challenged() -> Result<bool> {
    Ok(signed_cookie("two_factor")?.is_some())
}

/// Whether somebody was signed in here, for long enough: the cookie is ours and opens nothing any more.
pub fn was_signed_in() -> Result<bool> {
    Ok(user().is_none() && signed_cookie("session_token")?.is_some())
}
