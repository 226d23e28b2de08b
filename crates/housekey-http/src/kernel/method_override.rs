use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use housekey_core::{Error, Result};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method};
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt, Limited};

use super::body::too_slow;
use crate::Request;

/// Whether [`apply`] would look at this request at all.
pub(super) fn may_apply(request: &Request) -> bool {
    request.method() == Method::POST
}

/// Lets a form speak methods that browsers' forms do not know: a `POST` with the field `_method`, or with the header
/// `x-http-method-override`, counts as the `PUT`, `PATCH` or `DELETE` it names.
///
/// A form's body is read for that and put back: all of a plain one, the beginning of one with files. What cannot be
/// read comes back as the error.
pub(super) async fn apply(
    mut request: Request,
    limit: usize,
    timeout: Duration,
) -> Result<Request, (Request, Error)> {
    if let Some(header) = request.headers().get("x-http-method-override") {
        if let Some(method) = allowed(header.as_bytes()) {
            *request.method_mut() = method;
        }
        return Ok(request);
    }
    let Some(form) = Form::of(request.headers()).filter(|_| !request.body().is_end_stream()) else {
        return Ok(request);
    };
    let (mut parts, body) = request.into_parts();
    let reading = async {
        match form {
            Form::Encoded => encoded(body, limit).await,
            Form::Multipart => multipart(body).await,
        }
    };
    match tokio::time::timeout(timeout, reading).await.unwrap_or_else(|_| Err(too_slow())) {
        Ok((body, method)) => {
            parts.method = method.unwrap_or(parts.method);
            Ok(Request::from_parts(parts, body))
        }
        Err(error) => Err((Request::from_parts(parts, Body::empty()), error)),
    }
}

enum Form {
    Encoded,
    Multipart,
}

impl Form {
    fn of(headers: &HeaderMap) -> Option<Self> {
        let content_type = headers.get(CONTENT_TYPE)?.to_str().ok()?;
        let kind = content_type.split(';').next()?.trim();
        if kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Some(Self::Encoded);
        }
        kind.eq_ignore_ascii_case("multipart/form-data").then_some(Self::Multipart)
    }
}

/// Never towards `GET`: that would get around CSRF protection.
fn allowed(name: &[u8]) -> Option<Method> {
    [Method::PUT, Method::PATCH, Method::DELETE]
        .into_iter()
        .find(|method| method.as_str().as_bytes().eq_ignore_ascii_case(name.trim_ascii()))
}

async fn encoded(body: Body, limit: usize) -> Result<(Body, Option<Method>)> {
    let collected = Limited::new(body, limit).collect().await.map_err(|error| {
        if error.is::<http_body_util::LengthLimitError>() {
            return Error::payload_too_large();
        }
        Error::bad_request("The body broke off.").context(error.to_string())
    })?;
    let bytes = collected.to_bytes();
    let named = form_urlencoded::parse(&bytes).find(|(name, _)| name == "_method");
    let method = named.and_then(|(_, value)| allowed(value.as_bytes()));
    Ok((Body::from(bytes), method))
}

/// How far into a form with files the field is looked for. It belongs to its beginning, where `method_field` puts it;
/// the files behind it are not to be held in memory.
const PEEK: usize = 16 * 1024;

async fn multipart(mut body: Body) -> Result<(Body, Option<Method>)> {
    let mut peeked: Vec<u8> = Vec::new();
    let mut method = None;
    while method.is_none() && peeked.len() < PEEK {
        match body.frame().await {
            Some(Ok(frame)) => peeked.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data)),
            Some(Err(error)) => {
                return Err(Error::bad_request("The body broke off.").context(error.to_string()));
            }
            None => break,
        }
        method = field(&peeked).and_then(allowed);
    }
    Ok((Body::new(Peeked { beginning: Some(Bytes::from(peeked)), rest: body }), method))
}

/// A body whose beginning has been looked at. It still says how long it is.
struct Peeked {
    beginning: Option<Bytes>,
    rest: Body,
}

impl HttpBody for Peeked {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match self.beginning.take() {
            Some(beginning) => Poll::Ready(Some(Ok(Frame::data(beginning)))),
            None => Pin::new(&mut self.rest).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.beginning.is_none() && self.rest.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (here, rest) = (self.beginning.as_ref().map_or(0, Bytes::len) as u64, self.rest.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(here.saturating_add(rest.lower()));
        if let Some(upper) = rest.upper() {
            hint.set_upper(here.saturating_add(upper));
        }
        hint
    }
}

/// The value of the field, once all of it is there.
fn field(form: &[u8]) -> Option<&[u8]> {
    let behind = |text: &[u8], needle: &[u8]| {
        text.windows(needle.len()).position(|window| window == needle).map(|at| at + needle.len())
    };
    let form = &form[behind(form, b"name=\"_method\"")?..];
    let value = &form[behind(form, b"\r\n\r\n")?..];
    Some(&value[..behind(value, b"\r\n")? - 2])
}
