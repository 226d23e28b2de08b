use http::StatusCode;

use super::row::{TwoFactorRow, sealed_codes};
use super::verification::{Claimant, answer};
use super::{Verified, lockout};
use crate::{Api, ApiError, Commit, Endpoint, Record, Result, User, codes, same_secret};

/// A backup code.
#[derive(Clone, Debug, Default)]
pub struct VerifyBackupCode {
    /// What was typed, hyphen included.
    pub code: String,
    /// Whether case, spaces and the hyphen do not count: for a code that a person copied by hand. The endpoint, which
    /// programs call, takes a code only as it was given out.
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
}

/// Checks a backup code and spends it.
pub async fn verify_backup_code(api: &mut Api, input: VerifyBackupCode) -> Result<Verified> {
    let claimant = Claimant::of(api).await?;
    let Some(row) = TwoFactorRow::shown_to(api, claimant.user()).await? else {
        return Err(codes::BACKUP_CODES_NOT_ENABLED.bad_request());
    };
    claimant.attempt(api, Some(&row)).await?;
    let mut left = row.codes(api)?;
    let Some(spent) = input.find_among(&left) else {
        lockout::failed(api, claimant.user(), &row).await?;
        return Err(codes::INVALID_BACKUP_CODE.unauthorized());
    };
    left.remove(spent);
    let mut changes = api.changes();
    // Only if the codes are still those that were read: one cannot be spent twice.
    let unchanged = row.filter().and_by("backupCodes", &row.backup_codes);
    let spent = Record::new().with("backupCodes", sealed_codes(api, &left)?);
    changes.update_expecting("twoFactor", unchanged, spent).await?;
    lockout::succeeded_in(api, &mut changes, claimant.user(), &row).await?;
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

impl VerifyBackupCode {
    /// Which of these it is. All are compared, so that the answer's time does not tell.
    fn find_among(&self, all: &[String]) -> Option<usize> {
        let spelled = |code: &str| if self.any_spelling { plain(code) } else { code.to_owned() };
        let given = spelled(&self.code);
        all.iter().enumerate().fold(None, |found, (at, code)| {
            let same = same_secret(spelled(code).as_bytes(), given.as_bytes());
            found.or(same.then_some(at))
        })
    }
}

fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The backup codes that a user has left. Server code only: there is no endpoint.
pub async fn backup_codes(api: &Api, user: &User) -> Result<Vec<String>> {
    let row = TwoFactorRow::of(api, user).await?;
    row.ok_or_else(|| codes::BACKUP_CODES_NOT_ENABLED.bad_request())?.codes(api)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_copied_by_hand_is_known_in_any_spelling_and_a_program_writes_it_as_it_was_given_out() {
        let all = ["aB3dE-Fg7hI".to_owned(), "zzzzz-11111".to_owned()];
        for (typed, any_spelling, expected) in [
            ("zzzzz-11111", false, Some(1)),
            ("ZZZZZ-11111", false, None),
            ("zzzzz11111", false, None),
            ("ab3de-fg7hi", true, Some(0)),
            (" AB3DE FG7HI ", true, Some(0)),
            ("zzzzz11111", true, Some(1)),
            ("zzzzz1111", true, None),
            ("-", true, None),
            ("", true, None),
        ] {
            let given = VerifyBackupCode { code: typed.to_owned(), any_spelling, ..Default::default() };
            assert_eq!(given.find_among(&all), expected, "{typed}");
        }
    }
}
