use bytes::Bytes;
use http::header::ACCESS_CONTROL_EXPOSE_HEADERS;
use http::{HeaderName, HeaderValue, Response};

use super::generate::token_for;
use super::options;
use crate::{Api, Result};

const SET_OTT: HeaderName = HeaderName::from_static("set-ott");

/// Answers a sign-in with a token, in a header that pages of other origins may read.
pub(super) async fn hand_out(api: &mut Api, response: &mut Response<Bytes>) -> Result<()> {
    let Some(signed_in) = api.new_session() else { return Ok(()) };
    let options = options(api)?;
    let token = token_for(api, &options, &signed_in.session).await?;
    let Ok(mut token) = HeaderValue::try_from(token.reveal()) else { return Ok(()) };
    token.set_sensitive(true);
    let headers = response.headers_mut();
    headers.insert(SET_OTT, token);
    let exposed = headers.get(ACCESS_CONTROL_EXPOSE_HEADERS).and_then(|value| value.to_str().ok());
    let exposed = exposed.map_or_else(|| SET_OTT.to_string(), |others| format!("{others}, {SET_OTT}"));
    if let Ok(exposed) = HeaderValue::try_from(exposed) {
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    Ok(())
}
