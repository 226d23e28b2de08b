//! What may become a password: the one place that decides, wherever one is set.

mod common;
mod personal;

use std::time::Duration;

use unicode_normalization::UnicodeNormalization;

use crate::options::{EmailAndPassword, EngineOptions, PasswordRules};
use crate::{Result, Secret, User, codes};

/// How long a service that knows stolen passwords may take.
const BREACH_CHECK_TIMEOUT: Duration = Duration::from_secs(3);

/// Whose password it will be, as far as that is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Owner<'a> {
    pub(crate) name: &'a str,
    pub(crate) email: &'a str,
}

impl<'a> From<&'a User> for Owner<'a> {
    fn from(user: &'a User) -> Self {
        Self { name: &user.name, email: &user.email }
    }
}

/// Refuses what must not become a password. Asked before an address is looked up, so that the answer does not depend on
/// whether somebody has it.
// spec: SEC-8
pub(crate) async fn check_new_password(
    options: &EngineOptions,
    password: &Secret,
    owner: Owner<'_>,
) -> Result<()> {
    let EmailAndPassword { min_password_length, password_rules, .. } = &options.email_and_password;
    // As JavaScript counts.
    if password.reveal().encode_utf16().count() < *min_password_length {
        return Err(codes::PASSWORD_TOO_SHORT.bad_request());
    }
    check_password_length(options, password)?;
    let folded = fold(password.reveal());
    if password_rules.refuse_common && common::contains(&folded) {
        return Err(codes::PASSWORD_TOO_COMMON.bad_request());
    }
    let known = [owner.email, owner.name, options.app_name.as_str()];
    if password_rules.refuse_personal && personal::is_personal(&folded, known) {
        return Err(codes::PASSWORD_TOO_PERSONAL.bad_request());
    }
    if is_compromised(password_rules, password).await {
        return Err(codes::PASSWORD_COMPROMISED.bad_request());
    }
    Ok(())
}

/// Refuses a password that is too long to be hashed.
pub(crate) fn check_password_length(options: &EngineOptions, password: &Secret) -> Result<()> {
    let length = password.reveal().encode_utf16().count();
    if length > options.email_and_password.max_password_length {
        return Err(codes::PASSWORD_TOO_LONG.bad_request());
    }
    Ok(())
}

/// What the app's service says. Where it says nothing, the password passes: nobody could sign up or come back from a
/// theft while somebody else's service is down, and the rules above hold all the same.
async fn is_compromised(rules: &PasswordRules, password: &Secret) -> bool {
    match tokio::time::timeout(BREACH_CHECK_TIMEOUT, rules.is_compromised.call(password.clone())).await {
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
