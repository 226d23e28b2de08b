//! What an app asks other hosts with.

mod call;
mod exchange;
mod fake;
mod hop;
mod redirect;
mod retry;

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use data_encoding::BASE64;
use housekey_base::Secret;
use http::header::{AUTHORIZATION, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method};

pub use call::HttpCall;
pub use fake::{FakeAnswer, HttpFake};

use crate::{HttpClientConfig, HttpError, TlsClient};

/// Asks other hosts, as `config/http_client.rs` says. In an app `http()` gives it. Cheap to clone; what is said of one clone is
/// not said of the others, so an app can keep one per host:
///
/// ```no_run
/// # use housekey_http_client::{Http, HttpError};
/// # async fn example(http: Http, token: &str, book: &serde_json::Value) -> Result<(), HttpError> {
/// let library = http.base_url("https://library.example/api").bearer(token).retry(2);
///
/// let books: Vec<String> = library.get("/books").query(&[("author", "Le Guin")]).json().await?;
/// let answer = library.post("/books").with_json(book).send().await?;
/// if answer.status == 409 { /* it is there already */ }
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Http {
    pub(super) transport: Arc<Transport>,
    pub(super) base: Option<String>,
    pub(super) headers: HeaderMap,
    pub(super) timeout: Duration,
    pub(super) retries: u32,
    pub(super) redirects: usize,
    pub(super) largest: usize,
    pub(super) allow_private_addresses: bool,
    /// What is wrong with what was said so far.
    pub(super) problem: Option<HttpError>,
}

pub(super) struct Transport {
    /// `None` asks nobody.
    client: Option<TlsClient>,
    fake: RwLock<Option<HttpFake>>,
}

impl Transport {
    fn fake(&self) -> Option<HttpFake> {
        self.fake.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Http {
    pub fn new(config: &HttpClientConfig) -> Self {
        Self::over(Some(TlsClient::new(false)), config)
    }

    /// One that trusts these certificates as well: of a company that signs for its own hosts.
    pub fn with_client(client: TlsClient, config: &HttpClientConfig) -> Self {
        Self::over(Some(client), config)
    }

    /// One without an app around it. Every request fails and says so.
    pub fn nowhere() -> Self {
        let nowhere = Self::over(None, &HttpClientConfig::default());
        nowhere.failed("http() works inside an application that has the feature `http-client`")
    }

    fn over(client: Option<TlsClient>, config: &HttpClientConfig) -> Self {
        let http = Self {
            transport: Arc::new(Transport { client, fake: RwLock::default() }),
            base: None,
            headers: HeaderMap::new(),
            timeout: Duration::from_secs(config.timeout.max(1)),
            retries: 0,
            redirects: config.redirects,
            largest: config.max_response_size,
            allow_private_addresses: config.allow_private_addresses,
            problem: None,
        };
        http.header(USER_AGENT.as_str(), &config.user_agent)
    }

    /// Asks below this address: `get("/books")` then is `https://library.example/api/books`. Nothing leads out of it, neither
    /// `..` nor the address of another host, so what it is given cannot carry a token elsewhere.
    #[must_use]
    pub fn base_url(mut self, url: &str) -> Self {
        self.base = Some(url.trim_end_matches('/').to_owned());
        self
    }

    /// With `Authorization: Bearer`.
    #[must_use]
    pub fn bearer(self, token: impl Into<Secret>) -> Self {
        let token: Secret = token.into();
        self.header(AUTHORIZATION.as_str(), &format!("Bearer {}", token.reveal()))
    }

    /// With `Authorization: Basic`.
    #[must_use]
    pub fn basic(self, user: &str, password: impl Into<Secret>) -> Self {
        let password: Secret = password.into();
        let pair = BASE64.encode(format!("{user}:{}", password.reveal()).as_bytes());
        self.header(AUTHORIZATION.as_str(), &format!("Basic {pair}"))
    }

    /// With a header on every request.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match header(name, value) {
            Ok((name, value)) => {
                self.headers.insert(name, value);
                self
            }
            Err(problem) => Self { problem: Some(problem), ..self },
        }
    }

    /// How long one try may take, until its whole answer is there.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Asks up to so many times more when a host cannot be reached, is too slow, or answers 408, 425, 429, 500, 502, 503 or
    /// 504. In between it waits a little longer each time, or as long as the host's `retry-after` says, up to a minute.
    ///
    /// Only what may happen twice is sent twice: `GET`, `HEAD`, `PUT`, `DELETE` and `OPTIONS`, and others when they carry an
    /// `idempotency-key`.
    #[must_use]
    pub fn retry(self, times: u32) -> Self {
        Self { retries: times, ..self }
    }

    /// Follows up to so many redirects. With 0 a redirect is an answer like any other.
    ///
    /// Headers of this request, a token among them, go to the host that was asked and to no other.
    #[must_use]
    pub fn redirects(self, most: usize) -> Self {
        Self { redirects: most, ..self }
    }

    /// The most bytes of an answer that are read into memory. A larger one is an error.
    #[must_use]
    pub fn max_response_size(self, bytes: usize) -> Self {
        Self { largest: bytes, ..self }
    }

    /// Also asks hosts of one's own network, and those without TLS. Never for an address that a visitor gave: it could name
    /// what only your machines may reach. A redirect to another host does not lead there.
    #[must_use]
    pub fn allow_private_addresses(self) -> Self {
        Self { allow_private_addresses: true, ..self }
    }

    pub fn get(&self, url: &str) -> HttpCall {
        self.request(Method::GET, url)
    }

    pub fn head(&self, url: &str) -> HttpCall {
        self.request(Method::HEAD, url)
    }

    pub fn post(&self, url: &str) -> HttpCall {
        self.request(Method::POST, url)
    }

    pub fn put(&self, url: &str) -> HttpCall {
        self.request(Method::PUT, url)
    }

    pub fn patch(&self, url: &str) -> HttpCall {
        self.request(Method::PATCH, url)
    }

    pub fn delete(&self, url: &str) -> HttpCall {
        self.request(Method::DELETE, url)
    }

    pub fn request(&self, method: Method, url: &str) -> HttpCall {
        HttpCall::new(self.clone(), method, url)
    }

    /// For tests: from now on nobody is asked. These addresses answer so, and every other fails. Clones answer so too. Called
    /// again it adds to what there is.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), housekey_http_client::HttpError> {
    /// # use housekey_http_client::{Http, HttpClientConfig};
    /// # use serde_json::{Value, json};
    /// # let http = Http::new(&HttpClientConfig::default());
    /// let fake = http.fake([("https://rates.example/today", json!({ "eur": 1.1 }))]);
    ///
    /// let rates: Value = http.get("https://rates.example/today?of=usd").json().await?;
    /// assert_eq!(rates["eur"], 1.1);
    /// fake.assert_sent("GET https://rates.example/*", |request| request.url.ends_with("?of=usd"));
    /// # Ok(()) }
    /// ```
    pub fn fake<A: Into<FakeAnswer>>(
        &self,
        answers: impl IntoIterator<Item = (&'static str, A)>,
    ) -> HttpFake {
        let mut fake = self.transport.fake.write().unwrap_or_else(PoisonError::into_inner);
        let fake = fake.get_or_insert_default().clone();
        for (pattern, answer) in answers {
            fake.answer(pattern, answer);
        }
        fake
    }

    /// The fake that is asked instead of hosts, if there is one.
    #[doc(hidden)]
    pub fn current_fake(&self) -> Option<HttpFake> {
        self.transport.fake()
    }

    fn failed(self, why: &'static str) -> Self {
        Self { problem: Some(HttpError::refused(why)), ..self }
    }
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), HttpError> {
    match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
        (Ok(name), Ok(mut value)) => {
            value.set_sensitive(name == AUTHORIZATION);
            Ok((name, value))
        }
        // Not its value, which may be a secret with a line's end behind it.
        _ => Err(HttpError::refused(format!("the header {name:?} cannot be sent with its value"))),
    }
}

/// Where it asks, and nothing of what it sends.
impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("is_fake", &self.transport.fake().is_some()).finish_non_exhaustive()
    }
}
