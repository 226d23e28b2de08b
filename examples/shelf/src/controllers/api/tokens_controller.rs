use housekey::auth::api;
use housekey::auth::engine::{SignIn, SignInEmail};
use housekey::prelude::*;
use serde::Serialize;

use crate::requests::api::NewTokenRequest;

/// What to send as `authorization: Bearer …`.
#[typescript]
#[derive(Serialize)]
pub struct Token {
    pub token: String,
}

/// `POST /api/tokens`
pub async fn store(Valid(form): Valid<NewTokenRequest>) -> Result<Json<Token>> {
    let input = SignInEmail { email: form.email, password: form.password, ..default() };
    let mut api = api()?;
    match api.sign_in_email(input).await.or_field_error("email")? {
        SignIn::Done(_) => {
            let token =
                api.session_token_to_set().ok_or_else(|| Error::internal("a sign-in set no token"))?;
            Ok(Json(Token { token }))
        }
        SignIn::Challenged(_) => Err(Error::forbidden(t("This account asks for more than a password."))),
    }
}
