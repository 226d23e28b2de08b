use serde_json::json;

use super::{EmailOtpType, send};
use crate::{Api, Endpoint, Field, Reply, Result, Shape, with_minimum_duration};

/// `POST /email-otp/request-password-reset`
pub(super) fn endpoint() -> Endpoint {
    described(Endpoint::post("/email-otp/request-password-reset", |api| Box::pin(answer(api))))
}

/// `POST /forget-password/email-otp`: where it was before.
pub(super) fn former_endpoint() -> Endpoint {
    described(Endpoint::post("/forget-password/email-otp", |api| Box::pin(answer(api))))
}

fn described(endpoint: Endpoint) -> Endpoint {
    endpoint
        .about("Sends a code that sets a new password. The answer is the same for every address.")
        .takes([Field::email("email")])
        .answers(Shape::success())
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let email = body.text("email");
    body.finish()?;
    request_password_reset(api, &email).await?;
    Reply::json(&json!({ "success": true }))
}

/// Sends a code that [sets a new password](super::reset_password), if the address is known. The caller cannot tell whether it was.
pub async fn request_password_reset(api: &mut Api, email: &str) -> Result<()> {
    let email = email.to_lowercase();
    api.check_email(&email)?;
    let clock = api.clock().clone();
    with_minimum_duration(&clock, send::deliver(api, &email, EmailOtpType::ForgetPassword)).await
}
