//! The browser that asked for a link. It gets a name in a cookie that nobody else can make, and the link remembers whose it is.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use crate::{Api, random};

const COOKIE: &str = "magic_link_browser";
/// Every cookie of ours is signed alike; only this one begins like this.
const PREFIX: &str = "browser-";

/// Gives the browser a name for as long as a link works, the one that it has if it has one, and says how it is stored.
pub(super) fn remember(api: &mut Api, life: u32) -> String {
    let name = named(api).unwrap_or_else(|| format!("{PREFIX}{}", random::url_safe(32)));
    let cookie = api.cookie(COOKIE);
    api.set_signed_cookie(&cookie, &name, Some(life));
    stored(&name)
}

/// How the name of this browser would be stored, if it has one.
pub(super) fn here(api: &Api) -> Option<String> {
    named(api).map(|name| stored(&name))
}

fn named(api: &Api) -> Option<String> {
    api.signed_cookie(&api.cookie(COOKIE)).filter(|name| name.starts_with(PREFIX))
}

fn stored(name: &str) -> String {
    BASE64URL_NOPAD.encode(&Sha256::digest(name.as_bytes()))
}
