use serde::{Deserialize, Serialize};

use crate::{Callback, Secret};

/// What a new password must not be, beside too short. Everything is off by default, as in the reference, and holds wherever
/// a password is set. One that was set before keeps working.
///
/// ```
/// use housekey_engine::options::{EmailAndPassword, PasswordRules};
///
/// let rules = PasswordRules { refuse_common: true, refuse_personal: true, ..Default::default() };
/// let options = EmailAndPassword { enabled: true, password_rules: rules, ..Default::default() };
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PasswordRules {
    /// Refuses the passwords that most people use, some 42,000 of them, with `PASSWORD_TOO_COMMON`.
    pub refuse_common: bool,
    /// Refuses a password that is little more than the person's name or address, or the name of the app, with
    /// `PASSWORD_TOO_PERSONAL`.
    pub refuse_personal: bool,
    /// Asks a service that knows passwords from thefts; `true` refuses with `PASSWORD_COMPROMISED`. Where it fails or takes
    /// longer than three seconds, the password is taken and a line is logged.
    pub is_compromised: Callback<Secret, bool>,
}
