use housekey::auth::api;
use housekey::auth::engine::VerifiedEmail;
use housekey::prelude::*;

use crate::controllers::settings::profile_controller::pending_email;
use crate::places;
use crate::requests::auth::TokenRequest;

/// `POST /verify-email/resend`
pub async fn resend(CurrentUser(user): CurrentUser) -> Result<Redirect> {
    if user.email_verified {
        return Ok(redirect(places::DASHBOARD));
    }
    api()?.send_verification_email(&user.email, None).await.refuse()?;
    Ok(back().with("status", t("A new link is on its way.", &[])))
}

/// `POST /verify-email/confirm`: spends the token of the mail that proves an address.
pub async fn confirm(Valid(form): Valid<TokenRequest>) -> Result<Redirect> {
    finish(&form.token).await
}

/// `POST /change-email/confirm`: the holder of the old address agrees.
pub async fn confirm_change(Valid(form): Valid<TokenRequest>) -> Result<Redirect> {
    finish(&form.token).await
}

async fn finish(token: &Secret) -> Result<Redirect> {
    let verified = api()?.verify_email(token.reveal(), None).await.refuse_at("token")?;
    let to = if user().is_some() { places::DASHBOARD } else { places::SIGN_IN };
    let message = match verified {
        VerifiedEmail::Proven => t("Your address is confirmed.", &[]),
        VerifiedEmail::AskedNewAddress => {
            t("One step is left: open the link that we sent to the new address.", &[])
        }
        VerifiedEmail::Changed(user) => {
            pending_email::forget(&user.id).await?;
            t("Your account has its new address.", &[])
        }
    };
    Ok(redirect(to).with("status", message))
}
