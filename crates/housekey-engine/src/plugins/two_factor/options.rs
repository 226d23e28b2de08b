use std::fmt;

use crate::options::ModelNames;
use crate::{Callback, User};

#[derive(Clone, Debug)]
pub struct TwoFactorOptions {
    /// What an authenticator app shows; the app's name when unset.
    pub issuer: Option<String>,
    /// Codes by time.
    pub totp: TotpOptions,
    /// Codes that are sent.
    pub otp: OtpOptions,
    /// Codes for when the other device is lost.
    pub backup_codes: BackupCodeOptions,
    /// Seconds that a challenge lives.
    pub two_factor_cookie_max_age: u32,
    /// Seconds that a trusted device is trusted after its last sign-in.
    pub trust_device_max_age: u32,
    /// When to stop believing that someone only mistypes.
    pub account_lockout: AccountLockout,
    /// Whether only somebody with a proven address may turn a second factor on: else whoever signs up with an address that is
    /// not theirs could lock its owner out.
    pub require_email_verification: bool,
    /// Whether the other sessions of the account end when the factor is turned on or off: they did not show it, or need not
    /// any more.
    pub revoke_other_sessions: bool,
    /// Whether users without a password may manage their second factor without one.
    pub allow_passwordless: bool,
    /// Turns the factor on without a first code.
    pub skip_verification_on_enable: bool,
    /// Other names for the `twoFactor` table and its columns.
    pub schema: ModelNames,
}

impl Default for TwoFactorOptions {
    fn default() -> Self {
        Self {
            issuer: None,
            totp: TotpOptions::default(),
            otp: OtpOptions::default(),
            backup_codes: BackupCodeOptions::default(),
            two_factor_cookie_max_age: 600,
            trust_device_max_age: 2_592_000,
            account_lockout: AccountLockout::default(),
            require_email_verification: false,
            revoke_other_sessions: false,
            allow_passwordless: false,
            skip_verification_on_enable: false,
            schema: ModelNames::new(),
        }
    }
}

/// Codes by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotpOptions {
    pub digits: u32,
    /// Seconds that a code lives.
    pub period: u32,
}

impl Default for TotpOptions {
    fn default() -> Self {
        Self { digits: 6, period: super::code::PERIOD }
    }
}

/// Codes that are sent.
#[derive(Clone, Debug)]
pub struct OtpOptions {
    /// Sends a code. Without it the endpoints do not exist.
    pub send_otp: Callback<OtpMail>,
    /// Seconds that a code lives.
    pub period: u32,
    pub digits: usize,
    /// How many wrong codes are forgiven.
    pub allowed_attempts: u32,
    pub store_otp: StoredOtp,
}

impl Default for OtpOptions {
    fn default() -> Self {
        Self {
            send_otp: Callback::unset(),
            period: 180,
            digits: 6,
            allowed_attempts: 5,
            store_otp: StoredOtp::Plain,
        }
    }
}

/// How a code that was sent is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoredOtp {
    /// Readable: whoever reads the database can use it.
    #[default]
    Plain,
    /// Encrypted with the engine's secret.
    Encrypted,
    /// As its SHA-256.
    Hashed,
}

/// A code to be sent. Printing it does not show the code.
#[derive(Clone)]
pub struct OtpMail {
    /// To whom.
    pub user: User,
    pub otp: String,
}

impl fmt::Debug for OtpMail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OtpMail").field("user", &self.user.id).finish_non_exhaustive()
    }
}

/// Codes for when the other device is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackupCodeOptions {
    pub amount: usize,
    /// Characters of each, the hyphen in the middle not counted.
    pub length: usize,
    pub store_backup_codes: StoredBackupCodes,
}

impl Default for BackupCodeOptions {
    fn default() -> Self {
        Self { amount: 10, length: 10, store_backup_codes: StoredBackupCodes::default() }
    }
}

/// How backup codes are stored. Both kinds are always read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoredBackupCodes {
    /// Encrypted with the engine's secret, as in the reference.
    #[default]
    Encrypted,
    /// As Argon2id hashes, from the moment at which the factor is on: who reads the database and the secret has no code. Nobody
    /// can show them again, and the endpoint takes them in any spelling.
    Hashed,
}

/// When to stop believing that someone only mistypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountLockout {
    /// Whether failures are counted at all.
    pub enabled: bool,
    /// Failures in a row, over all challenges and factors.
    pub max_failed_attempts: u32,
    /// Seconds of the lock.
    pub duration_seconds: u32,
}

impl Default for AccountLockout {
    fn default() -> Self {
        Self { enabled: true, max_failed_attempts: 10, duration_seconds: 900 }
    }
}
