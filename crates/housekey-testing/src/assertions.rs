//! The assertions of [`TestResponse`]. Each gives the response back, so that they chain.

use http::StatusCode;
use serde_json::Value;

use crate::TestResponse;

impl TestResponse {
    /// The answer is a success of any kind.
    #[track_caller]
    pub fn assert_ok(&self) -> &Self {
        if !self.status.is_success() {
            self.fail(&format!("expected a success, got {}", self.status));
        }
        self
    }

    /// The status is exactly this one: `200`, or `StatusCode::OK`.
    #[track_caller]
    pub fn assert_status<S>(&self, expected: S) -> &Self
    where
        S: TryInto<StatusCode>,
        S::Error: std::fmt::Debug,
    {
        #[expect(clippy::expect_used, reason = "a test that asks for status 7 is wrong and must say so")]
        let expected = expected.try_into().expect("a status is between 100 and 999");
        if self.status != expected {
            self.fail(&format!("expected status {expected}, got {}", self.status));
        }
        self
    }

    /// 404.
    #[track_caller]
    pub fn assert_not_found(&self) -> &Self {
        self.assert_status(404)
    }

    /// 403.
    #[track_caller]
    pub fn assert_forbidden(&self) -> &Self {
        self.assert_status(403)
    }

    /// A redirect to this place. A path also matches the full address of it on this app.
    #[track_caller]
    pub fn assert_redirect(&self, to: &str) -> &Self {
        let location = self.header("location").unwrap_or_default();
        if !self.status.is_redirection() {
            self.fail(&format!("expected a redirect to {to}, got {}", self.status));
        }
        let path = location.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
        if location != to && (!to.starts_with('/') || path != Some(to)) {
            self.fail(&format!("expected a redirect to {to}, got one to {location}"));
        }
        self
    }

    /// The body holds this text, as it is.
    #[track_caller]
    pub fn assert_see(&self, text: &str) -> &Self {
        let body = self.text();
        if !body.contains(text) {
            let escaped = escaped(text);
            let note = if escaped != text && body.contains(&escaped) {
                "; it holds it HTML-escaped, see assert_see_escaped"
            } else {
                ""
            };
            self.fail(&format!("expected the body to hold {text:?}{note}"));
        }
        self
    }

    /// The body holds this text the way a page shows it: HTML-escaped.
    #[track_caller]
    pub fn assert_see_escaped(&self, text: &str) -> &Self {
        let body = self.text();
        // Quotes may stand as they are outside of attributes.
        if !body.contains(&escaped(text)) && !body.contains(&escaped(text).replace("&quot;", "\"")) {
            self.fail(&format!("expected the body to hold {text:?}, HTML-escaped"));
        }
        self
    }

    /// The body does not hold this text.
    #[track_caller]
    pub fn assert_dont_see(&self, text: &str) -> &Self {
        if self.text().contains(text) {
            self.fail(&format!("expected the body not to hold {text:?}"));
        }
        self
    }

    /// The body is exactly this JSON.
    #[track_caller]
    pub fn assert_json(&self, expected: &Value) -> &Self {
        let found: Value = self.json();
        if found != *expected {
            self.fail(&format!("expected the JSON {expected:#}"));
        }
        self
    }

    /// The JSON body holds this value at a dotted path: `errors.email.0`.
    #[track_caller]
    pub fn assert_json_path(&self, path: &str, expected: impl Into<Value>) -> &Self {
        let (expected, body): (Value, Value) = (expected.into(), self.json());
        match body.pointer(&format!("/{}", path.replace('.', "/"))) {
            Some(found) if *found == expected => self,
            Some(found) => self.fail(&format!("expected {expected} at [{path}], found {found}")),
            None => self.fail(&format!("expected {expected} at [{path}], found nothing there")),
        }
    }

    /// The answer has this header with this value.
    #[track_caller]
    pub fn assert_header(&self, name: &str, expected: &str) -> &Self {
        match self.header(name) {
            Some(found) if found == expected => self,
            Some(found) => self.fail(&format!("expected `{name}: {expected}`, found `{name}: {found}`")),
            None => self.fail(&format!("expected the header `{name}: {expected}`, there is no {name}")),
        }
    }

    #[track_caller]
    pub fn assert_no_header(&self, name: &str) -> &Self {
        if let Some(found) = self.header(name) {
            self.fail(&format!("expected no header {name}, found `{name}: {found}`"));
        }
        self
    }

    /// The answer sets this cookie, and does not merely remove it.
    #[track_caller]
    pub fn assert_cookie(&self, name: &str) -> &Self {
        match self.cookie(name) {
            Some(cookie) if cookie.value().is_empty() => {
                self.fail(&format!("expected the cookie {name} to be set, it is removed"))
            }
            Some(_) => self,
            None => self.fail(&format!("expected the cookie {name} to be set")),
        }
    }

    /// The answer does not touch this cookie.
    #[track_caller]
    pub fn assert_no_cookie(&self, name: &str) -> &Self {
        if self.cookie(name).is_some() {
            self.fail(&format!("expected the cookie {name} to be left alone"));
        }
        self
    }

    /// Validation refused this field: in the JSON of a 422, or flashed for the page a browser is sent back to.
    #[track_caller]
    pub fn assert_invalid(&self, field: &str) -> &Self {
        let fields = self.invalid_fields();
        if !fields.iter().any(|(name, _)| name == field) {
            let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
            let found = if names.is_empty() { "no field was".to_owned() } else { names.join(", ") };
            self.fail(&format!("expected {field} to be refused; refused: {found}"));
        }
        self
    }

    /// Validation refused nothing.
    #[track_caller]
    pub fn assert_valid(&self) -> &Self {
        if let Some((field, messages)) = self.invalid_fields().first() {
            self.fail(&format!("expected no field to be refused, but {field} was: {}", messages.join(" ")));
        }
        self
    }

    fn invalid_fields(&self) -> Vec<(String, Vec<String>)> {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let in_body = body["errors"].as_object().into_iter().flatten().map(|(field, messages)| {
            let texts =
                messages.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
            (field.clone(), texts.collect())
        });
        in_body.chain(self.flashed_errors.iter().cloned()).collect()
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
