use housekey::auth::engine::SignUpEmail;
use housekey::auth::{Auth, api, guards::intended};
use housekey::prelude::*;

use crate::places;
use crate::requests::auth::SignUpRequest;

/// `POST /sign-up`: where `config/auth.rs` closes it, it is not there.
pub async fn store(Valid(form): Valid<SignUpRequest>) -> Result<Redirect> {
    let auth = Auth::current()?;
    let options = &auth.config().engine.email_and_password;
    if !options.enabled || options.disable_sign_up {
        return Err(Error::not_found());
    }
    let input = SignUpEmail {
        name: form.name,
        email: form.email,
        password: form.password.reveal().into(),
        ..Default::default()
    };
    let signed_up = api()?.sign_up_email(input).await.refuse_at("email")?;
    match signed_up.session {
        Some(_) => intended(places::DASHBOARD).await,
        None => {
            Ok(redirect(places::SIGN_IN)
                .with("status", t("We sent you a mail. Open its link to go on.", &[])))
        }
    }
}
