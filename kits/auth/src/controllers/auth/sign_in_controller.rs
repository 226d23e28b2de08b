use housekey::auth::engine::plugins::username::{self, SignInUsername};
use housekey::auth::engine::social::SignOut;
use housekey::auth::engine::{SignIn, SignInEmail, codes};
use housekey::auth::{Auth, Feature, api, guards::intended, offers};
use housekey::axum::extract::Query;
use housekey::prelude::*;
use serde::Deserialize;

use super::last_used;
use super::leaving::leave_for;
use crate::requests::auth::SignInRequest;

/// How somebody signed in who comes from elsewhere.
#[derive(Deserialize)]
pub struct SignedInQuery {
    with: Option<String>,
}

/// `POST /sign-in`
pub async fn store(Valid(form): Valid<SignInRequest>) -> Result<Redirect> {
    if offers(Feature::Username) && !form.email.contains('@') {
        return by_username(form).await;
    }
    let input = SignInEmail {
        email: form.email,
        password: form.password,
        remember_me: Some(form.remember),
        ..default()
    };
    let signed_in = api()?.sign_in_email(input).await;
    if Auth::current()?.config().engine.email_and_password.require_email_verification
        && signed_in.as_ref().is_err_and(|error| error.is(codes::INVALID_EMAIL_OR_PASSWORD))
    {
        let mut errors = FieldErrors::new();
        errors.add("email", t("This e-mail and password do not match, or the address is not confirmed yet. If it is not, we sent you the link again."));
        return Err(Error::invalid(errors));
    }
    // Whatever is wrong, the answer is the same: it must not tell which addresses have an account.
    let signed_in = signed_in.or_field_error("email")?;
    go_on(signed_in).await
}

/// The same field takes a name where people have one: an address has an `@`, a name never.
async fn by_username(form: SignInRequest) -> Result<Redirect> {
    let input = SignInUsername {
        username: form.email,
        password: form.password,
        remember_me: Some(form.remember),
        ..default()
    };
    let signed_in = username::sign_in(&mut api()?, input).await;
    // A name that nobody can have is refused like one that nobody has.
    if signed_in.as_ref().is_err_and(|error| error.status() == StatusCode::UNPROCESSABLE_ENTITY) {
        return Err(username::codes::INVALID_USERNAME_OR_PASSWORD.unauthorized()).or_field_error("email");
    }
    go_on(signed_in.or_field_error("email")?).await
}

async fn go_on(signed_in: SignIn) -> Result<Redirect> {
    last_used::remember("password");
    match signed_in {
        SignIn::Done(_) => intended(&route("dashboard")?).await,
        SignIn::Challenged(_) => Ok(redirect(&route("two-factor-challenge")?)),
    }
}

/// `GET /signed-in`: where a sign-in leads that knows nothing of pages. On to what the guest wanted to see.
pub async fn signed_in(Query(query): Query<SignedInQuery>) -> Result<Redirect> {
    if query.with.as_deref() == Some("passkey") {
        last_used::remember("passkey");
    }
    intended(&route("dashboard")?).await
}

/// `POST /sign-out`: also at a provider who wants to hear of it, and sends the browser back.
pub async fn destroy() -> Result<Response> {
    let home = route("home")?;
    let message = t("You are signed out.");
    let input = SignOut { callback_url: Some(home.clone()), ..default() };
    match api()?.sign_out_at_provider(input).await.or_http_error()? {
        Some(page) => {
            session().flash("status", message)?;
            leave_for(&page, &t("the provider"))
        }
        None => Ok(redirect(&home).with("status", message).into_response()),
    }
}
