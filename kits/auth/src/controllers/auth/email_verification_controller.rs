use housekey::auth::api;
use housekey::auth::engine::VerifiedEmail;
use housekey::prelude::*;

use crate::requests::auth::{TokenRequest, VerificationLinkRequest};

/// `POST /verify-email/send`: the link once more, for somebody who is not in yet. The same answer, in the same time, whether
/// the address waits for one or not.
pub async fn send(Valid(form): Valid<VerificationLinkRequest>) -> Result<Redirect> {
    api()?.send_verification_email(&form.email, None).await.or_field_error("email")?;
    let message = t("If this address is still to be confirmed, a new link is on its way.");
    Ok(back().with("status", message))
}

/// `POST /verify-email/resend`
pub async fn resend(CurrentUser(user): CurrentUser) -> Result<Redirect> {
    if user.email_verified {
        return Ok(redirect(&route("dashboard")?));
    }
    api()?.send_verification_email(&user.email, None).await.or_http_error()?;
    Ok(back().with("status", t("A new link is on its way.")))
}

/// `POST /verify-email/confirm` and `POST /change-email/confirm`: spends the token of a mail about an address. What it is
/// for stands in the token: proving an address, agreeing to a new one, or moving to it.
pub async fn confirm(Valid(form): Valid<TokenRequest>) -> Result<Redirect> {
    let verified = api()?.verify_email(form.token.reveal(), None).await.or_field_error("token")?;
    let to = route(if user().is_some() { "dashboard" } else { "sign-in" })?;
    let message = match verified {
        VerifiedEmail::Proven => t("Your address is confirmed."),
        VerifiedEmail::AskedNewAddress => {
            t("One step is left: open the link that we sent to the new address.")
        }
        VerifiedEmail::Changed(_) => t("Your account has its new address."),
    };
    Ok(redirect(&to).with("status", message))
}
