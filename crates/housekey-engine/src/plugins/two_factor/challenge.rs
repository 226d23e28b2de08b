use serde_json::json;

use super::row::TwoFactorRow;
use super::{is_enabled, options, trusted_device};
use crate::{Api, Challenge, CookieSpec, Record, Result, User, random};

/// What stands between the right password and a session.
pub(super) async fn challenge(api: &mut Api, user: &User) -> Result<Option<Challenge>> {
    if !is_enabled(user) || api.are_two_factors_confirmed() || trusted_device::recognise(api, user).await? {
        return Ok(None);
    }
    let options = options(api)?;
    let life = options.two_factor_cookie_max_age;
    let id = format!("2fa-{}", random::url_safe(20));
    let has_totp = TwoFactorRow::of(api, user).await?.is_some_and(|row| row.verified);
    let mut changes = api.changes();
    api.verifications().create_in(&mut changes, &id, &user.id, life).await?;
    api.verifications().create_in(&mut changes, &attempts_of(&id), "0", life).await?;
    let _ = changes.commit().await?;
    let cookie = cookie(api);
    api.set_signed_cookie(&cookie, &id, Some(life));
    let mut methods = Vec::new();
    if has_totp {
        methods.push("totp");
    }
    if options.otp.send_otp.is_set() {
        methods.push("otp");
    }
    let body = Record::new().with("twoFactorRedirect", true).with("twoFactorMethods", json!(methods));
    Ok(Some(Challenge { body }))
}

/// The cookie that carries a challenge.
pub(super) fn cookie(api: &Api) -> CookieSpec {
    api.cookie("two_factor")
}

/// Where the attempts on a challenge are counted.
pub(super) fn attempts_of(challenge: &str) -> String {
    format!("2fa-attempts-{challenge}")
}
