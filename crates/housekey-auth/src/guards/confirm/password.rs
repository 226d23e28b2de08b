use axum::Json;
use axum::response::IntoResponse;
use housekey_core::translation::t;
use housekey_core::{Error, FieldErrors, Result, Secret};
use housekey_http::validation::Validated;
use housekey_http::{RequestContext, Response};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use super::page::ConfirmForm;
use super::{replay, window};
use crate::{Auth, Feature, OrHttpError, api};

// No rules: a form that is sent back by validation would lose the refused request.
/// What the confirm form sends.
#[derive(Debug, Default, Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(optional_fields = nullable))]
#[serde(default)]
pub struct Confirmation {
    pub password: Secret,
    /// The request that was refused, sealed.
    pub replay: Option<String>,
}

/// Answers the confirm form: opens the window if the password is right, and carries out the refused request or goes to
/// `otherwise`.
///
/// A wrong password is 422 on the field `password`: as JSON, or as the page again, the refused request still in it. A
/// JSON client whose password is right gets `{ "confirmed": true }` and repeats its request itself.
pub async fn confirm_password(given: Confirmation, otherwise: &str) -> Result<Response> {
    let json = RequestContext::current().is_some_and(|context| context.wants_json());
    let sealed = given.replay.filter(|sealed| !sealed.is_empty());
    match confirm(&given.password).await {
        Ok(()) if json && sealed.is_none() => Ok(Json(json!({ "confirmed": true })).into_response()),
        Ok(()) => replay(sealed.as_deref(), otherwise).await,
        Err(error) => match error.field_errors().and_then(|errors| errors.first("password")) {
            Some(message) if !json => {
                let form = ConfirmForm::new(sealed, Some(message.to_owned()), has_password().await?);
                Ok(form.answer(StatusCode::UNPROCESSABLE_ENTITY).await)
            }
            _ => Err(error),
        },
    }
}

/// Opens the window of `password.confirm` if this is the password of whoever is signed in. A wrong one is 422 on the field
/// `password`, and closes the window. How often one may try is the route's business: put a `throttle` in front.
pub async fn confirm(password: &Secret) -> Result<()> {
    if password.is_empty() {
        let mut errors = FieldErrors::new();
        errors.add("password", t("The password is required."));
        return Err(Error::invalid(errors));
    }
    let auth = Auth::current()?;
    let mut api = api()?;
    // From the store: a copy in a cookie may speak of a session that was ended elsewhere.
    let signed_in = api.require_stored_session().await.or_http_error()?;
    let verified = api.verify_password(&signed_in.user, password).await;
    if verified.is_err() {
        window::close(&auth, &signed_in.session).await?;
    }
    verified.or_field_error("password")?;
    window::open(&auth, &api, &signed_in.user, &signed_in.session, "password").await
}

/// Opens the window of `password.confirm` after another proof that whoever is signed in is there in person, a passkey say.
/// The proof is the caller's business; `method` names it.
pub async fn confirm_with(method: &str) -> Result<()> {
    let auth = Auth::current()?;
    let mut api = api()?;
    let signed_in = api.require_stored_session().await.or_http_error()?;
    window::open(&auth, &api, &signed_in.user, &signed_in.session, method).await
}

/// Whether the window of `password.confirm` is open: for a page that shows more then. Nobody who is not signed in has one.
pub async fn is_confirmed() -> Result<bool> {
    let Some((user, session)) = crate::user().zip(crate::session()) else { return Ok(false) };
    window::is_open(&*Auth::current()?, &api()?, &user, &session).await
}

/// Whether whoever is signed in has a password that they can enter.
pub(super) async fn has_password() -> Result<bool> {
    match crate::user() {
        Some(_) if !Auth::current()?.offers(Feature::Password) => Ok(false),
        Some(user) => api()?.has_password(&user).await.or_http_error(),
        None => Ok(true),
    }
}
