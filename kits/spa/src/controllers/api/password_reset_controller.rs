use housekey::auth::api;
use housekey::prelude::*;
use serde::Serialize;

use crate::requests::auth::TokenRequest;

/// Whose password the link sets.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PasswordReset {
    /// So that a password manager files the new password right.
    pub email: String,
}

/// `POST /api/password-reset`: whose the token is. It spends nothing; a token that was used or is too old is a 404.
pub async fn show(Valid(form): Valid<TokenRequest>) -> Result<Json<PasswordReset>> {
    let owner = api()?.password_reset_owner(&form.token).await.or_http_error()?;
    let owner = owner.ok_or_else(Error::not_found)?;
    Ok(Json(PasswordReset { email: owner.email }))
}
