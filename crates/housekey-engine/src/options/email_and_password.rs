use serde::{Deserialize, Serialize};

use super::{LinkMail, PasswordRules};
use crate::{Callback, Secret, User};

/// Sign-up and sign-in with an address and a password. Off until enabled.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EmailAndPassword {
    /// Whether the endpoints exist.
    pub enabled: bool,
    /// Leaves out sign-up: accounts are made by someone else.
    pub disable_sign_up: bool,
    /// No session before the address is proven.
    pub require_email_verification: bool,
    /// Whether a sign-in before the address is proven is refused like one with a wrong password. The reference says why it is
    /// refused, so whoever signs up with an address and then signs in learns whether the sign-up made an account or met
    /// one. Off by default, as there.
    pub hide_unverified: bool,
    /// In UTF-16 units, as JavaScript counts.
    pub min_password_length: usize,
    /// In UTF-16 units, as JavaScript counts.
    pub max_password_length: usize,
    /// What a new password must not be.
    pub password_rules: PasswordRules,
    /// Whether sign-up signs in.
    pub auto_sign_in: bool,
    /// Sends the link with which a password is reset. Without it the reset endpoints do not exist.
    pub send_reset_password: Callback<LinkMail>,
    /// Seconds that a reset link lives.
    pub reset_password_token_expires_in: u32,
    /// Told after a password was reset.
    pub on_password_reset: Callback<User>,
    /// Whether a reset ends every session. Unlike in the reference this is on: who resets a password may do so
    /// because someone else is in.
    pub revoke_sessions_on_password_reset: bool,
    /// Told when someone signs up with an address that is taken, while the answer hides it.
    pub on_existing_user_sign_up: Callback<User>,
    /// How passwords are hashed.
    pub password: PasswordOptions,
}

impl Default for EmailAndPassword {
    fn default() -> Self {
        Self {
            enabled: false,
            disable_sign_up: false,
            require_email_verification: false,
            hide_unverified: false,
            min_password_length: 8,
            max_password_length: 128,
            password_rules: PasswordRules::default(),
            auto_sign_in: true,
            send_reset_password: Callback::unset(),
            reset_password_token_expires_in: 3600,
            on_password_reset: Callback::unset(),
            revoke_sessions_on_password_reset: true,
            on_existing_user_sign_up: Callback::unset(),
            password: PasswordOptions::default(),
        }
    }
}

/// How passwords are hashed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PasswordOptions {
    /// The kind of new hashes.
    pub hasher: PasswordHasher,
    /// Threads for hashing; as many as cores when unset.
    pub threads: Option<usize>,
    /// How many may wait for them before the engine answers 503; 32 per thread when unset.
    pub queue: Option<usize>,
    /// A hash of one's own instead. Set [`verify`](Self::verify) too.
    pub hash: Callback<Secret, String>,
    /// Checks what [`hash`](Self::hash) made.
    pub verify: Callback<PasswordCheck, bool>,
}

/// How new passwords are hashed. What was hashed the other way keeps working.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PasswordHasher {
    /// Argon2id with 19 MiB, two passes, one lane.
    #[default]
    Argon2id,
    /// The reference's scrypt, for a database shared with a JavaScript deployment.
    BetterAuthScrypt,
}

/// A password and the hash it is checked against, as handed to a custom `verify` function.
#[derive(Clone, Debug)]
pub struct PasswordCheck {
    /// What was typed.
    pub password: Secret,
    /// What is stored.
    pub hash: String,
}
