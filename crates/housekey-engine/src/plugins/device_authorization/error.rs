//! Refusals in the form of OAuth, `{"error", "error_description"}`, with the words of the reference.

use http::StatusCode;
use http::header::{HeaderValue, PRAGMA};
use serde_json::json;

use crate::{Api, ApiError};

pub(super) const ACCESS_DENIED: &str = "Access denied";
pub(super) const ALREADY_PROCESSED: &str = "Device code already processed";
pub(super) const AUTHENTICATION_REQUIRED: &str = "Authentication required";
pub(super) const AUTHORIZATION_PENDING: &str = "Authorization pending";
pub(super) const EXPIRED_DEVICE_CODE: &str = "Device code has expired";
pub(super) const EXPIRED_USER_CODE: &str = "User code has expired";
pub(super) const INVALID_CLIENT: &str = "Invalid client ID";
pub(super) const INVALID_DEVICE_CODE: &str = "Invalid device code";
pub(super) const INVALID_USER_CODE: &str = "Invalid user code";
pub(super) const NOT_CLAIMED: &str = "Device code has not been claimed by a verifying session; call `GET /device` with the `user_code` while signed in before approving or denying";
pub(super) const POLLING_TOO_FREQUENTLY: &str = "Polling too frequently";

/// 400 with a word for programs and a sentence for people.
pub(super) fn refused(error: &str, description: &str) -> ApiError {
    with_status(StatusCode::BAD_REQUEST, error, description)
}

pub(super) fn with_status(status: StatusCode, error: &str, description: &str) -> ApiError {
    ApiError::json(status, json!({ "error": error, "error_description": description }))
}

/// Says that an answer with a code or a token, and a refusal of one, is nothing to keep: `Pragma` is for caches that know no
/// better (RFC 6749, 5.1). The engine says `Cache-Control` itself.
pub(super) fn keep_nothing(api: &mut Api) {
    api.set_header(PRAGMA, HeaderValue::from_static("no-cache"));
}

/// The same for a refusal that comes before there is anything to answer.
pub(super) fn not_to_keep(refusal: ApiError) -> ApiError {
    refusal.with_header(PRAGMA, HeaderValue::from_static("no-cache"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_the_shape_of_oauth() {
        let error = refused("slow_down", POLLING_TOO_FREQUENTLY);
        assert_eq!(
            error.own_body().unwrap(),
            &json!({ "error": "slow_down", "error_description": "Polling too frequently" })
        );
    }
}
