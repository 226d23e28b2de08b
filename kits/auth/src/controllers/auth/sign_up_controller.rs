use housekey::auth::engine::SignUpEmail;
use housekey::auth::{api, guards::intended};
use housekey::prelude::*;

use crate::requests::auth::SignUpRequest;

/// `POST /sign-up`
pub async fn store(Valid(form): Valid<SignUpRequest>) -> Result<Redirect> {
    let input = SignUpEmail { name: form.name, email: form.email, password: form.password, ..default() };
    let signed_up = api()?.sign_up_email(input).await.refuse_new_password_at("password", "email")?;
    match signed_up.session {
        Some(_) => intended(&route("dashboard")?).await,
        // The same for an address that has an account: only its owner hears of it, by mail.
        None => Ok(redirect(&route("verify-email.sent")?)),
    }
}
