use housekey::auth::api;
use housekey::auth::engine::SignIn;
use housekey::auth::engine::plugins::magic_link::{self, SendMagicLink};
use housekey::prelude::*;

use super::{last_used, signing_in_again};
use crate::requests::auth::{SignInMailRequest, TokenRequest};

/// `POST /sign-in/link`: a link to sign in with. The same answer, in the same time, whether the address has an account or not.
pub async fn send(Valid(form): Valid<SignInMailRequest>) -> Result<Redirect> {
    let input = SendMagicLink { email: form.email, ..default() };
    magic_link::send(&mut api()?, input).await.or_field_error("email")?;
    last_used::remember("magic-link");
    Ok(redirect(&route("magic-link.sent")?))
}

/// `POST /magic-link`: the button on the page that the link opens. It spends the link: opening the page does not.
// spec: KEY-3
pub async fn store(Valid(form): Valid<TokenRequest>) -> Result<Redirect> {
    let page = signing_in_again::return_to().await?;
    match magic_link::spend(&mut api()?, &form.token).await.or_field_error("token")?.sign_in {
        SignIn::Done(_) => signing_in_again::go_on(page).await,
        SignIn::Challenged(_) => Ok(redirect(&route("two-factor-challenge")?)),
    }
}
