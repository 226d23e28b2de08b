use housekey::auth::api;
use housekey::auth::engine::ApiError;
use housekey::auth::engine::plugins::device_authorization as device;
use housekey::prelude::*;

use super::standing::{DeviceDecision, Standing, look_at, remember_decision, why_not};
use crate::requests::device::DeviceCodeRequest;

/// `POST /device/approve`: lets the device in. The form names the code that stood on its page: another window may be about another
/// device by now.
pub async fn approve(Valid(form): Valid<DeviceCodeRequest>) -> Result<Redirect> {
    let outcome = device::approve(&mut api()?, &form.user_code).await;
    go_on(outcome, &form.user_code, DeviceDecision::Approved).await
}

/// `POST /device/deny`: turns it away.
pub async fn deny(Valid(form): Valid<DeviceCodeRequest>) -> Result<Redirect> {
    let outcome = device::deny(&mut api()?, &form.user_code).await;
    go_on(outcome, &form.user_code, DeviceDecision::Denied).await
}

async fn go_on(
    outcome: std::result::Result<(), ApiError>,
    code: &str,
    decision: DeviceDecision,
) -> Result<Redirect> {
    let Err(error) = outcome else {
        remember_decision(code, decision).await?;
        return Ok(redirect(&route("device.done")?));
    };
    let mut why = why_not(error)?;
    // The engine has one word for a code that never was and for one that was decided.
    if let Standing::Over(reason) = look_at(code).await? {
        why = reason;
    }
    if wants_json() {
        let mut errors = FieldErrors::new();
        errors.add("user_code", why);
        return Err(Error::invalid(errors));
    }
    // Not back: there is nothing left to ask there.
    Ok(redirect(&route("device")?).with("warning", why))
}
