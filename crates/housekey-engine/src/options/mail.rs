use std::fmt;

use crate::User;

/// A mail with a link: reset a password, prove an address, delete an account.
///
/// The link is a secret until it is used, so printing the mail does not show it.
#[derive(Clone)]
pub struct LinkMail {
    /// To whom. For a change of address, `user.email` is the address that the mail goes to.
    pub user: User,
    /// The address that the link leads to.
    pub url: String,
    /// The secret in it, for those who build a link of their own.
    pub token: String,
}

/// The mail that asks the holder of the old address whether it may change.
#[derive(Clone)]
pub struct ChangeEmailMail {
    /// To whom, at the old address.
    pub user: User,
    /// The address that is to replace it.
    pub new_email: String,
    /// The address that the link leads to.
    pub url: String,
    /// The secret in it.
    pub token: String,
}

impl fmt::Debug for LinkMail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkMail").field("user", &self.user.id).finish_non_exhaustive()
    }
}

impl fmt::Debug for ChangeEmailMail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeEmailMail").field("user", &self.user.id).finish_non_exhaustive()
    }
}
