use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use crate::storage::Filter;
use crate::{Api, ApiError, Record, Result, User, Value, random};

use super::stored_codes::StoredCodes;
use super::{BackupCodeOptions, is_enabled};

/// Characters of a secret. They are themselves the key; the app is told their base32.
const SECRET_LENGTH: usize = 32;

/// A user's row in `twoFactor`.
#[derive(Clone, Debug)]
pub(super) struct TwoFactorRow {
    pub(super) id: String,
    pub(super) secret: String,
    pub(super) backup_codes: String,
    /// Whether a first right code was given. Rows from before the column existed were.
    pub(super) verified: bool,
    pub(super) failures: i64,
    pub(super) locked_until: Option<OffsetDateTime>,
}

impl TwoFactorRow {
    pub(super) async fn of(api: &Api, user: &User) -> Result<Option<Self>> {
        let table = api.table("twoFactor")?;
        let row = api.storage().find_one(table, &Filter::by("userId", &user.id)).await?;
        row.map(|row| Self::read(&row)).transpose()
    }

    /// The row of a user who was shown its secret. The row of someone who only has codes sent counts failures and
    /// nothing else.
    pub(super) async fn shown_to(api: &Api, user: &User) -> Result<Option<Self>> {
        let Some(row) = Self::of(api, user).await? else { return Ok(None) };
        let shown = row.verified || !is_enabled(user) || row.codes(api)?.len() > 0;
        Ok(shown.then_some(row))
    }

    fn read(row: &Record) -> Result<Self> {
        let text = |field: &str| {
            let text = row.text(field).map(str::to_owned);
            text.ok_or_else(|| {
                ApiError::internal("a row could not be read", format!("twoFactor.{field} is empty"))
            })
        };
        Ok(Self {
            id: text("id")?,
            secret: text("secret")?,
            backup_codes: text("backupCodes")?,
            verified: row.get("verified").and_then(Value::as_bool).unwrap_or(true),
            failures: row.get("failedVerificationCount").and_then(Value::as_integer).unwrap_or(0),
            locked_until: row.get("lockedUntil").and_then(Value::as_date),
        })
    }

    /// This row, as a condition.
    pub(super) fn filter(&self) -> Filter {
        Filter::by("id", &self.id)
    }

    /// The backup codes that are left.
    pub(super) fn codes(&self, api: &Api) -> Result<StoredCodes> {
        StoredCodes::read(api, &self.backup_codes)
    }
}

/// The id of a user's row, made from the user's so that the primary key lets only one of two begin.
pub(super) fn id_of(api: &Api, user: &User) -> String {
    api.id_from(&format!("two-factor-{}", user.id))
}

/// Which secret it is, for those who must not know it.
pub(super) fn fingerprint(stored_secret: &str) -> String {
    BASE64URL_NOPAD.encode(&Sha256::digest(stored_secret.as_bytes()))
}

pub(super) fn new_secret() -> String {
    random::url_safe(SECRET_LENGTH)
}

/// New backup codes, `xxxxx-xxxxx`.
pub(super) fn new_codes(options: BackupCodeOptions) -> Vec<String> {
    let code = || {
        let (front, back) = (options.length / 2, options.length - options.length / 2);
        format!("{}-{}", random::alphanumeric(front), random::alphanumeric(back))
    };
    std::iter::repeat_with(code).take(options.amount).collect()
}
