//! An enrolment that was begun and waits for its first right code.

use super::row::{TwoFactorRow, fingerprint, id_of};
use crate::{Api, Changes, Result, User};

/// Seconds that a person has to give the first code. A secret that nobody confirmed is not shown after that, and nobody turns
/// it on: whoever finds an open browser later could have read it, and would then hold the factor of somebody else.
const LIFE: u32 = 900;

/// Adds to some changes that an enrolment begins, with a secret as it is stored.
pub(super) async fn begin_in(api: &Api, changes: &mut Changes, user: &User, secret: &str) -> Result<()> {
    end_in(api, changes, user).await?;
    let verifications = api.verifications();
    verifications.create_in(changes, &identifier(user), &fingerprint(secret), LIFE).await
}

/// Adds to some changes that there is no enrolment any more.
pub(super) async fn end_in(api: &Api, changes: &mut Changes, user: &User) -> Result<()> {
    api.verifications().delete_in(changes, &identifier(user)).await
}

/// Whether the row, which no right code was given for yet, still waits for one.
pub(super) async fn is_open(api: &Api, user: &User, row: &TwoFactorRow) -> Result<bool> {
    if row.id != id_of(api, user) {
        // The reference began it, in a database that we share, and keeps no time.
        return Ok(true);
    }
    let begun = api.verifications().find(&identifier(user)).await?;
    Ok(begun.is_some_and(|begun| begun.value == fingerprint(&row.secret)))
}

fn identifier(user: &User) -> String {
    format!("2fa-enrolment-{}", user.id)
}
