use housekey_core::default;
use housekey_engine::options::{
    AccountOptions, AdvancedOptions, ChangeEmail, EmailAndPassword, EngineOptions, PasswordRules,
    SessionOptions, StoredIdentifier, UserOptions, VerificationOptions,
};
use housekey_engine::plugins::anonymous::AnonymousOptions;
use housekey_engine::plugins::api_key::ApiKeyOptions;
#[cfg(feature = "http-client")]
use housekey_engine::plugins::breached_passwords::BreachedPasswordsOptions;
use housekey_engine::plugins::device_authorization::DeviceAuthorizationOptions;
use housekey_engine::plugins::email_otp::EmailOtpOptions;
#[cfg(feature = "jwt")]
use housekey_engine::plugins::jwt::JwtOptions;
use housekey_engine::plugins::last_login_method::LastLoginMethodOptions;
use housekey_engine::plugins::magic_link::MagicLinkOptions;
use housekey_engine::plugins::multi_session::MultiSessionOptions;
use housekey_engine::plugins::one_time_token::OneTimeTokenOptions;
#[cfg(feature = "passkeys")]
use housekey_engine::plugins::passkey::{AuthenticatorSelection, PasskeyOptions, Requirement};
use housekey_engine::plugins::two_factor::{
    BackupCodeOptions, OtpOptions, StoredBackupCodes, StoredOtp, TwoFactorOptions,
};
use housekey_engine::plugins::username::{Availability, UsernameOptions};

use super::auth_config::{AuthConfig, Notices};

const MONTH: u32 = 30 * 86_400;

/// Options as the kits have them: those of the engine, which are Better Auth's so that both can share a database, with the
/// safer choice where there is one.
///
/// `..secure()` stands where `..default()` would, and each line above it still decides for itself:
///
/// ```
/// use housekey_auth::config::*;
///
/// let session = SessionOptions { max_lifetime: 86_400, ..secure() };
/// assert_eq!((session.max_lifetime, session.revoke_on_sign_in), (86_400, true));
/// ```
///
/// It turns no feature on, and nothing of it needs a table or a column. The guide lists what it sets: docs/accounts.md,
/// "Secure settings".
pub fn secure<T: Secure>() -> T {
    T::secure()
}

/// Options for which [`secure`] knows better than their `Default`.
pub trait Secure: Default {
    /// The safer choices.
    fn secure() -> Self;
}

impl Secure for AuthConfig {
    fn secure() -> Self {
        Self { notices: secure(), engine: secure(), ..default() }
    }
}

impl Secure for Notices {
    fn secure() -> Self {
        Self { new_device: true, lockout: true }
    }
}

impl Secure for EngineOptions {
    fn secure() -> Self {
        Self {
            email_and_password: secure(),
            user: secure(),
            session: secure(),
            account: secure(),
            verification: secure(),
            advanced: secure(),
            ..default()
        }
    }
}

impl Secure for EmailAndPassword {
    fn secure() -> Self {
        // The reason of a refusal would tell whether a sign-up made an account or met one.
        Self { hide_unverified: true, password_rules: secure(), ..default() }
    }
}

impl Secure for PasswordRules {
    fn secure() -> Self {
        Self { refuse_common: true, refuse_personal: true, ..default() }
    }
}

impl Secure for UserOptions {
    fn secure() -> Self {
        Self { change_email: secure(), ..default() }
    }
}

impl Secure for ChangeEmail {
    fn secure() -> Self {
        Self { cancellable: true, revoke_other_sessions: true, ..default() }
    }
}

impl Secure for SessionOptions {
    fn secure() -> Self {
        Self { max_lifetime: MONTH, revoke_on_sign_in: true, ..default() }
    }
}

impl Secure for AccountOptions {
    fn secure() -> Self {
        // Who reads the database must not be able to act as its people elsewhere.
        Self { encrypt_oauth_tokens: true, ..default() }
    }
}

impl Secure for VerificationOptions {
    fn secure() -> Self {
        Self { store_identifier: StoredIdentifier::Hashed, ..default() }
    }
}

impl Secure for AdvancedOptions {
    fn secure() -> Self {
        Self { use_host_cookies: true, ..default() }
    }
}

impl Secure for TwoFactorOptions {
    fn secure() -> Self {
        // Whoever else is signed in has not shown the new factor.
        Self { backup_codes: secure(), otp: secure(), revoke_other_sessions: true, ..default() }
    }
}

impl Secure for BackupCodeOptions {
    fn secure() -> Self {
        Self { store_backup_codes: StoredBackupCodes::Hashed, ..default() }
    }
}

impl Secure for OtpOptions {
    fn secure() -> Self {
        // Not hashed: a hash of six digits is guessed in a moment.
        Self { store_otp: StoredOtp::Encrypted, ..default() }
    }
}

impl Secure for UsernameOptions {
    fn secure() -> Self {
        // Who signs up is told by the form they send, one name at a time and under its limit.
        Self { availability: Availability::SignedIn, ..default() }
    }
}

/// Options whose defaults are the safe ones already.
macro_rules! safe_by_default {
    ($($options:ty),* $(,)?) => {$(
        impl Secure for $options {
            fn secure() -> Self {
                default()
            }
        }
    )*};
}

safe_by_default!(
    AnonymousOptions,
    ApiKeyOptions,
    DeviceAuthorizationOptions,
    EmailOtpOptions,
    LastLoginMethodOptions,
    MagicLinkOptions,
    MultiSessionOptions,
    OneTimeTokenOptions,
);

#[cfg(feature = "http-client")]
safe_by_default!(BreachedPasswordsOptions);

#[cfg(feature = "jwt")]
impl Secure for JwtOptions {
    fn secure() -> Self {
        // A token is handed out where it is asked for, and keys do not last for ever.
        Self { disable_setting_jwt_header: true, rotation_interval: Some(3 * MONTH), ..default() }
    }
}

#[cfg(feature = "passkeys")]
impl Secure for PasskeyOptions {
    fn secure() -> Self {
        Self { authenticator_selection: secure(), ..default() }
    }
}

#[cfg(feature = "passkeys")]
impl Secure for AuthenticatorSelection {
    fn secure() -> Self {
        // Having the key is not enough: a fingerprint, a face or a PIN every time.
        Self { user_verification: Requirement::Required, ..default() }
    }
}
