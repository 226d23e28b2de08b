use housekey_core::translation::t;
use housekey_core::{Error, Result};
use housekey_engine::plugins::passkey::{list_passkeys, verify_owner};
use serde_json::Value;

use super::window;
use crate::{Auth, OrHttpError, api};

/// Opens the window of `password.confirm` if a passkey of whoever is signed in answered. `response` is what the browser
/// got from it, in the JSON form of WebAuthn. How often one may try is the route's business: put a `throttle` in front.
///
/// A passkey that was added since this sign-in confirms nothing: whoever holds a stolen session could have added it. It
/// does after the next sign-in.
// spec: SEC-3
pub async fn confirm_with_passkey(response: &Value) -> Result<()> {
    let auth = Auth::current()?;
    let mut api = api()?;
    let signed_in = api.require_stored_session().await.or_http_error()?;
    let owner = verify_owner(&mut api, response).await.or_field_error("password")?;
    if owner.id != signed_in.user.id {
        return Err(Error::forbidden(t("This passkey belongs to another account.")));
    }
    let credential = response.get("id").and_then(Value::as_str).unwrap_or_default();
    let passkeys = list_passkeys(&mut api).await.or_http_error()?;
    let used = passkeys.iter().find(|passkey| passkey.credential_id == credential);
    let is_older = |passkey: &housekey_engine::plugins::passkey::Passkey| {
        // A row without a date comes from elsewhere: ours all have one.
        passkey.created_at.is_none_or(|added| added < signed_in.session.created_at)
    };
    if !used.is_some_and(is_older) {
        return Err(Error::forbidden(t("This passkey was added since you signed in. Please confirm with your password, or sign in again."))
        .with_code("PASSKEY_TOO_NEW"));
    }
    window::open(&auth, &api, &signed_in.user, &signed_in.session, "passkey").await
}
