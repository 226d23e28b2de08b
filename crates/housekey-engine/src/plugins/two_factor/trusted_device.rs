//! A device that gave a second factor once and need not do so again for a while.

use data_encoding::BASE64URL_NOPAD;

use super::options;
use crate::storage::Filter;
use crate::{Api, Changes, Commit, CookieSpec, Result, User, random};

const PREFIX: &str = "trust-device-";

/// Whether this browser is trusted for the user. If so, the proof is replaced by a new one.
pub(super) async fn recognise(api: &mut Api, user: &User) -> Result<bool> {
    let found = match presented(api, user) {
        Some(id) => api.verifications().find(&id).await?,
        None => None,
    };
    if let Some(found) = found.filter(|found| found.value == user.id) {
        let mut changes = api.changes();
        // Taken by whoever comes first: a proof works once.
        changes.delete_expecting("verification", Filter::by("id", &found.id)).await?;
        let proof = trust_in(api, &mut changes, user).await?;
        if changes.commit().await? == Commit::Done {
            hand_out(api, &proof)?;
            return Ok(true);
        }
    }
    let cookie = cookie(api);
    if api.signed_cookie(&cookie).is_some() {
        // Worth nothing here, it would be sent for a month.
        api.clear_cookie(&cookie);
    }
    Ok(false)
}

/// Adds to some changes that this browser is trusted for the user, and gives the proof to [hand out](hand_out) then.
pub(super) async fn trust_in(api: &Api, changes: &mut Changes, user: &User) -> Result<String> {
    let life = options(api)?.trust_device_max_age;
    let id = format!("{PREFIX}{}", random::url_safe(32));
    api.verifications().create_in(changes, &id, &user.id, life).await?;
    Ok(format!("{}!{id}", BASE64URL_NOPAD.encode(&api.mac(&proven(user, &id)))))
}

/// Gives the browser its proof.
pub(super) fn hand_out(api: &mut Api, proof: &str) -> Result<()> {
    let life = options(api)?.trust_device_max_age;
    let cookie = cookie(api);
    api.set_signed_cookie(&cookie, proof, Some(life));
    Ok(())
}

/// Adds to some changes that no device of the user is trusted any more.
pub(super) async fn forget_in(api: &mut Api, changes: &mut Changes, user: &User) -> Result<()> {
    delete_in(api, changes, user).await?;
    let cookie = cookie(api);
    if api.has_cookie(&cookie) {
        api.clear_cookie(&cookie);
    }
    Ok(())
}

/// The same for a user who is not the one at this browser.
pub(super) async fn delete_in(api: &Api, changes: &mut Changes, user: &User) -> Result<()> {
    api.verifications().delete_owned_in(changes, PREFIX, &user.id).await
}

fn presented(api: &Api, user: &User) -> Option<String> {
    let value = api.signed_cookie(&cookie(api))?;
    let (given, id) = value.split_once('!')?;
    let given = BASE64URL_NOPAD.decode(given.as_bytes()).ok()?;
    let ours = id.starts_with(PREFIX) && api.is_mac(&proven(user, id), &given);
    ours.then(|| id.to_owned())
}

/// What a proof is the MAC of.
fn proven(user: &User, id: &str) -> String {
    format!("{}!{id}", user.id)
}

fn cookie(api: &Api) -> CookieSpec {
    api.cookie("trust_device")
}
