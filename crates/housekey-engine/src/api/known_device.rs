use data_encoding::BASE64URL_NOPAD;

use super::Api;
use crate::{User, random};

const COOKIE: &str = "known_device";
const PREFIX: &str = "device-";
/// A year. The longer it lasts, the fewer owners wait because of what strangers guess.
const LIFE: u32 = 31_536_000;

/// A browser in which the password of an account was right before. It signs nobody in; strangers who guess at the account
/// do not make it wait, and it has a count of its own.
impl Api {
    /// The name of this browser, if the account's password, as it is now, was right in it.
    pub(crate) fn known_device(&self, user: &User, hash: &str) -> Option<String> {
        let value = self.signed_cookie(&self.cookie(COOKIE))?;
        let (given, id) = value.split_once('!')?;
        let given = BASE64URL_NOPAD.decode(given.as_bytes()).ok()?;
        let known = id.starts_with(PREFIX) && self.is_mac(&proven(user, hash, id), &given);
        known.then(|| id.to_owned())
    }

    /// Makes this browser known. Only where guesses are counted or new devices are told of, and not for clients without cookies.
    pub(crate) fn remember_device(&mut self, user: &User, hash: &str) {
        let matters = self.core.limiter.is_some() || self.options().alerts.on_new_device.is_set();
        if !matters || self.has_presented_token {
            return;
        }
        // It keeps its name, so that signing in again and again gives nobody more than one count.
        let id = self.known_device(user, hash).unwrap_or_else(|| format!("{PREFIX}{}", random::url_safe(24)));
        let cookie = self.cookie(COOKIE);
        let value = format!("{}!{id}", BASE64URL_NOPAD.encode(&self.mac(&proven(user, hash, &id))));
        self.set_signed_cookie(&cookie, &value, Some(LIFE));
    }
}

/// What the proof is the MAC of. The password as it is now is part of it: another one makes every browser a stranger again.
fn proven(user: &User, hash: &str, id: &str) -> String {
    format!("known-device!{}!{id}!{hash}", user.id)
}
