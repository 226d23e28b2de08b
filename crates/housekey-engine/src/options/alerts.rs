use std::time::Duration;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::{Callback, User};

/// What the owner of an account may want to hear about. The reference has no such thing: nothing is told unless it is set.
///
/// Set `advanced.backgroundTasks` too: without it the answer waits, and its time tells that there was somebody to tell.
// spec: SEC-12
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Alerts {
    /// Told after a sign-in in a browser that is not known to the account. Not the first sign-in of all: nobody wonders
    /// about that.
    pub on_new_device: Callback<NewDevice>,
    /// Told once when so many wrong passwords or codes were given for an account that no more are looked at for a while.
    pub on_lockout: Callback<Lockout>,
}

/// A sign-in in a browser that is not known to the account.
#[derive(Clone, Debug)]
pub struct NewDevice {
    /// Who signed in, or whom somebody signed in as.
    pub user: User,
    pub at: OffsetDateTime,
    pub ip_address: Option<String>,
    /// What the browser calls itself: the visitor's own words, which may be any.
    pub user_agent: String,
}

/// Wrong passwords or codes, so many that no more are looked at for a while.
#[derive(Clone, Debug)]
pub struct Lockout {
    /// Whose account it is.
    pub user: User,
    pub guessed: Guessed,
    pub at: OffsetDateTime,
    pub lasts: Duration,
    /// From where the last guess came, if it is known.
    pub ip_address: Option<String>,
}

/// What somebody guessed so often that no more is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guessed {
    Password,
    /// Codes of the second factor: whoever guesses them knows the password.
    Code,
}
