use std::fmt;

/// What a code is for. One that was sent for one thing does no other.
///
/// ```
/// use housekey_engine::plugins::email_otp::EmailOtpType;
///
/// assert_eq!(EmailOtpType::SignIn.name(), "sign-in");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmailOtpType {
    /// It proves an address.
    EmailVerification,
    SignIn,
    /// It sets a new password.
    ForgetPassword,
    /// It moves the account to the address that it was sent to.
    ChangeEmail,
}

impl EmailOtpType {
    pub(super) const NAMES: [&'static str; 4] =
        ["email-verification", "sign-in", "forget-password", "change-email"];

    /// Its name, as it stands on the wire and in rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EmailVerification => "email-verification",
            Self::SignIn => "sign-in",
            Self::ForgetPassword => "forget-password",
            Self::ChangeEmail => "change-email",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        let all = [Self::EmailVerification, Self::SignIn, Self::ForgetPassword, Self::ChangeEmail];
        all.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for EmailOtpType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
