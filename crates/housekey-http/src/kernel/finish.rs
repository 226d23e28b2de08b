use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::response::IntoResponse;
use housekey_core::Error;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ORIGIN};
use http::{HeaderValue, Method, StatusCode};

use super::Inner;
use crate::request_id::{RequestId, X_REQUEST_ID};
use crate::{RequestContext, Response};

impl Inner {
    /// What every answer of the application gets on its way out.
    pub(super) fn finish(&self, context: &RequestContext, response: &mut Response) {
        if let Some(cookies) = context.queued_cookies() {
            cookies.write(response.headers_mut());
        }
        if context.is_api() {
            // spec: ERR-2
            let headers = response.headers_mut();
            headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        }
        if let Some(cors) = &self.cors {
            cors.apply(context.uri().path(), context.headers().get(ORIGIN), response);
        }
        self.add_headers(response, context.id(), context.used_nonce(), context.is_secure());
        if context.method() == Method::HEAD {
            drop_body(response);
        }
    }

    /// The headers that even a static file carries.
    pub(super) fn add_headers(
        &self,
        response: &mut Response,
        request_id: &RequestId,
        nonce: Option<&str>,
        secure: bool,
    ) {
        self.security.apply(response, nonce, secure);
        response.headers_mut().insert(X_REQUEST_ID, request_id.to_header());
    }

    /// Turns errors into pages or JSON; leaves everything else as the application made it.
    pub(super) async fn presentable(&self, context: &RequestContext, mut response: Response) -> Response {
        if let Some(error) = response.extensions_mut().remove::<Arc<Error>>() {
            let mut page = self.render(context, &error);
            // What guards added to the answer on its way out.
            let mut headers = std::mem::take(response.headers_mut());
            headers.remove(CONTENT_TYPE);
            headers.remove(CONTENT_LENGTH);
            page.headers_mut().extend(headers);
            // For who calls the kernel itself: a test that fails can say what went wrong inside.
            page.extensions_mut().insert(error);
            return page;
        }
        match as_error(context, response).await {
            Ok(error) => self.render(context, &error),
            Err(response) => response,
        }
    }

    pub(super) async fn save_session(&self, context: &RequestContext, response: Response) -> Response {
        match context.session().finish().await {
            Ok(cookie) => {
                if let Some(cookie) = cookie {
                    context.cookies().queue(cookie);
                }
                response
            }
            // The visitor must not believe that something was kept which was not.
            Err(error) => self.render(context, &error.context("saving the session")),
        }
    }
}

/// A bare status, or the text of an extractor's refusal, is an error too: browsers get the page for it and JSON
/// clients get JSON. What the application wrote itself stays as it is.
async fn as_error(context: &RequestContext, response: Response) -> Result<Error, Response> {
    let status = response.status();
    let size = response.body().size_hint().exact();
    let content_type = response.headers().get(CONTENT_TYPE);
    let is_text = content_type.is_some_and(|value| value.as_bytes().starts_with(b"text/plain"));
    if size == Some(0) && content_type.is_none() {
        return Ok(with_headers_of(&response, Error::new(status, reason(status))));
    }
    let is_refusal = is_text && (context.wants_json() || status == StatusCode::INTERNAL_SERVER_ERROR);
    if !is_refusal || size.is_none_or(|size| size > 4096) {
        return Err(response);
    }
    let (parts, body) = response.into_parts();
    let text = axum::body::to_bytes(body, 4096).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let error = match status {
        // The text of a 500 was written for us, not for the visitor.
        StatusCode::INTERNAL_SERVER_ERROR => Error::internal(text),
        _ => Error::new(status, text),
    };
    Ok(with_headers_of(&Response::from_parts(parts, Body::empty()), error))
}

fn with_headers_of(response: &Response, error: Error) -> Error {
    let own = [CONTENT_TYPE, CONTENT_LENGTH];
    let kept = response.headers().iter().filter(|(name, _)| !own.contains(name));
    kept.fold(error, |error, (name, value)| error.with_header(name.clone(), value.clone()))
}

fn reason(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "You are not signed in.",
        403 => "You are not allowed to do this.",
        404 => "We could not find what you asked for.",
        419 => "This page has expired. Reload it and try again.",
        429 => "Too many attempts. Please wait a moment and try again.",
        503 => "We are not available right now. Please try again shortly.",
        500..=599 => "Something went wrong on our side.",
        _ => status.canonical_reason().unwrap_or("This did not work."),
    }
}

/// `HEAD` gets the head of what `GET` would get.
fn drop_body(response: &mut Response) {
    if let Some(size) = response.body().size_hint().exact()
        && response.status() != StatusCode::NO_CONTENT
    {
        response.headers_mut().entry(CONTENT_LENGTH).or_insert(HeaderValue::from(size));
    }
    *response.body_mut() = Body::empty();
}

/// The last resort when even the error page fails.
pub(super) fn plain(error: &Error) -> Response {
    let mut response = (error.status(), error.message().to_owned()).into_response();
    response.headers_mut().extend(error.headers().clone());
    response
}
