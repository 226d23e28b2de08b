use std::fmt;

use super::EmailOtpType;
use crate::options::RateRule;
use crate::{Callback, User};

#[derive(Clone, Debug)]
pub struct EmailOtpOptions {
    /// Sends a code. Without it the endpoints do not exist.
    pub send_verification_otp: Callback<EmailOtpMail>,
    /// How many digits a code has; at least six.
    pub otp_length: usize,
    /// Seconds that a code works.
    pub expires_in: u32,
    /// How many wrong codes are forgiven before a new one must be asked for.
    pub allowed_attempts: u32,
    pub store_otp: StoredCode,
    /// What somebody gets who asks once more while the last code still works.
    pub resend_strategy: ResendStrategy,
    /// Whether a code that proves the address is sent to whoever signs up with a password.
    pub send_verification_on_sign_up: bool,
    /// Whether a code takes the place of the link wherever one would be sent to prove an address: at sign-up, at sign-in, at
    /// `/send-verification-email`. A link to a new address stays a link.
    pub override_default_email_verification: bool,
    /// Whether only those who have an account can sign in with a code.
    pub disable_sign_up: bool,
    /// Moving to another address.
    pub change_email: ChangeEmailByCode,
    /// How often one client may call each of the endpoints.
    pub rate_limit: RateRule,
}

impl Default for EmailOtpOptions {
    fn default() -> Self {
        Self {
            send_verification_otp: Callback::unset(),
            otp_length: 6,
            expires_in: 300,
            allowed_attempts: 3,
            store_otp: StoredCode::default(),
            resend_strategy: ResendStrategy::default(),
            send_verification_on_sign_up: false,
            override_default_email_verification: false,
            disable_sign_up: false,
            change_email: ChangeEmailByCode::default(),
            rate_limit: RateRule { window: 60, max: 3 },
        }
    }
}

/// Moving to another address with a code that is sent there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeEmailByCode {
    /// Whether it is possible.
    pub enabled: bool,
    /// Whether a code that was sent to the old address is asked for first, so that a session alone cannot take an account away.
    /// The reference leaves that out unless told.
    pub verify_current_email: bool,
}

impl Default for ChangeEmailByCode {
    fn default() -> Self {
        Self { enabled: false, verify_current_email: true }
    }
}

/// How a code is kept until it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoredCode {
    /// Readable: whoever reads the database can use it.
    Plain,
    /// Encrypted with the engine's secret.
    Encrypted,
    /// As its SHA-256, which the reference reads too. There are only a million codes of six digits: whoever reads the database
    /// while a code works can try them all.
    Hashed,
    /// As a hash that takes the engine's secret: whoever reads the database alone learns nothing.
    #[default]
    Keyed,
}

/// What somebody gets who asks for another code while the last one still works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResendStrategy {
    /// A new one; the last one works no longer.
    #[default]
    Rotate,
    /// The same once more, which works longer then. Only where a code can be read again: [`StoredCode::Plain`] and
    /// [`StoredCode::Encrypted`]. Its wrong tries stay counted.
    Reuse,
}

/// A code to be sent. Printing it does not show the code.
#[derive(Clone)]
pub struct EmailOtpMail {
    pub email: String,
    pub otp: String,
    pub kind: EmailOtpType,
    /// For whom, if they have an account: whoever is moving, where it is about another address.
    pub user: Option<User>,
}

impl fmt::Debug for EmailOtpMail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmailOtpMail")
            .field("kind", &self.kind)
            .field("user", &self.user.as_ref().map(|user| &user.id))
            .finish_non_exhaustive()
    }
}
