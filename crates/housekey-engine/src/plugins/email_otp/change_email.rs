use http::StatusCode;
use serde_json::json;

use super::codes::refusal;
use super::request_email_change::new_address;
use super::row::Slot;
use super::{INVALID_OTP, OTP_EXPIRED, TOO_MANY_ATTEMPTS, options};
use crate::{Api, Endpoint, Field, Reply, Result, Secret, Shape, User};

/// `POST /email-otp/change-email`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/email-otp/change-email", |api| Box::pin(answer(api)))
        .about("Moves the account to a new address with the code that was sent there.")
        .takes([Field::email("newEmail"), Field::secret("otp")])
        .answers(Shape::success())
        .needs_session()
        .refuses(StatusCode::BAD_REQUEST, [INVALID_OTP, OTP_EXPIRED])
        .refuses(StatusCode::FORBIDDEN, [TOO_MANY_ATTEMPTS])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (new_email, otp) = (body.text("newEmail"), body.secret("otp"));
    body.finish()?;
    change_email(api, &new_email, &otp).await?;
    Reply::json(&json!({ "success": true }))
}

/// Moves whoever is signed in to a new address, with the code that was sent there: the address is proven by it. Links that were
/// sent to the old one work no longer.
pub async fn change_email(api: &mut Api, new_email: &str, otp: &Secret) -> Result<User> {
    let options = options(api)?;
    let signed_in = api.require_stored_session().await?;
    let new_email = new_address(api, &options, &signed_in.user, new_email)?;
    let right = Slot::of_change(&signed_in.user, &new_email).check(api, &options, otp).await?;
    if api.user_by_email(&new_email).await?.is_some() {
        return Err(refusal("Email already in use"));
    }
    let mut changes = api.changes();
    right.spend_in(api, &mut changes).await?;
    let moved = api.change_email_with(changes, &signed_in, &new_email).await?;
    moved.ok_or_else(|| INVALID_OTP.bad_request())
}
