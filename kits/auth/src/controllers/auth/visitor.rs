use housekey::auth::signed_cookie;
use housekey::prelude::*;

/// Whether the right password was given here a moment ago, and a code is waited for.
pub fn is_challenged() -> Result<bool> {
    Ok(signed_cookie("two_factor")?.is_some())
}
