use std::fmt;

use housekey_core::translation::t;

/// What a mail about an account is written from.
#[derive(Clone, Default)]
pub struct AccountMailData {
    /// The link, as the engine signed it. The mail that only warns has none.
    pub url: Option<String>,
    /// What the person is called, if they said.
    pub name: Option<String>,
    /// The address that the mail goes to.
    pub email: String,
    /// The address that an account is to move to.
    pub new_email: Option<String>,
}

impl AccountMailData {
    /// `Hello Ada,` or, for somebody without a name, `Hello,`.
    pub fn greeting(&self) -> String {
        match &self.name {
            Some(name) => t("Hello :name,", &[("name", name)]),
            None => t("Hello,", &[]),
        }
    }

    pub(super) fn url(&self) -> &str {
        self.url.as_deref().unwrap_or_default()
    }
}

/// The link is a secret until it is used.
impl fmt::Debug for AccountMailData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountMailData").field("email", &self.email).finish_non_exhaustive()
    }
}
