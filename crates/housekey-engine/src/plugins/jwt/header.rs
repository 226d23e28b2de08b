use bytes::Bytes;
use http::header::ACCESS_CONTROL_EXPOSE_HEADERS;
use http::{HeaderName, HeaderValue, Response};

use super::token::token;
use crate::{Api, Result};

const SET_AUTH_JWT: HeaderName = HeaderName::from_static("set-auth-jwt");
/// What servers and proxies take of one header, mostly. A user whose picture stands in the row is longer.
const LONGEST: usize = 8 * 1024;

/// Gives a token to whoever reads their session.
pub(super) async fn set(api: &mut Api, response: &mut Response<Bytes>) -> Result<()> {
    // A framework's own pages end with this hook as well; they have no body yet, and nobody asked them for a token.
    let is_answer = api.request().path() == "/get-session" && !response.body().is_empty();
    let somebody = api.known_session().flatten().is_some();
    if !is_answer || !somebody || !response.status().is_success() {
        return Ok(());
    }
    // Boxed: every answer ends with this hook, and few of them need the room that making a token takes.
    let token = match Box::pin(token(api)).await {
        Ok(token) if token.len() <= LONGEST => HeaderValue::try_from(token).ok(),
        Ok(token) => {
            tracing::debug!(length = token.len(), "a token is too long for a header; GET /token has it");
            None
        }
        // The session is there, and is what was asked for.
        Err(error) => {
            tracing::error!(%error, "no token could be given with the session");
            None
        }
    };
    let Some(token) = token else { return Ok(()) };
    response.headers_mut().insert(SET_AUTH_JWT, token);
    expose(response);
    Ok(())
}

/// Lets scripts of other origins read it, where they may read the answer.
fn expose(response: &mut Response<Bytes>) {
    let exposed = response.headers().get(ACCESS_CONTROL_EXPOSE_HEADERS).and_then(|value| value.to_str().ok());
    let exposed =
        exposed.map_or_else(|| SET_AUTH_JWT.to_string(), |others| format!("{others}, {SET_AUTH_JWT}"));
    if let Ok(exposed) = HeaderValue::try_from(exposed) {
        response.headers_mut().insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}
