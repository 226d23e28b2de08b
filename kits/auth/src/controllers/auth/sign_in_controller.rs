use housekey::auth::engine::{SignIn, SignInEmail};
use housekey::auth::{api, guards::intended};
use housekey::prelude::*;

use crate::places;
use crate::requests::auth::SignInRequest;

/// `POST /sign-in`
pub async fn store(Valid(form): Valid<SignInRequest>) -> Result<Redirect> {
    let input = SignInEmail {
        email: form.email,
        password: form.password.reveal().into(),
        remember_me: Some(form.remember),
        ..Default::default()
    };
    // Whatever is wrong, the answer is the same: it must not tell which addresses have an account.
    match api()?.sign_in_email(input).await.refuse_at("email")? {
        SignIn::Done(_) => intended(places::DASHBOARD).await,
        SignIn::Challenged(_) => Ok(redirect(places::TWO_FACTOR_CHALLENGE)),
    }
}

/// `POST /sign-out`
pub async fn destroy() -> Result<Redirect> {
    api()?.sign_out().await.refuse()?;
    Ok(redirect(places::HOME).with("status", t("You are signed out.", &[])))
}
