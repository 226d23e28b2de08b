//! A device that gave a second factor once and need not do so again for a while.

use data_encoding::BASE64URL_NOPAD;

use super::options;
use crate::secret::same;
use crate::{Api, CookieSpec, Result, User, random};

const PREFIX: &str = "trust-device-";

/// Whether this browser is trusted for the user. If so, the proof is replaced by a new one.
pub(super) async fn recognise(api: &mut Api, user: &User) -> Result<bool> {
    let Some(id) = presented(api, user) else { return Ok(false) };
    let found = api.verifications().take(&id).await?;
    if found.is_none_or(|found| found.value != user.id) {
        return Ok(false);
    }
    trust(api, user).await?;
    Ok(true)
}

/// Trusts this browser for the user.
pub(super) async fn trust(api: &mut Api, user: &User) -> Result<()> {
    let life = options(api)?.trust_device_max_age;
    let id = format!("{PREFIX}{}", random::url_safe(32));
    api.verifications().create(&id, &user.id, life).await?;
    let value = format!("{}!{id}", proof(api, user, &id));
    let cookie = cookie(api);
    api.set_signed_cookie(&cookie, &value, Some(life));
    Ok(())
}

/// Trusts no device of the user any more.
pub(super) async fn forget(api: &mut Api, user: &User) -> Result<()> {
    api.verifications().delete_owned(PREFIX, &user.id).await?;
    let cookie = cookie(api);
    if api.has_cookie(&cookie) {
        api.clear_cookie(&cookie);
    }
    Ok(())
}

fn presented(api: &Api, user: &User) -> Option<String> {
    let value = api.signed_cookie(&cookie(api))?;
    let (given, id) = value.split_once('!')?;
    let ours = id.starts_with(PREFIX) && same(given.as_bytes(), proof(api, user, id).as_bytes());
    ours.then(|| id.to_owned())
}

fn proof(api: &Api, user: &User, id: &str) -> String {
    BASE64URL_NOPAD.encode(&api.mac(&format!("{}!{id}", user.id)))
}

fn cookie(api: &Api) -> CookieSpec {
    api.cookie("trust_device")
}
