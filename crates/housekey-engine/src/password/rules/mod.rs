//! What may become a password: the one place that decides, wherever one is set.

mod common;
mod personal;

use std::time::Duration;

use unicode_normalization::UnicodeNormalization;

use crate::core::Core;
use crate::{ErrorCode, Result, Secret, SignUpEmail, User, codes};

/// How long a service that knows stolen passwords may take.
const BREACH_CHECK_TIMEOUT: Duration = Duration::from_secs(3);

/// Whose password it will be, as far as that is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Owner<'a> {
    name: &'a str,
    email: &'a str,
}

impl<'a> From<&'a User> for Owner<'a> {
    fn from(user: &'a User) -> Self {
        Self { name: &user.name, email: &user.email }
    }
}

impl<'a> From<&'a SignUpEmail> for Owner<'a> {
    fn from(input: &'a SignUpEmail) -> Self {
        Self { name: &input.name, email: &input.email }
    }
}

impl Core {
    /// Refuses what must not become a password. Asked before an address is looked up, so that the answer does not depend on
    /// whether somebody has it.
    // spec: SEC-8
    pub(crate) async fn check_new_password(&self, password: &Secret, owner: Owner<'_>) -> Result<()> {
        let options = &self.options.email_and_password;
        // As JavaScript counts.
        if password.reveal().encode_utf16().count() < options.min_password_length {
            return Err(codes::PASSWORD_TOO_SHORT.bad_request());
        }
        self.check_password_length(password)?;
        let folded = fold(password.reveal());
        if options.password_rules.refuse_common && common::contains(&folded) {
            return Err(codes::PASSWORD_TOO_COMMON.bad_request());
        }
        let known = [owner.email, owner.name, self.options.app_name.as_str()];
        if options.password_rules.refuse_personal && personal::is_personal(&folded, known) {
            return Err(codes::PASSWORD_TOO_PERSONAL.bad_request());
        }
        if self.is_compromised(password).await {
            return Err(codes::PASSWORD_COMPROMISED.bad_request());
        }
        Ok(())
    }

    /// What the app's service says. Where it says nothing, the password passes: nobody could sign up or come back from a
    /// theft while somebody else's service is down, and the rules above hold all the same.
    async fn is_compromised(&self, password: &Secret) -> bool {
        let service = &self.options.email_and_password.password_rules.is_compromised;
        match tokio::time::timeout(BREACH_CHECK_TIMEOUT, service.call(password.clone())).await {
            Ok(Some(Ok(compromised))) => compromised,
            Ok(Some(Err(error))) => {
                tracing::error!(%error, "a new password was not looked up: isCompromised failed");
                false
            }
            Err(_) => {
                tracing::error!("a new password was not looked up: isCompromised took too long");
                false
            }
            Ok(None) => false,
        }
    }
}

/// Whether a refusal is about the new password, and not about whoever sets it.
pub(crate) fn refuses_new_password(code: &str) -> bool {
    const CODES: [ErrorCode; 5] = [
        codes::PASSWORD_TOO_SHORT,
        codes::PASSWORD_TOO_LONG,
        codes::PASSWORD_TOO_COMMON,
        codes::PASSWORD_TOO_PERSONAL,
        codes::PASSWORD_COMPROMISED,
    ];
    CODES.iter().any(|refusal| refusal.code == code)
}

/// One text for all that differs only in case or in code points. By way of the capitals, so that `ß` is `ss` and a sigma at
/// the end of a word is a sigma.
fn fold(text: &str) -> String {
    text.nfkc().collect::<String>().to_uppercase().chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_code_points_make_no_other_password() {
        for (one, other) in [
            ("PassWord", "password"),
            ("Straße", "STRASSE"),
            ("ΟΔΟΣ", "οδος"),
            ("\u{fb01}sh", "FISH"),
            ("é", "E\u{301}"),
        ] {
            assert_eq!(fold(one), fold(other), "{one}");
        }
    }
}
