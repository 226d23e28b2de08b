use std::collections::BTreeMap;

use http::header::{CONTENT_TYPE, COOKIE, ORIGIN, SET_COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use serde_json::{Value as Json, json};

use super::Answer;
use crate::Engine;

/// The password of everybody who [signed up](Browser::sign_up).
pub const PASSWORD: &str = "correct horse battery";

/// A client that keeps its cookies and says where it comes from, as browsers do. A clone goes its own way from then on.
#[derive(Clone, Debug)]
pub struct Browser {
    engine: Engine,
    cookies: BTreeMap<String, String>,
    headers: HeaderMap,
}

impl Browser {
    /// A browser that was never here.
    pub fn new(engine: &Engine) -> Self {
        Self { engine: engine.clone(), cookies: BTreeMap::new(), headers: HeaderMap::new() }
    }

    /// With a header that every request carries from now on.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Asks for a path below the base path.
    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// Sends JSON to a path below the base path.
    pub async fn post(&mut self, path: &str, body: Json) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    /// Makes an account with [`PASSWORD`] and is signed in with it. Its name is what stands before the `@`.
    pub async fn sign_up(&mut self, email: &str) -> Answer {
        let name = email.split('@').next().unwrap_or_default();
        self.post("/sign-up/email", json!({ "name": name, "email": email, "password": PASSWORD })).await
    }

    /// Signs in with [`PASSWORD`].
    pub async fn sign_in(&mut self, email: &str) -> Answer {
        self.post("/sign-in/email", json!({ "email": email, "password": PASSWORD })).await
    }

    /// The address of whoever is signed in here.
    pub async fn signed_in_as(&mut self) -> Option<String> {
        let session = self.get("/get-session").await.json();
        Some(session.get("user")?.get("email")?.as_str()?.to_owned())
    }

    /// A cookie as the browser keeps it, by its whole name.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    /// Puts a cookie in, as somebody does who made it or took it elsewhere.
    pub fn set_cookie(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    pub async fn send(&mut self, method: Method, path: &str, body: Option<Json>) -> Answer {
        let mut request = Request::new(body.as_ref().map(ToString::to_string).unwrap_or_default().into());
        *request.method_mut() = method;
        let base = self.engine.options().base_path.trim_end_matches('/');
        *request.uri_mut() = format!("{base}{path}").parse().unwrap_or_default();
        *request.headers_mut() = self.headers(body.is_some());
        let response = self.engine.handle(request).await;
        for header in response.headers().get_all(SET_COOKIE) {
            self.keep(header);
        }
        Answer::of(response)
    }

    fn headers(&self, with_body: bool) -> HeaderMap {
        let mut headers = self.headers.clone();
        let own = HeaderValue::from_str(self.engine.api().origin());
        if let (false, Ok(origin)) = (headers.contains_key(ORIGIN), own) {
            headers.insert(ORIGIN, origin);
        }
        if with_body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if let (false, Ok(cookies)) = (pairs.is_empty(), HeaderValue::from_str(&pairs.join("; "))) {
            headers.insert(COOKIE, cookies);
        }
        headers
    }

    fn keep(&mut self, header: &HeaderValue) {
        let text = header.to_str().unwrap_or_default();
        let Some((name, value)) = text.split(';').next().and_then(|pair| pair.split_once('=')) else {
            return;
        };
        if text.contains("; Max-Age=0") {
            self.cookies.remove(name);
        } else {
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
    }
}
