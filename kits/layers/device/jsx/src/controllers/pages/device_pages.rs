use housekey::axum::extract::Query;
use housekey::prelude::*;
use serde::Deserialize;

use super::moment::moment;
use super::private;
use crate::controllers::device::standing::{Standing, decided, refused_code, standing};
use crate::views::pages::{
    DeviceEntry, DeviceQuestion, device_done as device_done_page, device_entry as device_entry_page,
    device_question as device_question_page,
};

/// The code in an address that a device made: for a picture that a phone reads.
#[derive(Deserialize)]
pub struct Complete {
    user_code: Option<String>,
}

/// `GET /device`: a code in the address is filled in, and nothing more.
pub async fn enter(CurrentUser(user): CurrentUser, Query(complete): Query<Complete>) -> View {
    let given = complete.user_code.filter(|code| code.len() <= 64);
    let code = refused_code().or(given).unwrap_or_default();
    private(view(device_entry_page(&DeviceEntry { email: user.email.clone(), code })))
}

/// `GET /device/confirm`: what the device asks for. Only after its code was entered: a link leads to the form.
pub async fn confirm(CurrentUser(user): CurrentUser) -> Result<Response> {
    let form = redirect(&route("device")?).status(StatusCode::FOUND);
    let asked = match standing().await? {
        Standing::Open(asked) => asked,
        Standing::Over(why) => return Ok(form.with("warning", why).into_response()),
        Standing::Nothing => return Ok(form.into_response()),
    };
    let props = DeviceQuestion { email: user.email.clone(), at: asked.at.map(moment), asked };
    Ok(private(view(device_question_page(&props))).into_response())
}

/// `GET /device/done`
pub async fn done() -> Result<Response> {
    match decided().await? {
        Some(decision) => Ok(private(view(device_done_page(decision))).into_response()),
        None => Ok(redirect(&route("device")?).status(StatusCode::FOUND).into_response()),
    }
}
