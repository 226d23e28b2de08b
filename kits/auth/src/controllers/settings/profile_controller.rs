use housekey::auth::api;
use housekey::auth::engine::{ChangeEmailTo, Record, UpdateUser};
use housekey::prelude::*;

use crate::requests::settings::{EmailRequest, ProfileRequest, UsernameRequest};

/// `POST /settings/profile`
pub async fn update(Valid(form): Valid<ProfileRequest>) -> Result<Redirect> {
    api()?.update_user(UpdateUser { name: Some(form.name), ..default() }).await.or_field_error("name")?;
    Ok(back().with("status", t("Saved.")))
}

/// `POST /settings/profile/username`
pub async fn change_username(
    CurrentUser(user): CurrentUser,
    Valid(form): Valid<UsernameRequest>,
) -> Result<Redirect> {
    let mut fields = Record::new().with("username", form.username.clone());
    // What others see, as it was typed: `username` itself is in the form in which it is looked up.
    if user.fields.has("displayUsername") {
        fields.set("displayUsername", form.username);
    }
    api()?.update_user(UpdateUser { fields, ..default() }).await.or_field_error("username")?;
    Ok(back().with("status", t("Saved.")))
}

/// `POST /settings/profile/email`: at once for an address that was never confirmed; otherwise its holder is asked first.
/// With an address that somebody else has nothing happens, and the answer is the same.
pub async fn change_email(
    CurrentUser(user): CurrentUser,
    Valid(form): Valid<EmailRequest>,
) -> Result<Redirect> {
    let input = ChangeEmailTo { new_email: form.email, callback_url: None };
    api()?.change_email(input).await.or_field_error("email")?;
    let message = if user.email_verified {
        t!(
            "If nobody has this address yet, a link is on its way to :email. Open it to go on.",
            email = user.email
        )
    } else {
        t("If nobody has this address yet, it is yours now, and a link to confirm it is on its way there.")
    };
    Ok(back().with("status", message))
}

/// `DELETE /settings/profile/email`: the links of the change that is under way do nothing any more.
pub async fn cancel_email() -> Result<Redirect> {
    api()?.cancel_change_email().await.or_http_error()?;
    Ok(back().with("status", t("The address stays as it is.")))
}
