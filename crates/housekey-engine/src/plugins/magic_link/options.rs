use std::fmt;

use serde_json::{Map, Value as Json};

use crate::options::RateRule;
use crate::{Callback, User};

#[derive(Clone, Debug)]
pub struct MagicLinkOptions {
    /// Sends a link. Without it the endpoints do not exist.
    pub send_magic_link: Callback<MagicLinkMail>,
    /// Seconds that a link works.
    pub expires_in: u32,
    /// Whether only those who have an account are sent a link.
    pub disable_sign_up: bool,
    /// How the token of a link is stored.
    pub store_token: StoredToken,
    /// The page that asks before a link is spent: a path or an address of the app. Opening a link then leads there, with `token`
    /// and the addresses to go to afterwards, and spends nothing; the page shows what it [finds](super::inspect) and
    /// [spends](super::spend) it when its button is pressed, or lets a script do so with `POST /magic-link/verify`. Unset,
    /// opening a link spends it, as in the reference.
    pub confirm_url: Option<String>,
    /// Whether a link works only in the browser that asked for it. Nobody can then be talked into asking for a link and passing
    /// it on, nor be signed in by a link that somebody else asked for. Whoever asks at the desk and reads mail on the phone must
    /// open the link at the desk.
    pub bind_to_browser: bool,
    /// Where the second factor of somebody who has one is asked for. Unset, the link leads to its `callbackURL` with
    /// `twoFactorRedirect=true`.
    pub second_factor_url: Option<String>,
    /// How often one client may ask for links, and open them.
    pub rate_limit: RateRule,
}

impl Default for MagicLinkOptions {
    fn default() -> Self {
        Self {
            send_magic_link: Callback::unset(),
            expires_in: 300,
            disable_sign_up: false,
            store_token: StoredToken::default(),
            confirm_url: None,
            bind_to_browser: false,
            second_factor_url: None,
            rate_limit: RateRule { window: 60, max: 5 },
        }
    }
}

/// How the token of a link is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoredToken {
    /// As it is: whoever reads the database can open every link that is on its way.
    Plain,
    /// As its SHA-256.
    #[default]
    Hashed,
}

/// A link to be sent. Printing it does not show the link.
#[derive(Clone)]
pub struct MagicLinkMail {
    /// The address, in lower case: this is the one that the link proves.
    pub email: String,
    /// The address that the link leads to.
    pub url: String,
    /// The token in it, for a link of one's own.
    pub token: String,
    /// What whoever asked sent along. Anybody may have written it.
    pub metadata: Option<Map<String, Json>>,
    /// Whose address it is, if it is anybody's.
    pub user: Option<User>,
}

impl fmt::Debug for MagicLinkMail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MagicLinkMail")
            .field("user", &self.user.as_ref().map(|user| &user.id))
            .finish_non_exhaustive()
    }
}
