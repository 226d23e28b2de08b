use housekey::prelude::*;

use super::standing::{Standing, look_at, remember_code, remember_refused};
use crate::requests::device::DeviceCodeRequest;

/// `POST /device`: somebody enters the code of their device. From now on nobody else can decide about it; nothing is decided yet.
pub async fn store(Valid(form): Valid<DeviceCodeRequest>) -> Result<Redirect> {
    if let Standing::Over(why) = look_at(&form.user_code).await? {
        if !wants_json() {
            remember_refused(&form.user_code)?;
        }
        let mut errors = FieldErrors::new();
        errors.add("user_code", why);
        return Err(Error::invalid(errors));
    }
    remember_code(&form.user_code)?;
    Ok(redirect(&route("device.confirm")?))
}
