use housekey::auth::engine::{Api, ResetPassword, SignIn, SignInEmail, SignUpEmail};
use housekey::auth::guards::confirm;
use housekey::auth::{User, api};
use housekey::prelude::*;
use serde::Serialize;

use crate::models::Profile;
use crate::requests::auth::{
    ConfirmPasswordRequest, ForgotPasswordRequest, LoginRequest, RegisterRequest, ResetPasswordRequest,
    VerifyEmailRequest,
};

/// Somebody who got in.
#[typescript]
#[derive(Serialize)]
pub struct Welcome {
    /// What to send as `authorization: Bearer …` from now on; null where the address must be confirmed first.
    pub token: Option<String>,
    pub user: Profile,
}

/// What there is to say.
#[typescript]
#[derive(Serialize)]
pub struct Message {
    pub message: String,
}

/// The password was right.
#[typescript]
#[derive(Serialize)]
pub struct Confirmed {
    pub confirmed: bool,
}

/// `POST /api/register`: makes an account and signs in. The token is `null` where an address must be proven first.
pub async fn register(Valid(form): Valid<RegisterRequest>) -> Result<Json<Welcome>> {
    let input = SignUpEmail { name: form.name, email: form.email, password: form.password, ..default() };
    let mut api = api()?;
    let signed_up = api.sign_up_email(input).await.or_new_password_error("password", "email")?;
    Ok(welcome(&api, &signed_up.user))
}

/// `POST /api/login`
pub async fn login(Valid(form): Valid<LoginRequest>) -> Result<Json<Welcome>> {
    let input = SignInEmail { email: form.email, password: form.password, ..default() };
    let mut api = api()?;
    match api.sign_in_email(input).await.or_http_error().map_err(wrong_credentials)? {
        SignIn::Done(signed_in) => Ok(welcome(&api, &signed_in.user)),
        // A second factor needs routes of its own; until there are some, such an account stays outside.
        SignIn::Challenged(_) => Err(Error::forbidden(t("This account asks for more than a password."))),
    }
}

/// `POST /api/logout`: the token of this request is worth nothing from now on.
pub async fn logout() -> Result<Json<Message>> {
    api()?.sign_out().await.or_http_error()?;
    Ok(message(t("You are signed out.")))
}

/// `POST /api/password/forgot`: the same answer, in the same time, whether the address has an account or not.
pub async fn forgot_password(Valid(form): Valid<ForgotPasswordRequest>) -> Result<Json<Message>> {
    api()?.request_password_reset(&form.email, None).await.or_field_error("email")?;
    Ok(message(t("If there is an account with this address, a link to a new password is on its way.")))
}

/// `POST /api/password/reset`: ends every session of the account.
pub async fn reset_password(Valid(form): Valid<ResetPasswordRequest>) -> Result<Json<Message>> {
    let input = ResetPassword { token: form.token, new_password: form.password };
    api()?.reset_password(input).await.or_new_password_error("password", "token")?;
    Ok(message(t("Your password is changed. Sign in with the new one.")))
}

/// `POST /api/password/confirm`: for a while, what asks for the password with a 423 is content. That is what `demands` in
/// `config/auth.rs` says of the engine's endpoints.
pub async fn confirm_password(Valid(form): Valid<ConfirmPasswordRequest>) -> Result<Json<Confirmed>> {
    confirm(&form.password).await?;
    Ok(Json(Confirmed { confirmed: true }))
}

/// `POST /api/email/verify`: spends the token of the mail that proves an address.
pub async fn verify_email(Valid(form): Valid<VerifyEmailRequest>) -> Result<Json<Message>> {
    api()?.verify_email(form.token.reveal(), None).await.or_field_error("token")?;
    Ok(message(t("Your address is confirmed.")))
}

/// `POST /api/email/resend`
pub async fn resend_verification(CurrentUser(user): CurrentUser) -> Result<Json<Message>> {
    if user.email_verified {
        return Ok(message(t("Your address is confirmed.")));
    }
    api()?.send_verification_email(&user.email, None).await.or_http_error()?;
    Ok(message(t("A new link is on its way.")))
}

/// The token to send from now on, also in the header `set-auth-token`, and whose it is.
fn welcome(api: &Api, user: &User) -> Json<Welcome> {
    Json(Welcome { token: api.session_token_to_set(), user: Profile::from(user) })
}

/// Whatever is wrong with address or password, the answer is the same: it must not tell which addresses have an account.
fn wrong_credentials(error: Error) -> Error {
    match error.status() {
        StatusCode::UNAUTHORIZED | StatusCode::BAD_REQUEST => Error::unauthenticated()
            .with_message(t("Address or password is wrong."))
            .with_code("INVALID_CREDENTIALS"),
        _ => error,
    }
}

fn message(message: String) -> Json<Message> {
    Json(Message { message })
}
