use http::StatusCode;
use serde_json::json;

use super::row::Slot;
use super::{EmailOtpType, INVALID_OTP, OTP_EXPIRED, TOO_MANY_ATTEMPTS, options};
use crate::{Api, Commit, Endpoint, Field, Reply, Result, Secret, Shape, codes};

/// `POST /email-otp/reset-password`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/email-otp/reset-password", |api| Box::pin(answer(api)))
        .about("Sets a new password with a code that was sent by mail.")
        .takes([Field::email("email"), Field::secret("otp"), Field::secret("password")])
        .answers(Shape::success())
        .refuses(StatusCode::BAD_REQUEST, [INVALID_OTP, OTP_EXPIRED, codes::PASSWORD_TOO_SHORT])
        .refuses(StatusCode::FORBIDDEN, [TOO_MANY_ATTEMPTS])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (email, otp, password) = (body.text("email"), body.secret("otp"), body.secret("password"));
    body.finish()?;
    reset_password(api, &email, &otp, &password).await?;
    Reply::json(&json!({ "success": true }))
}

/// Sets a new password with a code that was sent by mail. What else ends with it is what ends with a
/// [reset by link](Api::reset_password).
pub async fn reset_password(api: &mut Api, email: &str, otp: &Secret, password: &Secret) -> Result<()> {
    let options = options(api)?;
    let email = email.to_lowercase();
    api.check_email(&email)?;
    api.check_new_password(password, "", &email).await?;
    let user = api.user_by_email(&email).await?;
    let right =
        Slot::new(EmailOtpType::ForgetPassword, &email, user.as_ref()).check(api, &options, otp).await?;
    let user = user.ok_or_else(|| codes::USER_NOT_FOUND.bad_request())?;
    // Only now is it known what they are called. Another password goes with the same code.
    if let Err(refusal) = api.check_new_password(password, &user.name, &email).await {
        return Err(right.kept_for(api, refusal).await);
    }
    let mut changes = api.changes();
    right.spend_in(api, &mut changes).await?;
    match api.reset_password_with(changes, user, password).await? {
        Commit::Done => Ok(()),
        Commit::Lost => Err(INVALID_OTP.bad_request()),
    }
}
