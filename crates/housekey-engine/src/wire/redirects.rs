//! Addresses in requests that a browser will be sent to.

use http::{Method, StatusCode};
use serde_json::Value;

use super::csrf::origin_check_is_off;
use crate::error::ErrorCode;
use crate::{Api, ApiError, Result, codes};

/// The field, what messages call it, and the refusal.
const PARAMETERS: [(&str, &str, ErrorCode); 4] = [
    ("callbackURL", "callbackURL", codes::INVALID_CALLBACK_URL),
    ("redirectTo", "redirectURL", codes::INVALID_REDIRECT_URL),
    ("errorCallbackURL", "errorCallbackURL", codes::INVALID_ERROR_CALLBACK_URL),
    ("newUserCallbackURL", "newUserCallbackURL", codes::INVALID_NEW_USER_CALLBACK_URL),
];

/// Checks every such address of a request that is not a GET.
pub(crate) async fn check_redirects(api: &Api) -> Result<()> {
    let incoming = api.request();
    if incoming.method == Method::GET || origin_check_is_off(api) {
        return Ok(());
    }
    for (name, label, code) in PARAMETERS {
        match incoming.field(name) {
            Some(Value::String(target)) => check(api, target, code).await?,
            Some(Value::Null) | None => {}
            Some(_) => {
                let message = format!("Invalid {label}: expected a string");
                return Err(ApiError::message_only(StatusCode::BAD_REQUEST, message));
            }
        }
    }
    match incoming.query("callbackURL") {
        Some(target) => check(api, &target, codes::INVALID_CALLBACK_URL).await,
        None => Ok(()),
    }
}

/// Checks the `callbackURL` of a link that is opened with GET.
pub(crate) async fn check_callback(api: &Api, target: Option<&str>) -> Result<()> {
    match target {
        Some(target) if !origin_check_is_off(api) => check(api, target, codes::INVALID_CALLBACK_URL).await,
        _ => Ok(()),
    }
}

/// Checks an address that code gives instead of a request: the same rule for both.
pub(crate) async fn check_target(api: &Api, target: Option<&str>, code: ErrorCode) -> Result<()> {
    match target {
        Some(target) if !origin_check_is_off(api) => check(api, target, code).await,
        _ => Ok(()),
    }
}

/// Whether a browser may be sent to an address that was kept for a while.
pub(crate) async fn may_redirect(api: &Api, target: &str) -> bool {
    origin_check_is_off(api) || api.origins().await.trust_link(target)
}

async fn check(api: &Api, target: &str, code: ErrorCode) -> Result<()> {
    if target.is_empty() || api.origins().await.trust_link(target) { Ok(()) } else { Err(code.forbidden()) }
}
