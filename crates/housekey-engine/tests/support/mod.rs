//! An engine with a memory, a frozen clock and a mailbox, and a browser that keeps its cookies.

mod described;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use housekey_engine::options::{ChangeEmailMail, EmailAndPassword, EngineOptions, LinkMail};
use housekey_engine::{ApiError, Callback, Clock, Engine, EngineBuilder, MemoryStorage, Record};
use http::{HeaderMap, Method, Request, StatusCode};
use serde_json::{Value, json};

pub(crate) const SECRET: &str = "a-very-long-secret-for-testing-0123456789-abcdef";
pub(crate) const ORIGIN: &str = "http://localhost:3000";
pub(crate) const PASSWORD: &str = "correct horse";

/// An engine and what surrounds it.
#[derive(Clone)]
pub(crate) struct TestEngine {
    pub(crate) engine: Engine,
    pub(crate) storage: MemoryStorage,
    pub(crate) clock: Clock,
    pub(crate) mailbox: Mailbox,
}

/// A mail that was sent.
#[derive(Clone, Debug)]
pub(crate) struct Mail {
    pub(crate) kind: &'static str,
    pub(crate) to: String,
    pub(crate) url: String,
    pub(crate) token: String,
}

#[derive(Clone, Default)]
pub(crate) struct Mailbox(Arc<Mutex<Vec<Mail>>>);

impl Mailbox {
    pub(crate) fn link(&self, kind: &'static str) -> Callback<LinkMail> {
        let mails = Arc::clone(&self.0);
        Callback::new(move |mail: LinkMail| {
            mails.lock().unwrap().push(Mail { kind, to: mail.user.email, url: mail.url, token: mail.token });
            async { Ok::<_, ApiError>(()) }
        })
    }

    pub(crate) fn change_email(&self) -> Callback<ChangeEmailMail> {
        let mails = Arc::clone(&self.0);
        Callback::new(move |mail: ChangeEmailMail| {
            let kind = "confirm-change";
            mails.lock().unwrap().push(Mail { kind, to: mail.user.email, url: mail.url, token: mail.token });
            async { Ok::<_, ApiError>(()) }
        })
    }

    pub(crate) fn push(&self, mail: Mail) {
        self.0.lock().unwrap().push(mail);
    }

    pub(crate) fn all(&self) -> Vec<Mail> {
        self.0.lock().unwrap().clone()
    }

    /// The newest mail, which is taken out.
    pub(crate) fn take(&self) -> Mail {
        self.0.lock().unwrap().pop().expect("a mail was sent")
    }
}

/// Options with email and password on.
pub(crate) fn options() -> EngineOptions {
    EngineOptions {
        secret: SECRET.into(),
        base_url: ORIGIN.into(),
        production: false,
        email_and_password: EmailAndPassword { enabled: true, ..EmailAndPassword::default() },
        ..EngineOptions::default()
    }
}

impl TestEngine {
    pub(crate) fn new(engine: impl Into<EngineBuilder>) -> Self {
        Self::with(|_| engine)
    }

    /// An engine whose options may use its mailbox.
    pub(crate) fn with<E: Into<EngineBuilder>>(engine: impl FnOnce(&Mailbox) -> E) -> Self {
        let (storage, clock, mailbox) = (MemoryStorage::new(), Clock::frozen_now(), Mailbox::default());
        let engine = engine(&mailbox).into().clock(clock.clone()).build(storage.clone()).unwrap();
        Self { engine, storage, clock, mailbox }
    }

    /// The same rows and the same moment under another engine.
    pub(crate) fn under(&self, engine: impl Into<EngineBuilder>) -> Self {
        let engine = engine.into().clock(self.clock.clone()).build(self.storage.clone()).unwrap();
        Self { engine, ..self.clone() }
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser::new(self.engine.clone())
    }

    /// A browser in which Ada has signed up.
    pub(crate) async fn ada(&self) -> Browser {
        let mut browser = self.browser();
        browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        browser
    }

    pub(crate) async fn rows(&self, table: &str) -> Vec<Record> {
        self.storage.rows(table).await
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.clock.advance(std::time::Duration::from_secs(seconds));
    }
}

/// Keeps cookies and sends its origin, as browsers do.
#[derive(Clone)]
pub(crate) struct Browser {
    engine: Engine,
    pub(crate) cookies: BTreeMap<String, String>,
    pub(crate) headers: HeaderMap,
}

impl Browser {
    pub(crate) fn new(engine: Engine) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert("origin", ORIGIN.parse().unwrap());
        Self { engine, cookies: BTreeMap::new(), headers }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, Bytes::new(), None).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, body.to_string().into(), Some("application/json")).await
    }

    /// Opens a link of a mail.
    pub(crate) async fn open(&mut self, url: &str) -> Answer {
        let path = url.strip_prefix(ORIGIN).unwrap().strip_prefix("/api/auth").unwrap().to_owned();
        self.get(&path).await
    }

    pub(crate) async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: Bytes,
        content_type: Option<&str>,
    ) -> Answer {
        let mut request = Request::builder().method(method.clone()).uri(format!("/api/auth{path}"));
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        if !self.cookies.is_empty() {
            let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", pairs.join("; "));
        }
        let mut request = request.body(body).unwrap();
        for (name, value) in &self.headers {
            request.headers_mut().insert(name, value.clone());
        }
        let answer = Answer::read(self.engine.handle(request).await);
        described::check(&self.engine, &method, path, &answer);
        for cookie in &answer.cookies {
            if cookie.is_cleared() {
                self.cookies.remove(&cookie.name);
            } else {
                self.cookies.insert(cookie.name.clone(), cookie.value.clone());
            }
        }
        answer
    }

    pub(crate) async fn sign_up(&mut self, email: &str) -> Answer {
        self.post("/sign-up/email", json!({ "name": "Ada", "email": email, "password": PASSWORD })).await
    }

    pub(crate) async fn sign_in(&mut self, email: &str, password: &str) -> Answer {
        self.post("/sign-in/email", json!({ "email": email, "password": password })).await
    }

    /// The session and user as the browser's own page would see them.
    pub(crate) async fn session(&mut self) -> Value {
        self.get("/get-session").await.assert(StatusCode::OK).json()
    }

    pub(crate) fn cookie_header(&self) -> HeaderMap {
        let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut headers = HeaderMap::new();
        headers.insert("cookie", pairs.join("; ").parse().unwrap());
        headers
    }
}

/// A response, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) cookies: Vec<SetCookie>,
}

#[derive(Clone, Debug)]
pub(crate) struct SetCookie {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) attributes: String,
}

impl SetCookie {
    pub(crate) fn is_cleared(&self) -> bool {
        self.value.is_empty() && self.attributes.contains("Max-Age=0")
    }
}

impl Answer {
    fn read(response: http::Response<Bytes>) -> Self {
        let (parts, body) = response.into_parts();
        let cookies = parts.headers.get_all("set-cookie").iter().map(|header| {
            let (pair, attributes) = header.to_str().unwrap().split_once("; ").unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            SetCookie { name: name.into(), value: value.into(), attributes: attributes.into() }
        });
        Self { status: parts.status, cookies: cookies.collect(), headers: parts.headers, body }
    }

    #[track_caller]
    pub(crate) fn assert(self, status: StatusCode) -> Self {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    /// Asserts a refusal by status and code.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str) -> Self {
        assert_eq!(
            (self.status.as_u16(), self.json()["code"].as_str()),
            (status, Some(code)),
            "{:?}",
            self.body
        );
        self
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn cookie(&self, base_name: &str) -> Option<&SetCookie> {
        self.cookies.iter().find(|cookie| cookie.name == format!("better-auth.{base_name}"))
    }
}
