use housekey::auth::api;
use housekey::auth::engine::ChangePassword;
use housekey::prelude::*;

use crate::requests::settings::{NewPasswordRequest, PasswordRequest};

/// `POST /settings/password`: the first one of an account that has none.
pub async fn store(
    CurrentUser(user): CurrentUser,
    Valid(form): Valid<NewPasswordRequest>,
) -> Result<Redirect> {
    api()?.set_password(&user, &form.password).await.or_field_error("password")?;
    Ok(back().with("status", t("You can sign in with your password now.")))
}

/// `PUT /settings/password`
pub async fn update(Valid(form): Valid<PasswordRequest>) -> Result<Redirect> {
    let input = ChangePassword {
        current_password: form.current_password,
        new_password: form.password,
        revoke_other_sessions: form.sign_out_others,
    };
    api()?.change_password(input).await.or_new_password_error("password", "current_password")?;
    Ok(back().with("status", t("Your password is changed.")))
}
