use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::Value;

use crate::{HttpError, HttpRequest, HttpResponse};

/// Hosts that answer in tests, from [`Http::fake`](crate::Http::fake). Clones are the same hosts.
///
/// A pattern is an address, with a method in front if it matters, and with `*` for anything: `POST https://hooks.example/*`.
/// The query counts only where the pattern has one. Of several that fit, the last one answers.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// # use housekey_http_client::{FakeAnswer, Http, HttpClientConfig, HttpError};
/// # use serde_json::json;
/// # let http = Http::new(&HttpClientConfig::default()).retry(2);
/// let fake = http.fake([("https://rates.example/*", 503)]);
/// fake.answer("https://rates.example/today", json!({ "eur": 1.1 }))
///     .answer("https://mirror.example/*", HttpError::unreachable("the cable is cut"))
///     .answer("https://shaky.example/", FakeAnswer::in_turn([503, 429, 200]))
///     .answer("POST https://rates.example/echo", FakeAnswer::with(|request| request.body.clone().into()));
///
/// assert!(http.get("https://shaky.example/").text().await.is_ok());
/// fake.assert_sent_count(3);
/// # }
/// ```
#[derive(Clone, Default)]
pub struct HttpFake(Arc<Inner>);

#[derive(Default)]
struct Inner {
    answers: Mutex<Vec<(String, FakeAnswer)>>,
    requests: Mutex<Vec<HttpRequest>>,
    strays: Mutex<Vec<String>>,
}

impl HttpFake {
    /// Answers requests that fit a pattern: with JSON (a `serde_json::Value`), with a status (a number), with a text, with an
    /// [`HttpResponse`], or with an [`HttpError`] instead.
    pub fn answer(&self, pattern: &str, answer: impl Into<FakeAnswer>) -> &Self {
        lock(&self.0.answers).push((pattern.to_owned(), answer.into()));
        self
    }

    /// Everything that was asked, in its order, each try and each redirect by itself.
    pub fn requests(&self) -> Vec<HttpRequest> {
        lock(&self.0.requests).clone()
    }

    /// # Panics
    /// When no request fits the pattern for which `is_meant` holds.
    #[track_caller]
    pub fn assert_sent(&self, pattern: &str, is_meant: impl FnMut(&HttpRequest) -> bool) -> &Self {
        let found = self.requests().iter().filter(|request| fits(pattern, request)).any(is_meant);
        assert!(found, "no such request to {pattern} was sent; {self:?}");
        self
    }

    /// # Panics
    /// When a request fits the pattern.
    #[track_caller]
    pub fn assert_not_sent(&self, pattern: &str) -> &Self {
        let found = self.requests().iter().any(|request| fits(pattern, request));
        assert!(!found, "a request to {pattern} was sent; {self:?}");
        self
    }

    /// # Panics
    /// When there were more requests or fewer.
    #[track_caller]
    pub fn assert_sent_count(&self, expected: usize) -> &Self {
        let count = self.requests().len();
        assert!(count == expected, "expected {expected} requests, there were {count}; {self:?}");
        self
    }

    /// # Panics
    /// When anything was asked.
    #[track_caller]
    pub fn assert_nothing_sent(&self) -> &Self {
        self.assert_sent_count(0)
    }

    /// What was asked although nothing answers it, since this was last called. A `TestApp` fails the test for it.
    #[doc(hidden)]
    pub fn take_unexpected(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.0.strays))
    }

    pub(super) fn ask(&self, request: &HttpRequest) -> Result<HttpResponse, HttpError> {
        lock(&self.0.requests).push(request.clone());
        let found = {
            let answers = lock(&self.0.answers);
            answers.iter().rev().find(|(pattern, _)| fits(pattern, request)).map(|(_, answer)| answer.clone())
        };
        match found {
            Some(answer) => answer.give(request),
            None => {
                lock(&self.0.strays).push(told(request));
                Err(HttpError::refused(format!(
                    "this is a test, and no fake answers at {}: see Http::fake",
                    request.origin()
                )))
            }
        }
    }
}

/// What was asked: method and address of each.
impl fmt::Debug for HttpFake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let requests = self.requests();
        if requests.is_empty() {
            return f.write_str("nothing was sent");
        }
        f.write_str("sent were:")?;
        requests.iter().try_for_each(|request| write!(f, "\n  {}", told(request)))
    }
}

#[derive(Clone)]
pub struct FakeAnswer(Kind);

#[derive(Clone)]
enum Kind {
    Fixed(Result<HttpResponse, HttpError>),
    InTurn(Arc<Mutex<VecDeque<FakeAnswer>>>),
    With(Arc<dyn Fn(&HttpRequest) -> FakeAnswer + Send + Sync>),
}

impl FakeAnswer {
    /// One after the other; the last one for all that follow.
    pub fn in_turn<A: Into<Self>>(answers: impl IntoIterator<Item = A>) -> Self {
        Self(Kind::InTurn(Arc::new(Mutex::new(answers.into_iter().map(Into::into).collect()))))
    }

    /// What a function makes of the request.
    pub fn with(answer: impl Fn(&HttpRequest) -> Self + Send + Sync + 'static) -> Self {
        Self(Kind::With(Arc::new(answer)))
    }

    /// JSON with another status than 200.
    pub fn json(status: u16, body: &Value) -> Self {
        HttpResponse::of_json(status_of(status), body).into()
    }

    fn give(&self, request: &HttpRequest) -> Result<HttpResponse, HttpError> {
        match &self.0 {
            Kind::Fixed(outcome) => outcome.clone(),
            Kind::With(answer) => answer(request).give(request),
            Kind::InTurn(answers) => {
                let next = {
                    let mut answers = lock(answers);
                    if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() }
                };
                next.map_or_else(
                    || Err(HttpError::unreachable("the fake has no answer")),
                    |next| next.give(request),
                )
            }
        }
    }
}

impl From<Value> for FakeAnswer {
    fn from(body: Value) -> Self {
        Self::json(200, &body)
    }
}

impl From<u16> for FakeAnswer {
    fn from(status: u16) -> Self {
        HttpResponse { status: status_of(status), headers: HeaderMap::new(), body: Bytes::new() }.into()
    }
}

impl From<&'static str> for FakeAnswer {
    fn from(text: &'static str) -> Self {
        let text_type = HeaderValue::from_static("text/plain; charset=utf-8");
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, text_type)]);
        HttpResponse { status: StatusCode::OK, headers, body: text.into() }.into()
    }
}

impl From<Bytes> for FakeAnswer {
    fn from(body: Bytes) -> Self {
        HttpResponse { status: StatusCode::OK, headers: HeaderMap::new(), body }.into()
    }
}

impl From<HttpResponse> for FakeAnswer {
    fn from(response: HttpResponse) -> Self {
        Self(Kind::Fixed(Ok(response)))
    }
}

impl From<HttpError> for FakeAnswer {
    fn from(error: HttpError) -> Self {
        Self(Kind::Fixed(Err(error)))
    }
}

impl fmt::Debug for FakeAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FakeAnswer")
    }
}

#[track_caller]
fn status_of(number: u16) -> StatusCode {
    StatusCode::from_u16(number)
        .unwrap_or_else(|_| panic!("{number} is no status: it is between 100 and 999"))
}

fn told(request: &HttpRequest) -> String {
    format!("{} {}", request.method, request.address())
}

fn fits(pattern: &str, request: &HttpRequest) -> bool {
    let (method, address) = match pattern.split_once(' ') {
        Some((method, address)) => (Some(method), address),
        None => (None, pattern),
    };
    if method.is_some_and(|method| !method.eq_ignore_ascii_case(request.method.as_str())) {
        return false;
    }
    let seen = if address.contains('?') { request.url.as_str() } else { request.address() };
    // A host without a path has the path `/` by the time it is asked.
    glob(address, seen) || (!address.ends_with('/') && glob(&format!("{address}/"), seen))
}

/// `*` is anything, also nothing.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_what_it_says() {
        for (pattern, fit) in [
            ("https://a.example/b", true),
            ("https://a.example/b?*", true),
            ("https://a.example/b?c=d", true),
            ("https://a.example/b?c=e", false),
            ("GET https://a.example/b", true),
            ("post https://a.example/b", false),
            ("https://a.example/*", true),
            ("https://*/b", true),
            ("https://*.example/*b*", true),
            ("*", true),
            ("https://a.example", false),
            ("https://a.example/bc*", false),
            ("http://a.example/b", false),
        ] {
            assert_eq!(fits(pattern, &HttpRequest::get("https://a.example/b?c=d")), fit, "{pattern}");
        }
        assert!(fits("https://a.example", &HttpRequest::get("https://a.example/")));
    }
}
