use housekey::auth::engine::{SignIn, SignInEmail, codes};
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
    let signed_in = api()?.sign_in_email(input).await;
    // Only whoever gave the right password hears this.
    if signed_in.as_ref().is_err_and(|error| error.is(codes::EMAIL_NOT_VERIFIED)) {
        let message = t("Your address is not confirmed yet. We sent you the link again: open it, then sign in.", &[]);
        return Ok(redirect(places::CHECK_MAIL).with("status", message));
    }
    // Whatever else is wrong, the answer is the same: it must not tell which addresses have an account.
    match signed_in.refuse_at("email")? {
        SignIn::Done(_) => intended(places::DASHBOARD).await,
        SignIn::Challenged(_) => Ok(redirect(places::TWO_FACTOR_CHALLENGE)),
    }
}

/// `POST /sign-out`
pub async fn destroy() -> Result<Redirect> {
    api()?.sign_out().await.refuse()?;
    Ok(redirect(places::HOME).with("status", t("You are signed out.", &[])))
}
