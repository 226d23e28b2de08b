use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use housekey_cache::cache;
use housekey_core::{Encrypter, Error, Result, random, service};
use housekey_http::response::back;
use housekey_http::{Request, RequestContext, csrf};
use http::header::{
    CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HOST, IF_MATCH, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE, REFERER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderName, HeaderValue, Method};
use serde::{Deserialize, Serialize};

/// A larger body is not carried along: its form has to be sent again.
const LARGEST_BODY: usize = 64 * 1024;

/// How long a refused request waits for the password: as long as a flashed value is kept.
const LONGEST_WAIT: Duration = Duration::from_secs(5 * 60);

const PURPOSE: &str = "auth.confirm.replay";

/// A request that was refused until the password is confirmed: what is needed to make it again, and who may.
///
/// It travels through the browser, sealed: nobody can read the passwords it may hold, and nobody can change where it
/// leads.
pub(super) struct Refused {
    head: Head,
    body: Bytes,
}

#[derive(Serialize, Deserialize)]
struct Head {
    /// Its name, by which it is spent.
    nonce: String,
    /// The auth session that made it.
    session: String,
    /// When, in seconds since 1970.
    at: u64,
    method: String,
    /// Path and query.
    target: String,
    content_type: Option<String>,
    /// The page of this site that it came from: there a refused form goes back to.
    page: String,
}

impl Refused {
    /// Records a request, unless it is too large to be carried along.
    pub(super) async fn of(context: &RequestContext, session: &str, request: Request) -> Option<Self> {
        if request.headers().contains_key(CONTENT_ENCODING) {
            return None;
        }
        let content_type = request.headers().get(CONTENT_TYPE).map(|value| value.to_str().map(str::to_owned));
        let head = Head {
            nonce: random::token(),
            session: session.to_owned(),
            at: context.clock().unix(),
            method: context.method().to_string(),
            target: context.uri().path_and_query()?.to_string(),
            content_type: content_type.transpose().ok()?,
            page: back().target().to_owned(),
        };
        let body = to_bytes(request.into_body(), LARGEST_BODY).await.ok()?;
        let refused = Self { head, body };
        context.session().flash(&refused.key(), true).ok()?;
        Some(refused)
    }

    /// The length of the head, the head, the body, encrypted.
    pub(super) fn encrypt(&self) -> Result<String> {
        let head = serde_json::to_vec(&self.head)?;
        let length = u32::try_from(head.len())?.to_be_bytes();
        Ok(encrypter()?.encrypt(&[length.as_slice(), &head, &self.body].concat(), PURPOSE))
    }

    /// Reads what [`encrypt`](Self::encrypt) made; anything else is nothing.
    pub(super) fn decrypt(sealed: &str) -> Result<Option<Self>> {
        let Ok(bytes) = encrypter()?.decrypt(sealed, PURPOSE) else { return Ok(None) };
        let split = bytes.split_first_chunk::<4>().and_then(|(length, rest)| {
            rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)
        });
        let Some((head, body)) = split else { return Ok(None) };
        Ok(serde_json::from_slice(head).ok().map(|head| Self { head, body: Bytes::copy_from_slice(body) }))
    }

    pub(super) fn belongs_to(&self, session: &str) -> bool {
        self.head.session == session
    }

    pub(super) fn is_late(&self, context: &RequestContext) -> bool {
        context.clock().unix().saturating_sub(self.head.at) >= LONGEST_WAIT.as_secs()
    }

    /// Whether this is the first time. Of several who ask at once, one is told so: that takes the cache. Whatever becomes of
    /// the cache, the session knows that it does not wait any more.
    pub(super) async fn spend(&self, context: &RequestContext) -> Result<bool> {
        let waits = context.session().get::<bool>(&self.key()).await?.is_some();
        Ok(waits && cache()?.add(&self.key(), &true, Some(2 * LONGEST_WAIT)).await?)
    }

    fn key(&self) -> String {
        format!("{PURPOSE}:{}", self.head.nonce)
    }

    /// The page it came from.
    pub(super) fn page(&self) -> &str {
        &self.head.page
    }

    /// Where it leads, if it only asks for a page of this site.
    pub(super) fn page_wanted(&self) -> Option<&str> {
        let target = self.head.target.as_str();
        // `//host` and `/\host` are other hosts to a browser.
        let is_here = target.starts_with('/') && !target[1..].starts_with(['/', '\\']);
        (self.is_safe() && is_here).then_some(target)
    }

    pub(super) fn is_safe(&self) -> bool {
        matches!(self.head.method.as_str(), "GET" | "HEAD")
    }

    /// The request once more: the browser's headers as they are now, but for those that spoke of another body.
    pub(super) fn into_request(self, context: &RequestContext) -> Result<Request> {
        let mut headers = context.headers().clone();
        for name in &OF_ANOTHER_REQUEST {
            headers.remove(name);
        }
        if let Some(content_type) = &self.head.content_type {
            headers.insert(CONTENT_TYPE, HeaderValue::try_from(content_type.as_str())?);
        }
        if !self.body.is_empty() {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(self.body.len()));
        }
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let page = format!("http://{host}{}", self.head.page);
        headers.insert(REFERER, HeaderValue::try_from(page)?);
        let mut request = Request::new(Body::from(self.body));
        *request.method_mut() = Method::from_bytes(self.head.method.as_bytes())?;
        *request.uri_mut() = self.head.target.parse()?;
        *request.headers_mut() = headers;
        Ok(request)
    }
}

/// Headers of the request that brought the password, which say nothing about the one that was refused.
const OF_ANOTHER_REQUEST: [HeaderName; 16] = [
    CONNECTION,
    CONTENT_ENCODING,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    EXPECT,
    HeaderName::from_static(csrf::HEADER),
    HeaderName::from_static("x-http-method-override"),
    IF_MATCH,
    IF_MODIFIED_SINCE,
    IF_NONE_MATCH,
    IF_RANGE,
    IF_UNMODIFIED_SINCE,
    RANGE,
    REFERER,
    TRANSFER_ENCODING,
    UPGRADE,
];

fn encrypter() -> Result<std::sync::Arc<Encrypter>> {
    service().ok_or_else(|| Error::internal("a refused request is sealed within an application"))
}
