use http::StatusCode;

use crate::{ApiError, ErrorCode};

/// The code is wrong, was used or was never sent.
pub const INVALID_OTP: ErrorCode = ErrorCode::new("INVALID_OTP", "Invalid OTP");
/// The code is too old.
pub const OTP_EXPIRED: ErrorCode = ErrorCode::new("OTP_EXPIRED", "OTP expired");
/// The code was tried too often and works no longer.
pub const TOO_MANY_ATTEMPTS: ErrorCode = ErrorCode::new("TOO_MANY_ATTEMPTS", "Too many attempts");

/// What the reference refuses without a code.
pub(super) fn refusal(message: &'static str) -> ApiError {
    ApiError::message_only(StatusCode::BAD_REQUEST, message)
}
