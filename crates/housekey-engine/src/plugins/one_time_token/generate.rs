use http::StatusCode;
use serde_json::json;

use super::{OneTimeTokenOptions, options};
use crate::{Api, ApiError, Endpoint, Field, Reply, Result, Secret, Session, Shape, random};

const LENGTH: usize = 32;

/// `GET /one-time-token/generate`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/one-time-token/generate", |api| {
        Box::pin(async move {
            api.require_stored_session().await?;
            if options(api)?.disable_client_request {
                let message = "Client requests are disabled";
                return Err(ApiError::message_only(StatusCode::BAD_REQUEST, message));
            }
            let token = generate(api).await?;
            Reply::json(&json!({ "token": token.reveal() }))
        })
    })
    .about("Makes a token that hands the session of whoever is signed in to another browser, once.")
    .answers(Shape::object([Field::secret("token")]))
    .needs_session()
}

/// A token for the session of whoever is signed in.
pub async fn generate(api: &mut Api) -> Result<Secret> {
    let options = options(api)?;
    // Not from a copy in a cookie: a session that was ended must not be handed on.
    let signed_in = api.require_stored_session().await?;
    token_for(api, &options, &signed_in.session).await
}

pub(super) async fn token_for(api: &Api, options: &OneTimeTokenOptions, session: &Session) -> Result<Secret> {
    let token = random::url_safe(LENGTH);
    let identifier = options.identifier(&token);
    api.verifications().create(&identifier, &session.token, options.life()).await?;
    Ok(token.into())
}
