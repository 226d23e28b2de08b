use housekey::auth::api;
use housekey::auth::engine::plugins::email_otp::{self, EmailOtpType};
use housekey::auth::engine::plugins::magic_link::{self, SendMagicLink};
use housekey::auth::guards::{Confirmation, confirm_password, confirm_with_passkey, replay};
use housekey::prelude::*;

use super::{email_code_controller as email_code, signing_in_again};
use crate::requests::auth::{ConfirmByMailRequest, PasskeyRequest};

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

/// `POST /confirm-password/link`: for who has no password. The link signs them in once more, and then they may.
pub async fn link(
    CurrentUser(user): CurrentUser,
    Valid(form): Valid<ConfirmByMailRequest>,
) -> Result<Redirect> {
    let input = SendMagicLink { email: user.email.clone(), ..default() };
    magic_link::send(&mut api()?, input).await.or_http_error()?;
    signing_in_again::remember(form.return_to)?;
    Ok(redirect(&route("magic-link.sent")?))
}

/// `POST /confirm-password/code`: the same with a code.
pub async fn code(
    CurrentUser(user): CurrentUser,
    Valid(form): Valid<ConfirmByMailRequest>,
) -> Result<Redirect> {
    email_otp::send(&mut api()?, &user.email, EmailOtpType::SignIn).await.or_http_error()?;
    email_code::expect(&user.email)?;
    signing_in_again::remember(form.return_to)?;
    Ok(redirect(&route("email-code")?))
}
