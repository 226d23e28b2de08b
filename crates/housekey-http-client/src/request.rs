use std::fmt;

use bytes::Bytes;
use data_encoding::BASE64;
use housekey_base::Secret;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};

use crate::HttpError;

/// A request to another host.
///
/// ```
/// use housekey_http_client::HttpRequest;
///
/// let request = HttpRequest::post("https://example.com/token", &[("code", "secret code")]);
/// assert_eq!(&request.body[..], b"code=secret+code");
/// assert!(!format!("{request:?}").contains("secret"));
/// ```
#[derive(Clone)]
pub struct HttpRequest {
    pub method: Method,
    /// The whole address, with scheme and host.
    pub url: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl HttpRequest {
    /// GET, for JSON.
    pub fn get(url: impl Into<String>) -> Self {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        Self { method: Method::GET, url: url.into(), headers, body: Bytes::new() }
    }

    /// POST of a form, for JSON.
    pub fn post<N: AsRef<str>, V: AsRef<str>>(url: impl Into<String>, form: &[(N, V)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let mut request = Self { method: Method::POST, body: body.into(), ..Self::get(url) };
        request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        request
    }

    /// With `Authorization: Bearer`.
    #[must_use]
    pub fn bearer(self, token: &Secret) -> Self {
        self.header("authorization", &format!("Bearer {}", token.reveal()))
    }

    /// With `Authorization: Basic`, both halves form-encoded first, as RFC 6749 wants.
    #[must_use]
    pub fn basic(self, id: &str, secret: &Secret) -> Self {
        let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let pair = format!("{}:{}", encode(id), encode(secret.reveal()));
        self.header("authorization", &format!("Basic {}", BASE64.encode(pair.as_bytes())))
    }

    /// With a header instead of those of the same name. What no header can carry is left out.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let (Ok(name), Ok(mut value)) =
            (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value))
        {
            value.set_sensitive(name == AUTHORIZATION);
            self.headers.insert(name, value);
        }
        self
    }

    /// Whether it carries this header with this value.
    pub fn has_header(&self, name: &str, value: &str) -> bool {
        self.headers.get_all(name).iter().any(|found| found.as_bytes() == value.as_bytes())
    }

    pub fn json<T: serde::de::DeserializeOwned>(&self) -> Result<T, HttpError> {
        serde_json::from_slice(&self.body)
            .map_err(|_| HttpError::answer("the request's body is not that JSON"))
    }

    pub fn form(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(&self.body).into_owned().collect()
    }

    pub fn field(&self, name: &str) -> Option<String> {
        self.form().into_iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The address without its query. Not for a log: the path may hold a token (HubSpot).
    pub fn address(&self) -> &str {
        self.url.split(['?', '#']).next().unwrap_or_default()
    }

    /// Scheme and host: all that a log may show.
    pub fn origin(&self) -> String {
        let url = url::Url::parse(&self.url);
        url.map_or_else(|_| "an address that is none".into(), |url| url.origin().ascii_serialization())
    }
}

/// Where it goes, and nothing of what it carries.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.origin())
    }
}
