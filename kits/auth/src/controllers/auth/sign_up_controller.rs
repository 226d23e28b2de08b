use housekey::auth::engine::{Record, SignUpEmail};
use housekey::auth::{Feature, api, guards::intended, offers};
use housekey::prelude::*;

use super::usernames::is_about_username;
use crate::requests::auth::SignUpRequest;

/// `POST /sign-up`
pub async fn store(Valid(form): Valid<SignUpRequest>) -> Result<Redirect> {
    let fields = match form.username.filter(|name| !name.is_empty() && offers(Feature::Username)) {
        Some(username) => Record::new().with("username", username),
        None => default(),
    };
    let input =
        SignUpEmail { name: form.name, email: form.email, password: form.password, fields, ..default() };
    let signed_up = api()?.sign_up_email(input).await;
    let about_name = signed_up.as_ref().is_err_and(is_about_username);
    let signed_up =
        signed_up.or_new_password_error("password", if about_name { "username" } else { "email" })?;
    match signed_up.session {
        Some(_) => intended(&route("dashboard")?).await,
        // The same for an address that has an account: only its owner hears of it, by mail.
        None => Ok(redirect(&route("verify-email.sent")?)),
    }
}
