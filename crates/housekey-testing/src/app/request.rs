use std::{
    fmt,
    future::{Future, IntoFuture},
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
};

use bytes::Bytes;
use housekey_core::Error;
use housekey_http::csrf;
use http::{HeaderMap, Method, StatusCode, Uri, header};
use http_body_util::BodyExt;
use serde::Serialize;

use super::content::{Content, File, FormParts};
use super::{TestApp, address, header};
use crate::TestResponse;

/// A request being put together. Awaiting it sends it.
///
/// ```
/// # use housekey_core::ConfigFiles;
/// # use housekey_http::{App, axum::Form};
/// # use std::collections::HashMap;
/// # fn app() -> App { App::new(ConfigFiles::new()).routes(|route| {
/// #     route.post("/greet", async |Form(form): Form<HashMap<String, String>>| format!("Hello {}", form["name"]));
/// # }) }
/// # housekey_testing::run(app, async |app: housekey_testing::TestApp| {
/// app.post("/greet").form(&[("name", "Ada")]).await.assert_see("Hello Ada");
/// # });
/// ```
#[must_use = "a request is sent when it is awaited"]
pub struct TestRequest {
    app: TestApp,
    method: Method,
    uri: String,
    headers: HeaderMap,
    content: Content,
    csrf: bool,
    follow: bool,
}

impl TestRequest {
    pub(crate) fn new(app: TestApp, method: Method, path: &str) -> Self {
        let headers = app.headers.clone();
        Self {
            app,
            method,
            uri: path.to_owned(),
            headers,
            content: Content::none(),
            csrf: true,
            follow: false,
        }
    }

    /// Sends this header.
    ///
    /// # Panics
    /// When name or value cannot be a header.
    #[track_caller]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let (name, value) = header(name, value);
        self.headers.insert(name, value);
        self
    }

    /// Asks for JSON, as a script does.
    pub fn accept_json(self) -> Self {
        self.header("accept", "application/json")
    }

    /// Says which page of this app the request comes from: where a failed form goes back to.
    #[track_caller]
    pub fn referer(self, path: &str) -> Self {
        let page = format!("{}{path}", self.app.base_url());
        self.header("referer", &page)
    }

    /// Comes from this address.
    ///
    /// # Panics
    /// When it is no IP address.
    #[track_caller]
    pub fn from(mut self, ip: &str) -> Self {
        self.app.address = address(ip);
        self
    }

    /// Sends these bytes under this content type.
    #[track_caller]
    pub fn body(mut self, content_type: &str, body: impl Into<Bytes>) -> Self {
        self.content = Content::Bytes(body.into());
        self.header("content-type", content_type)
    }

    /// Sends fields as a browser's form does.
    pub fn form<K: AsRef<str>, V: AsRef<str>>(self, fields: &[(K, V)]) -> Self {
        let fields = fields.iter().map(|(name, value)| (name.as_ref().to_owned(), value.as_ref().to_owned()));
        let fields = fields.collect();
        self.with_form(|(_, files)| (fields, files))
    }

    /// Sends a file along, chosen in a field of the form: the request is `multipart/form-data` then. A browser tells the type by
    /// the name's ending, and so does this. A field where nobody chose a file is one with an empty name: `file("cover", "", "")`.
    ///
    /// ```
    /// # use housekey_core::ConfigFiles;
    /// # use housekey_http::{App, uploads::Upload, validation::{Valid, Validated}};
    /// # #[derive(serde::Deserialize, Validated)]
    /// # #[validate(crate = "housekey_http::validation")]
    /// # struct NewBook { title: String, cover: Upload }
    /// # fn app() -> App { App::new(ConfigFiles::new()).routes(|route| {
    /// #     route.post("/books", async |Valid(book): Valid<NewBook>| format!("{}: {} bytes", book.title, book.cover.size()));
    /// # }) }
    /// # housekey_testing::run(app, async |app: housekey_testing::TestApp| {
    /// let book = app.post("/books").form(&[("title", "Dune")]).file("cover", "dune.txt", "sand");
    /// book.await.assert_ok().assert_see("Dune: 4 bytes");
    /// # });
    /// ```
    pub fn file(self, field: &str, name: &str, bytes: impl Into<Bytes>) -> Self {
        let file = File { field: field.to_owned(), name: name.to_owned(), bytes: bytes.into() };
        self.with_form(|(fields, mut files)| {
            files.push(file);
            (fields, files)
        })
    }

    fn with_form(mut self, change: impl FnOnce(FormParts) -> FormParts) -> Self {
        let (fields, files) = change(self.content.into_form());
        // The form brings its own.
        self.headers.remove(header::CONTENT_TYPE);
        Self { content: Content::Form { fields, files }, ..self }
    }

    /// Sends a value as JSON, and asks for JSON back unless another `accept` is set.
    ///
    /// # Panics
    /// When the value cannot be written as JSON.
    #[track_caller]
    pub fn json<T: Serialize + ?Sized>(self, value: &T) -> Self {
        let body = serde_json::to_vec(value).unwrap_or_else(|error| panic!("this cannot be JSON: {error}"));
        let asks = self.headers.contains_key(header::ACCEPT);
        let request = self.body("application/json", body);
        if asks { request } else { request.accept_json() }
    }

    /// Leaves the CSRF token out, as a forged request would.
    pub fn without_csrf(mut self) -> Self {
        self.csrf = false;
        self
    }

    /// Goes where the answer redirects to, up to ten times, and gives the last answer.
    pub fn follow_redirects(mut self) -> Self {
        self.follow = true;
        self
    }

    async fn send(mut self) -> TestResponse {
        self.app.prepare().await;
        let mut response = self.send_once().await;
        for _ in 0..MOST_REDIRECTS {
            match redirect_target(&response, &self.app.host()) {
                Some(target) if self.follow => self.go_to(response.status, target),
                _ => return response,
            }
            response = self.send_once().await;
        }
        response.fail(&format!("more than {MOST_REDIRECTS} redirects in a row"))
    }

    /// As browsers do it: 307 and 308 repeat the request, everything else becomes a `GET`.
    fn go_to(&mut self, status: StatusCode, target: String) {
        self.uri = target;
        let repeats = matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
        if !repeats {
            if self.method != Method::HEAD {
                self.method = Method::GET;
            }
            self.content = Content::none();
            self.headers.remove(header::CONTENT_TYPE);
        }
    }

    async fn send_once(&self) -> TestResponse {
        let uri: Uri =
            self.uri.parse().unwrap_or_else(|_| panic!("{:?} cannot be a request's target", self.uri));
        let mut headers = self.headers.clone();
        let mut token = None;
        if self.csrf && !self.method.is_safe() && !headers.contains_key(csrf::HEADER) {
            token = Some(self.app.csrf_token().await);
        }
        let is_form = matches!(self.content, Content::Form { .. });
        if let Some(token) = token.as_deref().filter(|_| !is_form) {
            let (name, value) = header(csrf::HEADER, token);
            headers.insert(name, value);
        }
        let (kind, body) = self.content.encode(token.as_deref().map(|token| (csrf::FIELD, token)));
        if let Some(kind) = kind {
            let (name, value) = header("content-type", &kind);
            headers.entry(name).or_insert(value);
        }
        let cookies = self.app.lock_jar().header(uri.path(), self.app.clock().now());
        if let Some(own) = cookies.filter(|_| !headers.contains_key(header::COOKIE)) {
            let (name, value) = header("cookie", &own);
            headers.insert(name, value);
        }
        if !headers.contains_key(header::HOST) {
            let (name, value) = header("host", &self.app.host());
            headers.insert(name, value);
        }
        if !body.is_empty() {
            headers.insert(header::CONTENT_LENGTH, body.len().into());
        }
        let mut request = http::Request::new(housekey_http::axum::body::Body::from(body));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = uri;
        *request.headers_mut() = headers;

        let peer = SocketAddr::new(self.app.address, 49152);
        #[cfg(feature = "database")]
        let queries = self.app.log_queries();
        let answer = self.app.shared.application.kernel().handle(request, Some(peer)).await;
        let error = answer.extensions().get::<Arc<Error>>().cloned();
        let (parts, body) = answer.into_parts();
        let asked = format!("{} {}", self.method, self.uri);
        let body = match body.collect().await {
            Ok(body) => body.to_bytes(),
            Err(broken) => panic!("{asked}: the body of the answer broke off: {broken}"),
        };
        // A visitor has the answer already; a test looks at the mail next.
        self.app.wait_for_background().await;
        let mut response = TestResponse {
            asked,
            status: parts.status,
            headers: parts.headers,
            body,
            error,
            flashed_errors: Vec::new(),
            #[cfg(feature = "database")]
            queries: queries.map(|log| log.statements()).unwrap_or_default(),
        };
        let now = self.app.clock().now();
        response.cookies().for_each(|cookie| self.app.lock_jar().store(&cookie, now));
        if response.status.is_redirection() {
            response.flashed_errors = self.app.flashed_errors().await;
        }
        response
    }
}

const MOST_REDIRECTS: usize = 10;

/// Where a redirect leads, if that is this app. Another site is never asked.
fn redirect_target(response: &TestResponse, host: &str) -> Option<String> {
    if !response.status.is_redirection() {
        return None;
    }
    let location: Uri = response.header("location")?.parse().ok()?;
    if location.authority().is_some_and(|other| other.as_str() != host) {
        return None;
    }
    Some(location.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string))
}

impl IntoFuture for TestRequest {
    type Output = TestResponse;
    type IntoFuture = Pin<Box<dyn Future<Output = TestResponse> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl fmt::Debug for TestRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.uri)
    }
}
