use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::StatusCode;
use serde_json::Value;

use crate::client::BoxFuture;
use crate::{HttpClient, HttpError, HttpRequest, HttpResponse};

/// Hosts that answer from memory: for tests. No request leaves the machine, and one that nobody expected fails.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use housekey_http_client::{FakeHttpClient, HttpClient, HttpRequest};
/// use serde_json::json;
///
/// let fake = FakeHttpClient::new().json("https://example.com/verify", json!({ "success": true }));
/// let answer = fake.send(HttpRequest::get("https://example.com/verify?a=1")).await.unwrap();
/// assert_eq!(answer.status, 200);
/// assert_eq!(fake.requests().len(), 1);
/// assert!(fake.send(HttpRequest::get("https://example.org/")).await.is_err());
/// # });
/// ```
#[derive(Clone, Default)]
pub struct FakeHttpClient(Arc<Inner>);

#[derive(Default)]
struct Inner {
    answers: Mutex<HashMap<String, Answer>>,
    requests: Mutex<Vec<HttpRequest>>,
}

type Answer = Arc<dyn Fn(&HttpRequest) -> Result<HttpResponse, HttpError> + Send + Sync>;

impl FakeHttpClient {
    /// Hosts that answer nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers requests to an address, whatever their query, with JSON.
    #[must_use]
    pub fn json(self, url: &str, body: Value) -> Self {
        self.answer(url, move |_| Ok(HttpResponse::of_json(StatusCode::OK, &body)))
    }

    /// Answers requests to an address, whatever their query, with a function.
    #[must_use]
    pub fn answer(
        self,
        url: &str,
        answer: impl Fn(&HttpRequest) -> Result<HttpResponse, HttpError> + Send + Sync + 'static,
    ) -> Self {
        lock(&self.0.answers).insert(url.to_owned(), Arc::new(answer));
        self
    }

    /// Nobody is there any more: no connection to any of the addresses.
    pub fn goes_down(&self) {
        for answer in lock(&self.0.answers).values_mut() {
            *answer = Arc::new(|_| Err(HttpError::unreachable("the fake host is down")));
        }
    }

    /// Everything that was asked, in its order.
    pub fn requests(&self) -> Vec<HttpRequest> {
        lock(&self.0.requests).clone()
    }
}

impl HttpClient for FakeHttpClient {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        lock(&self.0.requests).push(request.clone());
        let answer = lock(&self.0.answers).get(request.address()).cloned();
        Box::pin(async move {
            match answer {
                Some(answer) => answer(&request),
                None => Err(HttpError::unreachable(format!("nobody answers at {}", request.origin()))),
            }
        })
    }
}

impl fmt::Debug for FakeHttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(lock(&self.0.answers).keys()).finish()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
