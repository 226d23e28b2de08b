use std::sync::Arc;

use http::StatusCode;

use super::row::{TwoFactorRow, sealed_codes};
use super::verification::{Claimant, answer};
use super::{Verified, lockout};
use crate::models::Commit;
use crate::secret::same;
use crate::{Api, ApiError, Changes, Endpoint, Record, Result, User, codes};

/// A backup code.
#[derive(Clone, Debug, Default)]
pub struct VerifyBackupCode {
    /// What was typed, hyphen included.
    pub code: String,
    /// Whether to trust this device from now on.
    pub trust_device: bool,
    /// Whether to begin no session: only the code is spent.
    pub disable_session: bool,
}

/// `POST /two-factor/verify-backup-code`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/two-factor/verify-backup-code", |api| {
        Box::pin(async move {
            let mut body = api.request().read_body();
            let input = VerifyBackupCode {
                code: body.text("code"),
                trust_device: body.optional_bool("trustDevice").unwrap_or(false),
                disable_session: body.optional_bool("disableSession").unwrap_or(false),
            };
            body.finish()?;
            let verified = verify_backup_code(api, input).await?;
            answer(api, &verified)
        })
    })
}

/// Checks a backup code and spends it.
pub async fn verify_backup_code(api: &mut Api, input: VerifyBackupCode) -> Result<Verified> {
    let claimant = Claimant::of(api).await?;
    let Some(row) = TwoFactorRow::shown_to(api, claimant.user()).await? else {
        return Err(codes::BACKUP_CODES_NOT_ENABLED.bad_request());
    };
    claimant.attempt(api, Some(&row)).await?;
    let mut left = row.codes(api)?;
    let all = left.len();
    left.retain(|code| !same(code.as_bytes(), input.code.as_bytes()));
    if left.len() == all {
        lockout::failed(api, claimant.user(), &row).await?;
        return Err(codes::INVALID_BACKUP_CODE.unauthorized());
    }
    let core = Arc::clone(&api.core);
    let mut changes = Changes::new(&core);
    // Only if the codes are still those that were read: one cannot be spent twice.
    let unchanged = row.filter().and_by("backupCodes", &row.backup_codes);
    let spent = Record::new().with("backupCodes", sealed_codes(api, &left)?);
    changes.update_expecting("twoFactor", unchanged, spent).await?;
    lockout::succeeded_in(&mut changes, &row).await?;
    let verified = if input.disable_session && matches!(claimant, Claimant::Challenged { .. }) {
        claimant.spend_in(api, &mut changes).await?;
        let user = claimant.user().clone();
        (changes.commit().await? == Commit::Done).then_some(Verified { user, session: None })
    } else {
        claimant.admit(api, changes, input.trust_device).await?
    };
    verified.ok_or_else(|| {
        ApiError::message_only(
            StatusCode::CONFLICT,
            "The backup codes were changed at the same time. Please try again.",
        )
    })
}

/// The backup codes that a user has left. Server code only: there is no endpoint.
pub async fn backup_codes(api: &Api, user: &User) -> Result<Vec<String>> {
    let row = TwoFactorRow::of(api, user).await?;
    row.ok_or_else(|| codes::BACKUP_CODES_NOT_ENABLED.bad_request())?.codes(api)
}
