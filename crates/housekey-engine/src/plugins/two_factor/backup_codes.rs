use http::StatusCode;

use super::row::TwoFactorRow;
use super::stored_codes::StoredCodes;
use super::verification::{Claimant, answer, shape};
use super::{Verified, lockout};
use crate::{Api, ApiError, Commit, Endpoint, Field, Record, Result, User, codes};

/// What events call it.
const METHOD: &str = "backup-code";

#[derive(Clone, Debug, Default)]
pub struct VerifyBackupCode {
    /// What was typed, hyphen included.
    pub code: String,
    /// Whether case, spaces and the hyphen do not count: for a code that a person copied by hand. The endpoint, which
    /// programs call, takes a code only as it was given out. Hashed codes are known in any spelling.
    pub any_spelling: bool,
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
                any_spelling: false,
                trust_device: body.optional_bool("trustDevice").unwrap_or(false),
                disable_session: body.optional_bool("disableSession").unwrap_or(false),
            };
            body.finish()?;
            let verified = verify_backup_code(api, input).await?;
            answer(api, &verified)
        })
    })
    .about("Checks a backup code and spends it.")
    .takes([
        Field::secret("code").example("aaaaa-bbbbb"),
        Field::boolean("trustDevice").optional().about("Whether this device need not give a code again."),
        Field::boolean("disableSession")
            .optional()
            .about("Whether to spend the code without beginning a session."),
    ])
    .answers(shape())
    .refuses(StatusCode::UNAUTHORIZED, [codes::INVALID_BACKUP_CODE, codes::INVALID_TWO_FACTOR_COOKIE])
}

/// Checks a backup code and spends it.
pub async fn verify_backup_code(api: &mut Api, input: VerifyBackupCode) -> Result<Verified> {
    let claimant = Claimant::of(api).await?;
    let Some(row) = TwoFactorRow::shown_to(api, claimant.user()).await? else {
        return Err(codes::BACKUP_CODES_NOT_ENABLED.bad_request());
    };
    claimant.attempt(api, Some(&row)).await?;
    let left = row.codes(api)?;
    let Some(spent) = left.find(api, &input.code, input.any_spelling).await? else {
        claimant.refuse(api, METHOD).await;
        lockout::failed(api, claimant.user(), &row).await?;
        return Err(codes::INVALID_BACKUP_CODE.unauthorized());
    };
    let mut changes = api.changes();
    // Only if the codes are still those that were read: one cannot be spent twice.
    let unchanged = row.filter().and_by("backupCodes", &row.backup_codes);
    let spent = Record::new().with("backupCodes", left.without(api, spent).await?);
    changes.update_expecting("twoFactor", unchanged, spent).await?;
    lockout::succeeded_in(api, &mut changes, claimant.user(), &row).await?;
    let verified = if input.disable_session && matches!(claimant, Claimant::Challenged { .. }) {
        claimant.spend_in(api, &mut changes).await?;
        let user = claimant.user().clone();
        let done = changes.commit().await? == Commit::Done;
        if done {
            claimant.pass(api, METHOD).await;
        }
        done.then_some(Verified::new(user, None))
    } else {
        claimant.admit(api, changes, METHOD, input.trust_device).await?
    };
    verified.ok_or_else(|| {
        ApiError::message_only(
            StatusCode::CONFLICT,
            "The backup codes were changed at the same time. Please try again.",
        )
    })
}

/// The backup codes that a user has left, unless only their hashes are known. Server code only: there is no endpoint.
pub async fn backup_codes(api: &Api, user: &User) -> Result<Vec<String>> {
    let row = TwoFactorRow::of(api, user).await?;
    let row = row.ok_or_else(|| codes::BACKUP_CODES_NOT_ENABLED.bad_request())?;
    match row.codes(api)? {
        StoredCodes::Readable(readable) => Ok(readable),
        StoredCodes::Hashed(_) => Err(codes::BACKUP_CODES_ARE_HASHED.bad_request()),
    }
}
