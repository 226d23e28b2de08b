use http::StatusCode;

use super::row::Slot;
use super::{EmailOtpType, options};
use crate::{Api, ApiError, Result};

/// Makes a code without sending it, for server code that sends it in a way of its own. It takes the place of the one before.
pub async fn create_code(api: &mut Api, email: &str, kind: EmailOtpType) -> Result<String> {
    let options = options(api)?;
    Slot::new(kind, &email.to_lowercase(), None).issue(api, &options).await
}

/// The code that works for an address now, where codes are stored in a way that can be read again. For tests and support; there
/// is no endpoint.
pub async fn code(api: &Api, email: &str, kind: EmailOtpType) -> Result<Option<String>> {
    let options = options(api)?;
    match Slot::new(kind, &email.to_lowercase(), None).read(api, &options).await? {
        None => Ok(None),
        Some(Some(otp)) => Ok(Some(otp)),
        Some(None) => Err(ApiError::message_only(
            StatusCode::BAD_REQUEST,
            "OTP is hashed, cannot return the plain text OTP",
        )),
    }
}
