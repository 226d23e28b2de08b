use bytes::Bytes;
use http::{Response, StatusCode};
use serde_json::Value as Json;

use super::{EmailOtpType, send};
use crate::{Api, Result, with_minimum_duration};

/// Sends a code that proves the address to somebody who has just signed up. Where an address that is taken gets the same answer as
/// one that is not, only whoever is really new is sent one, and both wait as long.
pub(super) async fn send_after(api: &mut Api, response: &mut Response<Bytes>) -> Result<()> {
    if !api.request().path().starts_with("/sign-up") || response.status() != StatusCode::OK {
        return Ok(());
    }
    let answer: Json = serde_json::from_slice(response.body()).unwrap_or_default();
    let field = |name: &str| answer.get("user").and_then(|user| user.get(name)).and_then(Json::as_str);
    let (Some(id), Some(email)) = (field("id"), field("email")) else { return Ok(()) };
    let clock = api.clock().clone();
    with_minimum_duration(&clock, async {
        match api.user(id).await? {
            Some(user) if !user.email_verified => {
                send::deliver(api, email, EmailOtpType::EmailVerification).await
            }
            _ => Ok(()),
        }
    })
    .await
}
