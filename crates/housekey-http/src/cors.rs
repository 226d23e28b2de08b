//! Cross-origin requests: which pages of other sites may read our answers. Off until origins are listed.

use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde::{Deserialize, Serialize};

use crate::{Request, Response};

/// Which other origins may call, and how: `cors` in `config/http.rs`.
///
/// ```
/// use housekey_http::cors::CorsConfig;
///
/// let cors = CorsConfig { origins: vec!["https://app.example".into()], credentials: true, ..Default::default() };
/// # let _ = cors;
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CorsConfig {
    /// Where it applies: addresses, or everything below one with a star at the end (`/api/*`).
    pub paths: Vec<String>,
    /// Origins as browsers send them (`https://app.example`), or `*` for any. None: CORS is off.
    pub origins: Vec<String>,
    /// Methods other origins may use.
    pub methods: Vec<String>,
    /// Request headers they may send; `*` for any.
    pub headers: Vec<String>,
    /// Response headers their scripts may read.
    pub exposed_headers: Vec<String>,
    /// Whether cookies may come along. They never do for an origin that is not listed by name.
    pub credentials: bool,
    /// For how many seconds browsers may remember the permission.
    pub max_age: u64,
}

impl Default for CorsConfig {
    fn default() -> Self {
        let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
        Self {
            paths: list(&["/api/*"]),
            origins: Vec::new(),
            methods: list(&["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
            headers: list(&[
                "accept",
                "authorization",
                "content-type",
                "x-api-key",
                "x-csrf-token",
                "x-requested-with",
            ]),
            exposed_headers: list(&["retry-after", "x-request-id"]),
            credentials: false,
            max_age: 600,
        }
    }
}

/// The configuration with its header values ready.
#[derive(Debug)]
pub(crate) struct Cors {
    paths: Vec<String>,
    any_origin: bool,
    origins: Vec<String>,
    credentials: bool,
    methods: Option<HeaderValue>,
    any_header: bool,
    headers: Option<HeaderValue>,
    exposed: Option<HeaderValue>,
    max_age: HeaderValue,
}

impl Cors {
    /// `None` when no origin is listed: then nothing is added to any answer.
    pub(crate) fn new(config: &CorsConfig) -> Option<Self> {
        if config.origins.is_empty() {
            return None;
        }
        let joined =
            |list: &[String]| HeaderValue::try_from(list.join(", ")).ok().filter(|value| !value.is_empty());
        let is_any = |list: &[String]| list.iter().any(|item| item == "*");
        Some(Self {
            paths: config.paths.clone(),
            any_origin: is_any(&config.origins),
            origins: config
                .origins
                .iter()
                .map(|origin| origin.trim_end_matches('/').to_ascii_lowercase())
                .collect(),
            credentials: config.credentials,
            methods: joined(&config.methods),
            any_header: is_any(&config.headers),
            headers: joined(&config.headers),
            exposed: joined(&config.exposed_headers),
            max_age: HeaderValue::from(config.max_age),
        })
    }

    /// Whether an address is open to other origins at all.
    fn covers(&self, path: &str) -> bool {
        self.paths.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(prefix) => path.starts_with(prefix),
            None => path == pattern,
        })
    }

    /// The answer to a browser that asks before it calls. `None`: the request is not such a question.
    pub(crate) fn preflight(&self, request: &Request) -> Option<Response> {
        let asked = request.headers();
        let origin = asked.get(ORIGIN)?;
        let is_question =
            request.method() == Method::OPTIONS && asked.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if !is_question || !self.covers(request.uri().path()) {
            return None;
        }
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NO_CONTENT;
        let headers = response.headers_mut();
        for name in [ACCESS_CONTROL_REQUEST_METHOD, ACCESS_CONTROL_REQUEST_HEADERS] {
            vary(headers, &name);
        }
        if self.allow_origin(Some(origin), headers) {
            let wanted = asked.get(ACCESS_CONTROL_REQUEST_HEADERS).filter(|_| self.any_header);
            let allowed = wanted.or(self.headers.as_ref().filter(|_| !self.any_header));
            for (name, value) in [
                (ACCESS_CONTROL_ALLOW_METHODS, self.methods.as_ref()),
                (ACCESS_CONTROL_ALLOW_HEADERS, allowed),
                (ACCESS_CONTROL_MAX_AGE, Some(&self.max_age)),
            ] {
                if let Some(value) = value {
                    headers.insert(name, value.clone());
                }
            }
        }
        Some(response)
    }

    /// Adds to the answer of an address what lets the origin's page read it.
    pub(crate) fn apply(&self, path: &str, origin: Option<&HeaderValue>, response: &mut Response) {
        let headers = response.headers_mut();
        // A route that speaks CORS itself, as an authentication engine does, keeps the word.
        if headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN) || !self.covers(path) {
            return;
        }
        if self.allow_origin(origin, headers)
            && let Some(exposed) = &self.exposed
        {
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed.clone());
        }
    }

    /// Grants the origin if it may have it, and marks the answer as different for other origins where it is.
    fn allow_origin(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) -> bool {
        let listed = origin.is_some_and(|origin| self.lists(origin));
        if self.any_origin && !(listed && self.credentials) {
            // The star never goes with credentials, so no site becomes trusted by not being on the list.
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            if self.credentials {
                vary(headers, &ORIGIN);
            }
            return true;
        }
        vary(headers, &ORIGIN);
        let Some(origin) = origin.filter(|_| listed) else { return false };
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        // Any page can make its origin `null` by sandboxing itself.
        if self.credentials && origin != "null" {
            headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        }
        true
    }

    fn lists(&self, origin: &HeaderValue) -> bool {
        // Browsers send scheme and host in lower case: an exact comparison is the whole rule.
        self.origins.iter().any(|listed| listed != "*" && listed.as_bytes() == origin.as_bytes())
    }
}

fn vary(headers: &mut HeaderMap, name: &HeaderName) {
    if !headers
        .get_all(VARY)
        .iter()
        .any(|value| value.as_bytes().eq_ignore_ascii_case(name.as_str().as_bytes()))
    {
        headers.append(VARY, HeaderValue::from_name(name.clone()));
    }
}
