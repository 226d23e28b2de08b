use housekey::auth::guards::{Confirmation, confirm_password, confirm_with_passkey, replay};
use housekey::prelude::*;

use crate::requests::auth::PasskeyRequest;

/// `POST /confirm-password`: opens the window of `password.confirm` and carries out what was refused.
pub async fn store(Valid(given): Valid<Confirmation>) -> Result<Response> {
    confirm_password(given, &route("dashboard")?).await
}

/// `POST /confirm-password/passkey`: the same with a passkey that whoever is signed in had before.
pub async fn passkey(Valid(form): Valid<PasskeyRequest>) -> Result<Response> {
    let response = housekey::serde_json::from_str(&form.response)
        .map_err(|_| Error::bad_request(t("The answer of the passkey cannot be read.")))?;
    confirm_with_passkey(&response).await?;
    if wants_json() && form.replay.is_none() {
        return Ok(Json(housekey::serde_json::json!({ "confirmed": true })).into_response());
    }
    replay(form.replay.as_deref(), &route("dashboard")?).await
}
