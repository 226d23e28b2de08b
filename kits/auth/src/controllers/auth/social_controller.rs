use housekey::auth::engine::social::SignInSocial;
use housekey::auth::engine::{ApiError, codes};
use housekey::auth::{SocialProvider, api, social_providers};
use housekey::prelude::*;

use super::last_used;
use super::leaving::leave_for;
use super::social_errors::explain;
use crate::requests::auth::SocialRequest;

/// `POST /auth/social/{provider}`: on to the provider, which sends the browser back to the engine. The engine ends it where a
/// sign-in ends, at the page for the second factor, or at the page it began on with the reason of a refusal. It leads to no
/// other site, whatever `return_to` says.
pub async fn start(Path(id): Path<String>, Valid(form): Valid<SocialRequest>) -> Result<Response> {
    let provider = configured(&id)?;
    let page = if user().is_some() { "settings.account" } else { "sign-in" };
    let input = SignInSocial {
        provider: provider.id.clone(),
        callback_url: Some(form.return_to.map_or_else(|| route("signed-in"), Ok)?),
        error_callback_url: Some(format!("{}?provider={}", route(page)?, provider.id)),
        request_sign_up: Some(form.sign_up),
        ..default()
    };
    match api()?.sign_in_social(input).await {
        Ok(start) => {
            last_used::remember(&provider.id);
            leave_for(&start.url, &provider.name)
        }
        Err(error) => refused(error, &provider, page),
    }
}

/// The provider with this id. One without its variables in `.env` does not exist.
pub fn configured(id: &str) -> Result<SocialProvider> {
    social_providers().into_iter().find(|provider| provider.id == id).ok_or_else(Error::not_found)
}

/// Why it did not even begin. A provider that says nothing when it is asked where people go is out of reach: `page` tells, and
/// the log why.
pub fn refused(error: ApiError, provider: &SocialProvider, page: &str) -> Result<Response> {
    const OUT_OF_REACH: &str = "temporarily_unavailable";
    if error.status().is_client_error() && !error.is(codes::PROVIDER_NOT_FOUND) {
        return Err(error).or_http_error();
    }
    if wants_json() {
        let message = explain(OUT_OF_REACH, Some(&provider.id));
        return Err(Error::new(StatusCode::SERVICE_UNAVAILABLE, message));
    }
    let page = route(page)?;
    Ok(redirect(&format!("{page}?provider={}&error={OUT_OF_REACH}", provider.id)).into_response())
}
