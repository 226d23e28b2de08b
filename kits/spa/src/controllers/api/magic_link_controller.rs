use housekey::auth::api;
use housekey::auth::engine::plugins::magic_link::inspect;
use housekey::prelude::*;
use serde::Serialize;

use crate::requests::auth::TokenRequest;

/// Whom a link to sign in is for.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MagicLinkAnswer {
    /// The address that it was sent to.
    pub email: String,
    /// Whether it works in this browser; else in the one that asked for it.
    pub is_here: bool,
}

/// `POST /api/magic-link`: who would sign in, so that nobody does as somebody else unawares. It spends nothing; a token that
/// was used or is too old is a 404.
// spec: KEY-3
pub async fn show(Valid(form): Valid<TokenRequest>) -> Result<Json<MagicLinkAnswer>> {
    let link = inspect(&api()?, &form.token).await.or_http_error()?.ok_or_else(Error::not_found)?;
    Ok(Json(MagicLinkAnswer { email: link.email, is_here: link.is_here }))
}
