use housekey::auth::api;
use housekey::auth::engine::plugins::passkey::verify_owner;
use housekey::auth::guards::{Confirmation, confirm_password, confirm_with, replay};
use housekey::prelude::*;

use crate::places;
use crate::requests::auth::PasskeyRequest;

/// `POST /confirm-password`: opens the window of `password.confirm` and carries out what was refused.
pub async fn store(Valid(given): Valid<Confirmation>) -> Result<Response> {
    confirm_password(given, places::DASHBOARD).await
}

/// `POST /confirm-password/passkey`: the same with a passkey of whoever is signed in.
pub async fn passkey(CurrentUser(user): CurrentUser, Valid(form): Valid<PasskeyRequest>) -> Result<Response> {
    let response = housekey::serde_json::from_str(&form.response)
        .map_err(|_| Error::bad_request(t("The answer of the passkey cannot be read.", &[])))?;
    let owner = verify_owner(&mut *api()?, &response).await.refuse_at("password")?;
    if owner.id != user.id {
        return Err(Error::forbidden(t("This passkey belongs to another account.", &[])));
    }
    confirm_with("passkey").await?;
    if wants_json() && form.replay.is_none() {
        return Ok(Json(housekey::serde_json::json!({ "confirmed": true })).into_response());
    }
    replay(form.replay.as_deref(), places::DASHBOARD).await
}
