//! Protection against forged writes (`spec: MID-8`).
//!
//! A write must carry the session's token, in the header `x-csrf-token` or in the form field `_token`; another
//! site can make a browser send the cookie, but cannot read the token. It is derived from the session's id, so it
//! changes when the id does, and asking for it writes nothing. Routes that prove their callers otherwise (an API
//! with bearer tokens, a webhook) opt out by `without_csrf()`.

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart};
use housekey_core::{Error, Result};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};

use crate::kernel::body;
use crate::validation::{body_error, multipart_error};
use crate::{Request, RequestContext};

/// The header that scripts send the token in.
pub const HEADER: &str = "x-csrf-token";

/// The form field that carries the token.
pub const FIELD: &str = "_token";

/// The token of the present session; empty outside a request. Asking for it gives the visitor a session cookie.
pub fn csrf_token() -> String {
    RequestContext::look(|context| context.session().csrf_token()).unwrap_or_default()
}

/// Lets a write through if it carries the session's token, and answers 419 otherwise. The handler gets the body as
/// it was sent.
pub(crate) async fn verify(context: &RequestContext, request: Request) -> Result<Request> {
    if !context.session().may_accept_a_token() {
        // No token could be right, so a stranger's body is not held in memory to look for one.
        body::discard(request).await;
        return Err(Error::csrf_mismatch());
    }
    if let Some(token) = request.headers().get(HEADER) {
        let token = token.to_str().unwrap_or_default().to_owned();
        return accept(context, &token, request).await;
    }
    let form = Form::of(request.headers()).ok_or_else(Error::csrf_mismatch)?;
    let (parts, body) = request.into_parts();
    let bytes = Bytes::from_request(Request::from_parts(parts.clone(), body), &())
        .await
        .map_err(|rejection| body_error(rejection.status()))?;
    let token = match form {
        Form::Encoded => encoded_token(&bytes),
        Form::Multipart(boundary) => multipart_token(boundary, bytes.clone()).await?,
    };
    let request = Request::from_parts(parts, Body::from(bytes));
    accept(context, &token.ok_or_else(Error::csrf_mismatch)?, request).await
}

async fn accept(context: &RequestContext, token: &str, request: Request) -> Result<Request> {
    match context.session().accepts_token(token).await? {
        true => Ok(request),
        false => Err(Error::csrf_mismatch()),
    }
}

/// The kinds of body a browser's form can send.
enum Form {
    Encoded,
    Multipart(HeaderValue),
}

impl Form {
    fn of(headers: &HeaderMap) -> Option<Self> {
        let header = headers.get(CONTENT_TYPE)?;
        let kind = header.to_str().ok()?.split(';').next()?.trim();
        if kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Some(Self::Encoded);
        }
        kind.eq_ignore_ascii_case("multipart/form-data").then(|| Self::Multipart(header.clone()))
    }
}

fn encoded_token(body: &[u8]) -> Option<String> {
    form_urlencoded::parse(body).find_map(|(name, value)| (name == FIELD).then(|| value.into_owned()))
}

async fn multipart_token(boundary: HeaderValue, body: Bytes) -> Result<Option<String>> {
    let mut request = Request::new(Body::from(body));
    request.headers_mut().insert(CONTENT_TYPE, boundary);
    // It was read within the route's limit; axum's own would stop at 2 MB.
    DefaultBodyLimit::disable().apply(&mut request);
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|_| Error::bad_request("The form has no boundary between its fields."))?;
    while let Some(field) = form.next_field().await.map_err(|error| multipart_error(&error))? {
        if field.name() == Some(FIELD) && field.file_name().is_none() {
            return field.text().await.map(Some).map_err(|error| multipart_error(&error));
        }
    }
    Ok(None)
}
