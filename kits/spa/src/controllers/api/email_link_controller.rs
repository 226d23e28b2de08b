use housekey::auth::api;
use housekey::auth::engine::EmailLink;
use housekey::prelude::*;
use serde::Serialize;

use crate::requests::auth::TokenRequest;

/// What a link in a mail about an address does.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase", tag = "purpose")]
pub enum EmailLinkAnswer {
    /// It proves the address of the account.
    Proves,
    /// The holder of the old address agrees to the new one.
    AgreesTo {
        /// The new address.
        email: String,
    },
    /// The account moves to the new address.
    MovesTo {
        /// The new address.
        email: String,
    },
}

/// `POST /api/email-link`: what the token is for, so that nobody agrees to what they have not read. It spends nothing; a
/// token that was used or is too old is a 404.
pub async fn show(Valid(form): Valid<TokenRequest>) -> Result<Json<EmailLinkAnswer>> {
    let link = api()?.email_link(form.token.reveal()).await.or_http_error()?;
    Ok(Json(match link.ok_or_else(Error::not_found)? {
        EmailLink::Proves => EmailLinkAnswer::Proves,
        EmailLink::AgreesTo(email) => EmailLinkAnswer::AgreesTo { email },
        EmailLink::MovesTo(email) => EmailLinkAnswer::MovesTo { email },
    }))
}
