use std::fmt;
use std::io;

use bytes::Bytes;
use futures_util::Stream;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, Method};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use super::hop::Read;
use super::{Http, header};
use crate::body::RequestBody;
use crate::{HttpError, HttpResponse, HttpStream, Multipart};

/// A request being put together, from [`Http::get`] and its like. [`json`](Self::json), [`text`](Self::text),
/// [`bytes`](Self::bytes), [`send`](Self::send) and [`stream`](Self::stream) send it.
#[must_use = "a request is sent by `json`, `text`, `bytes`, `send` or `stream`"]
pub struct HttpCall {
    pub(super) http: Http,
    pub(super) method: Method,
    pub(super) url: Result<Url, HttpError>,
    pub(super) headers: HeaderMap,
    pub(super) body: RequestBody,
}

impl HttpCall {
    pub(super) fn new(http: Http, method: Method, url: &str) -> Self {
        let url = match &http.problem {
            Some(problem) => Err(problem.clone()),
            None => locate(http.base.as_deref(), url),
        };
        let headers = http.headers.clone();
        Self { http, method, url, headers, body: RequestBody::Bytes(Bytes::new()) }
    }

    /// With these in the address, behind what it asks for already.
    pub fn query<N: AsRef<str>, V: AsRef<str>>(mut self, pairs: &[(N, V)]) -> Self {
        if let Ok(url) = &mut self.url {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        self
    }

    /// With a header, instead of those of the same name.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match header(name, value) {
            Ok((name, value)) => {
                self.headers.insert(name, value);
            }
            Err(problem) => self.url = Err(problem),
        }
        self
    }

    pub fn with_json<T: Serialize + ?Sized>(mut self, value: &T) -> Self {
        match serde_json::to_vec(value) {
            Ok(json) => self.with_body("application/json", json),
            Err(_) => {
                self.url = Err(HttpError::refused("what was to be sent cannot be written as JSON"));
                self
            }
        }
    }

    pub fn with_form<N: AsRef<str>, V: AsRef<str>>(self, fields: &[(N, V)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.with_body("application/x-www-form-urlencoded", body)
    }

    pub fn with_multipart(mut self, form: Multipart) -> Self {
        let (content_type, body) = form.encode();
        self.body = body;
        self.header(CONTENT_TYPE.as_str(), &content_type)
    }

    /// Sends these bytes under this content type.
    pub fn with_body(mut self, content_type: &str, body: impl Into<Bytes>) -> Self {
        self.body = RequestBody::Bytes(body.into());
        self.header(CONTENT_TYPE.as_str(), content_type)
    }

    /// Sends what comes, piece by piece, under this content type. It can be sent once: such a request is not tried again, and no
    /// redirect asks for it a second time.
    pub fn with_stream(
        mut self,
        content_type: &str,
        pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
    ) -> Self {
        self.body = RequestBody::Stream(Box::pin(pieces));
        self.header(CONTENT_TYPE.as_str(), content_type)
    }

    /// The JSON of a success. Any other status is an error that [knows it](HttpError::status).
    pub async fn json<T: DeserializeOwned>(mut self) -> Result<T, HttpError> {
        if !self.headers.contains_key(ACCEPT) {
            self = self.header(ACCEPT.as_str(), "application/json");
        }
        self.success().await?.json()
    }

    /// The text of a success. Any other status is an error that [knows it](HttpError::status).
    pub async fn text(self) -> Result<String, HttpError> {
        Ok(self.success().await?.text())
    }

    /// The bytes of a success. Any other status is an error that [knows it](HttpError::status).
    pub async fn bytes(self) -> Result<Bytes, HttpError> {
        Ok(self.success().await?.body)
    }

    /// The answer, whatever its status.
    pub async fn send(self) -> Result<HttpResponse, HttpError> {
        let answer = self.exchange(Read::Whole).await?;
        Ok(HttpResponse { status: answer.status, headers: answer.headers, body: answer.body.whole() })
    }

    /// The answer piece by piece, whatever its status and size. The timeout is for its head, and then for each piece.
    ///
    /// ```no_run
    /// # use futures_util::TryStreamExt;
    /// # use housekey_http_client::{Http, HttpError};
    /// # async fn example(http: Http) -> Result<(), HttpError> {
    /// let mut export = http.get("https://library.example/export.csv").stream().await?;
    /// while let Some(piece) = export.try_next().await? {
    ///     // write it somewhere
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn stream(self) -> Result<HttpStream, HttpError> {
        let answer = self.exchange(Read::Head).await?;
        Ok(HttpStream { status: answer.status, headers: answer.headers, pieces: answer.body.pieces() })
    }

    async fn success(self) -> Result<HttpResponse, HttpError> {
        let origin = self.origin();
        let answer = self.send().await?;
        if answer.is_success() { Ok(answer) } else { Err(HttpError::status_of(&origin, answer.status)) }
    }

    fn origin(&self) -> String {
        self.url.as_ref().map_or_else(|_| String::new(), |url| url.origin().ascii_serialization())
    }
}

/// The whole address. With a base it never leads anywhere else: the path may hold what a visitor typed.
fn locate(base: Option<&str>, url: &str) -> Result<Url, HttpError> {
    let none = |_| HttpError::refused("the address is none; say https://…, or set a base_url");
    let Some(base) = base else { return Url::parse(url).map_err(none) };
    let root = Url::parse(base).map_err(none)?;
    let below = format!("{}/", root.path().trim_end_matches('/'));
    let found = if url.contains("://") {
        Url::parse(url).map_err(none)?
    } else {
        Url::parse(&format!("{base}/{}", url.trim_start_matches('/'))).map_err(none)?
    };
    let is_below = found.origin() == root.origin() && format!("{}/", found.path()).starts_with(&below);
    // Encoded dots and slashes are dots and slashes to many a server.
    let path = found.path().to_ascii_lowercase();
    let is_hidden = ["%2e", "%5c"].iter().any(|hidden| path.contains(hidden));
    // An id such as `group%2fproject` is one. Some servers cut off what follows a `;`.
    let mut names =
        path.split('/').flat_map(|part| part.split("%2f")).filter_map(|part| part.split(';').next());
    if is_below && !is_hidden && !names.any(|name| name == "..") {
        Ok(found)
    } else {
        Err(HttpError::refused("the address leads out of the base_url"))
    }
}

/// Where it goes, and nothing of what it carries.
impl fmt::Debug for HttpCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.origin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leads_out_of_a_base() {
        let base = Some("https://library.example/api");
        for (path, whole) in [
            ("/books", "https://library.example/api/books"),
            ("books/7?a=b", "https://library.example/api/books/7?a=b"),
            ("", "https://library.example/api/"),
            ("https://library.example/api/books?page=2", "https://library.example/api/books?page=2"),
            ("//evil.example/books", "https://library.example/api/evil.example/books"),
            ("a/../books", "https://library.example/api/books"),
            ("group%2Fbooks", "https://library.example/api/group%2Fbooks"),
        ] {
            assert_eq!(locate(base, path).unwrap().as_str(), whole, "{path}");
        }
        for path in [
            "/../admin",
            "/books/../../admin",
            "/books/%2e%2e/%2E%2e/admin",
            "/books/..%5c..%5cadmin",
            "/books/..%2f..%2fadmin",
            "/books/..%2F..%2Fadmin",
            "/books/..;/..;a=b/admin",
            "https://evil.example/api/books",
            "http://library.example/api/books",
            "https://library.example:8443/api/books",
            "https://library.example/apis",
            "https://library.example@evil.example/api/",
        ] {
            assert!(locate(base, path).is_err(), "{path}");
        }
        assert!(locate(None, "/books").is_err());
    }
}
