use super::is_enabled;
use super::row::TwoFactorRow;
use crate::{Api, Result, User};

/// How it stands with a user's second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwoFactorStatus {
    /// There is none.
    Off,
    /// It was begun: the secret exists, and the first right code is still to come.
    Pending,
    /// It is asked for.
    On {
        /// How many backup codes are left.
        codes_left: usize,
    },
}

/// How it stands with a user's second factor. Server code only: there is no endpoint.
pub async fn status(api: &Api, user: &User) -> Result<TwoFactorStatus> {
    let row = TwoFactorRow::of(api, user).await?;
    Ok(match row {
        Some(row) if is_enabled(user) => TwoFactorStatus::On { codes_left: row.codes(api)?.len() },
        Some(row) if !row.verified => TwoFactorStatus::Pending,
        _ => TwoFactorStatus::Off,
    })
}
