use housekey::auth::api;
use housekey::auth::engine::ResetPassword;
use housekey::prelude::*;

use crate::requests::auth::{ForgotPasswordRequest, ResetPasswordRequest};

/// `POST /forgot-password`: the same answer, in the same time, whether the address has an account or not.
pub async fn request(Valid(form): Valid<ForgotPasswordRequest>) -> Result<Redirect> {
    api()?.request_password_reset(&form.email, None).await.or_field_error("email")?;
    let message = t("If there is an account with this address, a link to a new password is on its way.");
    Ok(back().with("status", message))
}

/// `POST /reset-password`: ends every session of the account.
pub async fn store(Valid(form): Valid<ResetPasswordRequest>) -> Result<Redirect> {
    let input = ResetPassword { token: form.token, new_password: form.password };
    api()?.reset_password(input).await.or_new_password_error("password", "token")?;
    Ok(redirect(&route("sign-in")?).with("status", t("Your password is changed. Sign in with the new one.")))
}
