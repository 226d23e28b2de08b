//! A second factor: codes by time from an authenticator app, codes by mail or message, and backup codes.
//!
//! Enabling gives a secret and backup codes and changes nothing else; the first right code turns it on. From then on
//! the right password leads to a challenge: a short-lived cookie, no session. A right code turns it into one.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::two_factor;
//! use housekey_engine::Engine;
//!
//! # let options = EngineOptions::default();
//! let builder = Engine::builder(options).plugins([two_factor(Default::default())]);
//! # let _ = builder;
//! ```
//!
//! The functions of this module are the endpoints for server code: [`enable`], [`verify_totp`], [`disable`], …

mod backup_codes;
mod challenge;
mod code;
mod disable;
mod enable;
mod enrolment;
mod generate_backup_codes;
mod lockout;
mod options;
mod otp;
mod password;
mod row;
mod status;
mod stored_codes;
mod totp;
mod totp_uri;
mod trusted_device;
mod verification;

use std::sync::Arc;

pub use backup_codes::{VerifyBackupCode, backup_codes, verify_backup_code};
pub use disable::disable;
pub use enable::{Enable, EnableMethod, Enabled, enable};
pub use generate_backup_codes::generate_backup_codes;
pub use options::{
    AccountLockout, BackupCodeOptions, OtpMail, OtpOptions, StoredBackupCodes, StoredOtp, TotpOptions,
    TwoFactorOptions,
};
pub use otp::{send_otp, verify_otp};
pub use status::{TwoFactorStatus, status};
pub use totp::{totp_code, verify_totp};
pub use totp_uri::totp_uri;
pub use verification::{Verified, VerifyCode};

use crate::options::RateRule;
use crate::schema::{Column, SchemaContribution, Table};
use crate::storage::Filter;
use crate::{Api, ApiError, Changes, Plugin, Record, Result, User};

/// A second factor: codes by time from an authenticator app, codes by mail or message, and backup codes.
pub fn two_factor(options: TwoFactorOptions) -> Plugin {
    let has_otp = options.otp.send_otp.is_set();
    let mut plugin = Plugin::new("two-factor")
        .schema(schema(&options))
        .rate_rule("/two-factor/*", RateRule { window: 10, max: 3 })
        .challenge(|api, user| Box::pin(challenge::challenge(api, user)))
        .recovery("twoFactor", "userId", turned_off())
        .endpoint(enable::endpoint(&options))
        .endpoint(disable::endpoint(&options))
        .endpoint(totp::endpoint())
        .endpoint(backup_codes::endpoint())
        .endpoint(totp_uri::endpoint(&options))
        .endpoint(generate_backup_codes::endpoint(&options));
    if has_otp {
        plugin = plugin.endpoint(otp::send_endpoint()).endpoint(otp::verify_endpoint());
    }
    plugin.state(Arc::new(options))
}

fn schema(options: &TwoFactorOptions) -> SchemaContribution {
    let table = Table::new("twoFactor")
        .column_with(Column::text("secret").indexed().hidden())
        .column_with(Column::text("backupCodes").hidden())
        .column_with(Column::reference("userId", "user").indexed())
        .column_with(Column::boolean("verified").nullable().default_value(true))
        .column_with(Column::integer("failedVerificationCount").nullable().default_value(0_i64))
        .column_with(Column::date("lockedUntil").nullable());
    SchemaContribution::new()
        .table(table)
        .column("user", Column::boolean("twoFactorEnabled").nullable().default_value(false).read_only())
        .names(&options.schema)
}

/// The fields of a user with a second factor.
fn turned_on() -> Record {
    Record::new().with("twoFactorEnabled", true)
}

/// The fields of a user without a second factor.
fn turned_off() -> Record {
    Record::new().with("twoFactorEnabled", false)
}

/// Adds to some changes the end of a user's second factor: the secret, the codes and the trusted devices.
pub(crate) async fn forget_in(api: &Api, changes: &mut Changes, user: &User) -> Result<()> {
    changes.delete("twoFactor", Filter::by("userId", &user.id)).await?;
    trusted_device::delete_in(api, changes, user).await?;
    changes.update_expecting("user", Filter::by("id", &user.id), turned_off()).await?;
    Ok(())
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<TwoFactorOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the two-factor plugin was called", "it is not among the engine's plugins")
    })
}

/// Whether a user's second factor is asked for. The user tells; no storage is asked.
pub fn is_enabled(user: &User) -> bool {
    user.fields.get("twoFactorEnabled").and_then(crate::Value::as_bool).unwrap_or(false)
}
