use super::row::TwoFactorRow;
use super::{enrolment, is_enabled};
use crate::{Api, Result, User};

/// How it stands with a user's second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwoFactorStatus {
    /// There is none.
    Off,
    /// It was begun a moment ago: the secret exists, and the first right code is still to come.
    Pending,
    /// It is asked for.
    On {
        /// How many backup codes are left.
        codes_left: usize,
    },
}

/// How it stands with a user's second factor. Server code only: there is no endpoint.
pub async fn status(api: &Api, user: &User) -> Result<TwoFactorStatus> {
    let Some(row) = TwoFactorRow::of(api, user).await? else { return Ok(TwoFactorStatus::Off) };
    if is_enabled(user) {
        return Ok(TwoFactorStatus::On { codes_left: row.codes(api)?.len() });
    }
    let pending = !row.verified && enrolment::is_open(api, user, &row).await?;
    Ok(if pending { TwoFactorStatus::Pending } else { TwoFactorStatus::Off })
}
