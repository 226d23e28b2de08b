use std::{fmt, sync::Arc};

use bytes::Bytes;
use cookie::Cookie;
use housekey_core::Error;
use http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What the app answered, with assertions that chain. One that fails prints the whole answer.
///
/// ```
/// # use housekey_core::ConfigFiles;
/// # use housekey_http::App;
/// # fn app() -> App { App::new(ConfigFiles::new()).routes(|route| { route.get("/health", async || "ok"); }) }
/// # housekey_testing::run(app, async |app: housekey_testing::TestApp| {
/// app.get("/health").await.assert_ok().assert_see("ok").assert_header("content-type", "text/plain; charset=utf-8");
/// # });
/// ```
pub struct TestResponse {
    pub(crate) asked: String,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// What went wrong inside, when the answer carries it: printed by a failing assertion, never sent to a client.
    pub(crate) error: Option<Arc<Error>>,
    /// Fields refused by validation and flashed for the next page.
    pub(crate) flashed_errors: Vec<(String, Vec<String>)>,
    /// The statements that the app ran meanwhile.
    #[cfg(feature = "database")]
    pub(crate) queries: Vec<Arc<str>>,
}

impl TestResponse {
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// One header as text; `None` when it is absent.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.body
    }

    /// The body as text. What is not UTF-8 becomes `�`.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON of a type.
    ///
    /// # Panics
    /// When the body is something else.
    #[must_use]
    #[track_caller]
    pub fn json<T: DeserializeOwned>(&self) -> T {
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(error) => self.fail(&format!("the body is not the JSON that was expected: {error}")),
        }
    }

    /// A cookie that the answer sets.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<Cookie<'static>> {
        self.cookies().find(|cookie| cookie.name() == name)
    }

    pub(crate) fn cookies(&self) -> impl Iterator<Item = Cookie<'static>> {
        let values = self.headers.get_all(header::SET_COOKIE).iter();
        values.filter_map(|value| Cookie::parse(value.to_str().ok()?.to_owned()).ok())
    }

    /// Ends the test with a message and everything known about the answer.
    #[track_caller]
    pub(crate) fn fail(&self, what: &str) -> ! {
        let hint = self.hint().map(|hint| format!("\nhint: {hint}\n")).unwrap_or_default();
        panic!("{what}\n\n{self:?}{hint}")
    }

    fn hint(&self) -> Option<String> {
        if let Some(error) = &self.error
            && !error.source_chain().is_empty()
        {
            return Some(format!("inside the app: {error}"));
        }
        let location = self.header("location").unwrap_or("nowhere");
        Some(match self.status.as_u16() {
            301 | 302 | 303 | 307 | 308 => {
                format!("it redirects to {location}; `.follow_redirects()` on the request goes there")
            }
            404 => "no route answers this, or the handler said so; `route:list` shows every route".into(),
            405 => format!("the path exists, with other methods: {}", self.header("allow").unwrap_or("none")),
            419 => "the CSRF token was refused; a request made `.without_csrf()` carries none".into(),
            422 => "validation refused the input; the errors are in the body".into(),
            429 => {
                "a throttle guard stopped it; the counters of one TestApp are shared by its requests".into()
            }
            _ => return None,
        })
    }
}

/// The request line, the status, the headers and the beginning of the body.
impl fmt::Debug for TestResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.asked, self.status)?;
        for (name, value) in &self.headers {
            writeln!(f, "{name}: {}", String::from_utf8_lossy(value.as_bytes()))?;
        }
        let text = match serde_json::from_slice::<Value>(&self.body) {
            Ok(json) if json.is_object() || json.is_array() => format!("{json:#}"),
            _ => self.text(),
        };
        let shown: String = text.chars().take(SHOWN).collect();
        let rest = text.chars().count().saturating_sub(SHOWN);
        writeln!(f, "\n{shown}")?;
        if rest > 0 {
            writeln!(f, "… and {rest} more characters")?;
        }
        for (field, messages) in &self.flashed_errors {
            writeln!(f, "flashed error on {field}: {}", messages.join(" "))?;
        }
        Ok(())
    }
}

const SHOWN: usize = 4000;
