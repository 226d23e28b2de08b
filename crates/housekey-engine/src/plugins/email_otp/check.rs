use serde_json::json;

use super::row::Slot;
use super::{EmailOtpType, options};
use crate::{Api, Endpoint, Field, Reply, Result, Secret, Shape, codes};

/// `POST /email-otp/check-verification-otp`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/email-otp/check-verification-otp", |api| Box::pin(answer(api)))
        .about("Says whether a code is right, and leaves it. A wrong one counts as everywhere.")
        .takes([Field::email("email"), Field::choice("type", EmailOtpType::NAMES), Field::secret("otp")])
        .answers(Shape::success())
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let email = body.text("email");
    let kind = body.choice("type", &EmailOtpType::NAMES).and_then(EmailOtpType::named);
    let otp = body.secret("otp");
    body.finish()?;
    check(api, &email, kind.unwrap_or(EmailOtpType::ChangeEmail), &otp).await?;
    Reply::json(&json!({ "success": true }))
}

/// Says whether a code is right, and leaves it for whoever spends it: for a form that asks for something else afterwards.
pub async fn check(api: &mut Api, email: &str, kind: EmailOtpType, otp: &Secret) -> Result<()> {
    let options = options(api)?;
    let email = email.to_lowercase();
    api.check_email(&email)?;
    let user = api.user_by_email(&email).await?;
    let right = Slot::new(kind, &email, user.as_ref()).check(api, &options, otp).await?;
    right.give_back(api).await?;
    if user.is_some() { Ok(()) } else { Err(codes::USER_NOT_FOUND.bad_request()) }
}
