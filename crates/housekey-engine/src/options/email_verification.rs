use serde::{Deserialize, Serialize};

use super::LinkMail;
use crate::{Callback, User};

/// Links that prove an address.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EmailVerification {
    /// Sends the link. Without it the endpoints do not exist.
    pub send_verification_email: Callback<LinkMail>,
    /// Whether sign-up sends one. Unset: when an address must be proven.
    pub send_on_sign_up: Option<bool>,
    /// Whether a sign-in refused for an unproven address sends another.
    pub send_on_sign_in: bool,
    /// Whether opening the link signs in.
    pub auto_sign_in_after_verification: bool,
    /// Seconds that a link lives.
    pub expires_in: u32,
    /// Told before an address is marked as proven; an error keeps it from happening.
    pub before_email_verification: Callback<User>,
    /// Told after an address was marked as proven.
    pub after_email_verification: Callback<User>,
}

impl Default for EmailVerification {
    fn default() -> Self {
        Self {
            send_verification_email: Callback::unset(),
            send_on_sign_up: None,
            send_on_sign_in: false,
            auto_sign_in_after_verification: false,
            expires_in: 3600,
            before_email_verification: Callback::unset(),
            after_email_verification: Callback::unset(),
        }
    }
}
