use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum_core::body::Body;
use axum_core::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::{Value, json};

use crate::FieldErrors;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The one error type.
///
/// An error has two faces. The *public* one (status, message, code, field errors, headers) is what a client gets,
/// as JSON or as a page. The *private* one ([`ErrorNote`]s and the source chain) goes to the log and to the
/// development page, never to a client in production.
///
/// Any standard error turns into a 500 by `?`; its text stays private. That is why this type cannot implement
/// [`std::error::Error`] itself. Where one is wanted, it becomes one by `?` and `into`, as in a stream's items:
///
/// ```
/// use axum_core::body::Body;
/// use housekey_core::{Error, Result};
///
/// fn rows() -> impl Iterator<Item = Result<String>> {
///     [Ok("id,title\n".to_owned()), Err(Error::internal("the table is gone"))].into_iter()
/// }
///
/// fn first_row() -> std::result::Result<String, Box<dyn std::error::Error + Send + Sync>> {
///     Ok(rows().next().unwrap_or_else(|| Err(Error::not_found()))?)
/// }
///
/// let streamed = Body::from_stream(futures_util::stream::iter(rows()));
/// assert_eq!(first_row().unwrap(), "id,title\n");
/// # drop(streamed);
/// ```
///
/// ```
/// use housekey_core::{Error, Result};
///
/// fn port(text: &str) -> Result<u16> {
///     Ok(text.parse()?)
/// }
///
/// let error = port("eighty").unwrap_err();
/// assert_eq!(error.status(), 500);
/// assert_eq!(error.message(), "Something went wrong on our side.");
/// assert_eq!(error.source_chain(), ["invalid digit found in string"]);
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    status: StatusCode,
    message: Cow<'static, str>,
    code: Option<&'static str>,
    fields: Option<FieldErrors>,
    headers: HeaderMap,
    notes: Vec<ErrorNote>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// A private remark on an [`Error`]: what the code was doing, and where.
#[derive(Clone, Debug)]
pub struct ErrorNote {
    /// What the code was doing.
    pub text: String,
    /// `file:line` of the call that added the note.
    pub place: String,
}

impl Error {
    /// An error with a status and the sentence its client may read.
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            status,
            message: message.into(),
            code: None,
            fields: None,
            headers: HeaderMap::new(),
            notes: Vec::new(),
            source: None,
        }))
    }

    /// A fault of ours: 500, with `note` for the log only.
    ///
    /// ```
    /// let error = housekey_core::Error::internal("storage/sessions is read-only; make it writable");
    /// assert_eq!(error.message(), "Something went wrong on our side.");
    /// ```
    #[track_caller]
    pub fn internal(note: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side.").context(note)
    }

    /// 400: the request cannot be understood.
    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 401: nobody is signed in.
    pub fn unauthenticated() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "You are not signed in.")
    }

    /// 403: signed in, but not allowed.
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// 404: there is nothing here.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "We could not find what you asked for.")
    }

    /// 405: the path exists, the method does not. The caller adds the `Allow` header.
    pub fn method_not_allowed() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "This address does not answer that method.")
    }

    /// 409: what was asked for does not go together with what happened meanwhile.
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// 413: the body is larger than the route takes.
    pub fn payload_too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "What you sent is larger than we accept.")
    }

    /// 415: the body is of a type the route does not read.
    pub fn unsupported_media_type() -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "We cannot read a body of that type.")
    }

    /// 419: the form's token is missing or belongs to another session.
    pub fn csrf_mismatch() -> Self {
        Self::new(page_expired(), "This page has expired. Reload it and try again.")
            .with_code("csrf_mismatch")
    }

    /// 422: fields of the input were refused, each with its messages.
    ///
    /// ```
    /// use housekey_core::{Error, FieldErrors};
    ///
    /// let mut errors = FieldErrors::new();
    /// errors.add("email", "The email is required.");
    /// errors.add("name", "The name is required.");
    /// let error = Error::invalid(errors);
    /// assert_eq!(error.message(), "The email is required. (and 1 more error)");
    /// ```
    pub fn invalid(errors: FieldErrors) -> Self {
        let mut error = Self::new(StatusCode::UNPROCESSABLE_ENTITY, errors.summary());
        error.0.fields = Some(errors);
        error
    }

    /// 423: the password has to be confirmed first.
    pub fn locked() -> Self {
        Self::new(StatusCode::LOCKED, "Please confirm your password first.")
            .with_code("PASSWORD_CONFIRMATION_REQUIRED")
    }

    /// 429: too many attempts; `retry_after` says when the next one counts.
    pub fn too_many_requests(retry_after: Duration) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "Too many attempts. Please wait a moment and try again.")
            .with_retry_after(retry_after)
    }

    /// 503: we cannot answer now; `retry_after` says when it is worth another try.
    pub fn unavailable(retry_after: Duration) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "We are not available right now. Please try again shortly.",
        )
        .with_retry_after(retry_after)
    }

    /// Names the error for programs (`code` in the JSON answer).
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.0.code = Some(code);
        self
    }

    /// Replaces the public sentence.
    pub fn with_message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.0.message = message.into();
        self
    }

    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }

    fn with_retry_after(self, wait: Duration) -> Self {
        // Rounded up: a client that waits exactly this long must not be refused again.
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        self.with_header(RETRY_AFTER, HeaderValue::from(seconds.max(1)))
    }

    /// Adds a private note: what the code was doing when this happened. The call's place is kept with it.
    #[track_caller]
    pub fn context(mut self, note: impl Into<String>) -> Self {
        self.0.notes.push(ErrorNote { text: note.into(), place: std::panic::Location::caller().to_string() });
        self
    }

    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The sentence a client may read.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The machine-readable name, if it has one.
    pub fn code(&self) -> Option<&'static str> {
        self.0.code
    }

    /// The refused fields of a 422.
    pub fn field_errors(&self) -> Option<&FieldErrors> {
        self.0.fields.as_ref()
    }

    /// Headers the answer must carry (`Retry-After`, `Allow`, …).
    pub fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// The private notes, outermost first.
    pub fn notes(&self) -> impl Iterator<Item = &ErrorNote> {
        self.0.notes.iter().rev()
    }

    /// Everything private, outermost first: notes, then the source errors. For the log and the development page.
    pub fn source_chain(&self) -> Vec<String> {
        let mut chain: Vec<String> = self.notes().map(|note| note.text.clone()).collect();
        let mut source: Option<&(dyn std::error::Error + 'static)> =
            self.0.source.as_deref().map(|error| error as _);
        while let Some(error) = source {
            chain.push(error.to_string());
            source = error.source();
        }
        chain
    }

    /// The underlying error, if it is a `T`.
    pub fn downcast_ref<T: std::error::Error + 'static>(&self) -> Option<&T> {
        self.0.source.as_ref()?.downcast_ref()
    }

    /// The answer's body for a JSON client: `message`, and where they exist `code`, `errors` and `requestId`.
    pub fn to_json(&self, request_id: Option<&str>) -> Value {
        let mut body = json!({ "message": self.message() });
        if let Some(code) = self.code() {
            body["code"] = code.into();
        }
        if let Some(fields) = self.field_errors() {
            body["errors"] = serde_json::to_value(fields).unwrap_or_default();
        }
        if let Some(id) = request_id {
            body["requestId"] = id.into();
        }
        body
    }
}

/// 419 has no name in the standard registry; clients know it as "page expired".
fn page_expired() -> StatusCode {
    StatusCode::from_u16(419).unwrap_or(StatusCode::FORBIDDEN)
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for Error {
    fn from(source: E) -> Self {
        let mut error = Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side.");
        error.0.source = Some(Box::new(source));
        error
    }
}

/// An [`Error`] where an error in the standard library's sense is wanted. It says what the log would.
#[derive(Debug)]
struct StandardError(Error);

impl fmt::Display for StandardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

// Without a source: the text has the whole chain already.
impl std::error::Error for StandardError {}

impl From<Error> for Box<dyn std::error::Error + Send + Sync> {
    fn from(error: Error) -> Self {
        Box::new(StandardError(error))
    }
}

impl From<Error> for Box<dyn std::error::Error + Send> {
    fn from(error: Error) -> Self {
        Box::new(StandardError(error))
    }
}

impl From<Error> for Box<dyn std::error::Error> {
    fn from(error: Error) -> Self {
        Box::new(StandardError(error))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The private face, for terminals and logs: status, message and the whole chain.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chain = self.source_chain();
        if self.0.status == StatusCode::INTERNAL_SERVER_ERROR && !chain.is_empty() {
            return f.write_str(&chain.join(": "));
        }
        write!(f, "{}", self.0.message)?;
        if !chain.is_empty() {
            write!(f, " ({})", chain.join(": "))?;
        }
        Ok(())
    }
}

/// A plain answer with the error itself among the response's extensions (as `Arc<Error>`): the request pipeline
/// finds it there and renders the page or the JSON its client asked for.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.message().to_owned()));
        *response.status_mut() = self.status();
        response.headers_mut().extend(self.headers().clone());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_we_may_see_never_reaches_the_answer() {
        let error =
            Error::from(std::io::Error::other("/srv/app/secret.db: denied")).context("opening the database");
        let body = error.to_json(Some("r1")).to_string();
        assert!(!body.contains("secret.db") && !body.contains("opening"), "{body}");
        assert_eq!(error.to_string(), "opening the database: /srv/app/secret.db: denied");
        assert_eq!(error.into_response().status(), 500);
    }

    #[test]
    fn it_becomes_a_standard_error_that_says_the_same() {
        let error = || Error::from(std::io::Error::other("denied")).context("opening the database");
        let text = "opening the database: denied";
        assert_eq!(Box::<dyn std::error::Error + Send + Sync>::from(error()).to_string(), text);
        assert_eq!(Box::<dyn std::error::Error + Send>::from(error()).to_string(), text);
        assert_eq!(Box::<dyn std::error::Error>::from(error()).to_string(), text);
    }

    #[test]
    fn a_wait_is_rounded_up_to_whole_seconds() {
        let error = Error::too_many_requests(Duration::from_millis(1200));
        assert_eq!(error.headers()[RETRY_AFTER], "2");
        assert_eq!(Error::unavailable(Duration::ZERO).headers()[RETRY_AFTER], "1");
    }

    #[test]
    fn an_expired_page_is_419() {
        assert_eq!(Error::csrf_mismatch().status().as_u16(), 419);
    }
}
