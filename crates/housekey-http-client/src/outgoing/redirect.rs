//! Where an answer sends a request, and what goes along.

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, LOCATION, USER_AGENT};
use http::{HeaderMap, Method};

use super::hop::{Answer, Hop, Left};
use crate::HttpError;
use crate::body::RequestBody;

/// The next request; `None` when this is the answer. `body` is what was sent, where it can be sent again.
pub(super) fn next(left: Left, body: Option<RequestBody>, answer: &Answer) -> Result<Option<Hop>, HttpError> {
    let repeats = match answer.status.as_u16() {
        301..=303 => false,
        307 | 308 => true,
        _ => return Ok(None),
    };
    let Some(location) = answer.headers.get(LOCATION).and_then(|value| value.to_str().ok()) else {
        return Ok(None);
    };
    let Left { method, url, mut headers, allow_private_addresses } = left;
    let origin = url.origin().ascii_serialization();
    let target = url
        .join(location)
        .map_err(|_| HttpError::answer(format!("{origin} redirects to an address that is none")))?;
    if url.scheme() == "https" && target.scheme() != "https" {
        return Err(HttpError::refused(format!("{origin} redirects to an address without TLS")));
    }
    let is_elsewhere = target.origin() != url.origin();

    let keeps_method = repeats || matches!(method, Method::GET | Method::HEAD);
    let (method, body) = if keeps_method {
        let body = body.ok_or_else(|| {
            HttpError::answer(format!(
                "{origin} redirects what can be sent only once, because it is a stream"
            ))
        })?;
        (method, body)
    } else {
        (Method::GET, RequestBody::Bytes(Bytes::new()))
    };
    if is_elsewhere && !body.is_empty() {
        return Err(HttpError::refused(format!(
            "{origin} redirects to another host, which may not have what was sent to this one"
        )));
    }
    if is_elsewhere {
        headers = known(&headers);
    }
    if body.is_empty() {
        headers.remove(CONTENT_TYPE);
    }
    // Who lets us ask one host of our own network does not let that host, or one on the internet, send us to others.
    let allow_private_addresses = allow_private_addresses && !is_elsewhere;
    Ok(Some(Hop { method, url: target, headers, body, allow_private_addresses }))
}

/// What another host may know of a request: not its token, and no header whose meaning we do not know.
fn known(headers: &HeaderMap) -> HeaderMap {
    let for_others = [ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, USER_AGENT];
    let known = headers.iter().filter(|(name, _)| for_others.contains(name));
    known.map(|(name, value)| (name.clone(), value.clone())).collect()
}
