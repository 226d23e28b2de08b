//! A site in a temporary folder, and visitors with browsers that keep cookies.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test file uses its part, and a test that cannot go on fails"
)]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::{Body, to_bytes};
use housekey_cache::CacheConfig;
use housekey_core::{
    AppConfig, AppKey, Clock, ConfigFiles, EncryptionConfig, Env, Environment, Error, Result, Secret,
};
use housekey_http::session::{
    MemorySessions, SessionConfig, SessionDrivers, SessionId, SessionManager, SessionRecord, SessionStore,
    StoreFuture,
};
use housekey_http::{App, Application, HttpConfig, Kernel, Provider, Registrar, Routes, axum};
use http::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use http::{HeaderMap, Method, StatusCode};
use serde_json::Value;
use tempfile::TempDir;

/// A booted application with everything a test wants to look at.
pub(crate) struct Site {
    pub(crate) application: Application,
    pub(crate) clock: Clock,
    pub(crate) store: Arc<Watched>,
    pub(crate) folder: Arc<TempDir>,
    kernel: Kernel,
}

/// How a test's site differs from the plain one.
pub(crate) struct Plan {
    pub(crate) key: Secret,
    pub(crate) folder: Arc<TempDir>,
    pub(crate) session: SessionConfig,
    pub(crate) app: AppConfig,
    pub(crate) provider: Option<Box<dyn Provider>>,
    pub(crate) configure: Option<Configure>,
}

pub(crate) type Configure = Box<dyn FnOnce(&mut housekey_core::Config) + Send>;

impl Default for Plan {
    fn default() -> Self {
        Self {
            key: AppKey::generate().to_text(),
            folder: Arc::new(tempfile::tempdir().unwrap()),
            session: SessionConfig {
                driver: "watched".into(),
                cookie: Some("id".into()),
                ..SessionConfig::default()
            },
            app: AppConfig { env: Environment::Testing, ..AppConfig::default() },
            provider: None,
            configure: None,
        }
    }
}

impl Plan {
    pub(crate) fn on_files() -> Self {
        let mut plan = Self::default();
        plan.session.driver = "file".into();
        plan
    }

    pub(crate) fn site(self, routes: impl FnOnce(&mut Routes) + Send + 'static) -> Site {
        let clock = Clock::frozen_now();
        let store = Arc::new(Watched::default());
        let mut app = App::new(ConfigFiles::new())
            .root(self.folder.path())
            .env(Env::empty())
            .clock(clock.clone())
            .provider(Drivers(store.clone()))
            .configure(move |config| {
                config.update::<AppConfig>(|app| *app = self.app);
                config.update::<EncryptionConfig>(|encryption| encryption.key = self.key);
                config.update::<CacheConfig>(|cache| cache.store = "memory".into());
                config.update::<HttpConfig>(|http| http.access_log = false);
                config.update::<SessionConfig>(|session| *session = self.session);
                if let Some(configure) = self.configure {
                    configure(config);
                }
            })
            .routes(routes);
        if let Some(provider) = self.provider {
            app = app.provider(Boxed(provider));
        }
        let application = app.boot().unwrap();
        Site { kernel: application.kernel(), application, clock, store, folder: self.folder }
    }
}

pub(crate) fn site(routes: impl FnOnce(&mut Routes) + Send + 'static) -> Site {
    Plan::default().site(routes)
}

impl Site {
    /// Somebody who has never been here.
    pub(crate) fn visitor(&self) -> Visitor {
        Visitor { kernel: self.kernel.clone(), jar: Arc::default() }
    }

    pub(crate) fn sessions(&self) -> Arc<SessionManager> {
        self.application.services().get().unwrap()
    }

    pub(crate) fn advance_minutes(&self, minutes: u64) {
        self.clock.advance(std::time::Duration::from_secs(minutes * 60));
    }
}

/// Runs async work from a property test, which is not async itself.
pub(crate) fn block_on<F: Future>(work: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// A browser: it keeps the cookies it is given and sends them along. Clones share the jar.
#[derive(Clone)]
pub(crate) struct Visitor {
    kernel: Kernel,
    jar: Arc<Mutex<Vec<(String, String)>>>,
}

impl Visitor {
    /// A browser whose jar holds what this one's holds now, and goes its own way from then on.
    pub(crate) fn thief(&self) -> Self {
        Self { kernel: self.kernel.clone(), jar: Arc::new(Mutex::new(self.jar.lock().unwrap().clone())) }
    }

    pub(crate) fn at(&self, site: &Site) -> Self {
        Self { kernel: site.kernel.clone(), jar: self.jar.clone() }
    }

    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        self.jar.lock().unwrap().iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    }

    pub(crate) fn set_cookie(&self, name: &str, value: &str) {
        let mut jar = self.jar.lock().unwrap();
        jar.retain(|(key, _)| key != name);
        jar.push((name.into(), value.into()));
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(request(Method::GET, path)).await
    }

    pub(crate) async fn text(&self, path: &str) -> String {
        self.get(path).await.ok().text()
    }

    /// Posts a form without a token.
    pub(crate) async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.send(form(path, fields)).await
    }

    pub(crate) async fn json(&self, path: &str, body: &str) -> Answer {
        let request = request(Method::POST, path).header(CONTENT_TYPE.as_str(), "application/json");
        self.send(request.header("accept", "application/json").body(body.to_owned())).await
    }

    pub(crate) async fn send(&self, request: Ask) -> Answer {
        let mut builder =
            http::Request::builder().method(request.method).uri(request.path).header("host", "shop.test");
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        let jar: Vec<String> =
            self.jar.lock().unwrap().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !jar.is_empty() {
            builder = builder.header(COOKIE, jar.join("; "));
        }
        let response = self.kernel.handle(builder.body(Body::from(request.body)).unwrap(), None).await;
        let (parts, body) = response.into_parts();
        let answer = Answer {
            status: parts.status,
            headers: parts.headers,
            body: to_bytes(body, usize::MAX).await.unwrap().to_vec(),
        };
        for cookie in answer.cookies() {
            let (pair, attributes) = cookie.split_once(';').unwrap_or((&cookie, ""));
            let (name, value) = pair.split_once('=').unwrap();
            self.jar.lock().unwrap().retain(|(key, _)| key != name);
            if !attributes.contains("Max-Age=0") {
                self.jar.lock().unwrap().push((name.into(), value.into()));
            }
        }
        answer
    }
}

/// A request being written.
pub(crate) struct Ask {
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

pub(crate) fn request(method: Method, path: &str) -> Ask {
    Ask { method, path: path.into(), headers: Vec::new(), body: Vec::new() }
}

pub(crate) fn form(path: &str, fields: &[(&str, &str)]) -> Ask {
    let body = encode(fields);
    request(Method::POST, path).header(CONTENT_TYPE.as_str(), "application/x-www-form-urlencoded").body(body)
}

/// A multipart form; a field with a file name is a file.
pub(crate) fn multipart(path: &str, fields: &[(&str, Option<&str>, &str)]) -> Ask {
    let mut body = String::new();
    for (name, file, value) in fields {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        body.push_str(&format!(
            "--XX\r\ncontent-disposition: form-data; name=\"{name}\"{file}\r\n\r\n{value}\r\n"
        ));
    }
    body.push_str("--XX--\r\n");
    request(Method::POST, path).header(CONTENT_TYPE.as_str(), "multipart/form-data; boundary=XX").body(body)
}

pub(crate) fn encode(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

impl Ask {
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.status, 200, "{}", self.text());
        self
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn cookies(&self) -> Vec<String> {
        self.headers.get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn to_json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }
}

/// A memory store that counts, and that can be taken off the network.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) inner: MemorySessions,
    pub(crate) reads: AtomicUsize,
    pub(crate) writes: AtomicUsize,
    pub(crate) is_down: AtomicBool,
    pub(crate) sweeps: AtomicUsize,
    /// Sweeps wait while a test holds it.
    pub(crate) sweep_gate: tokio::sync::Mutex<()>,
}

impl Watched {
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.reads.load(Ordering::SeqCst), self.writes.load(Ordering::SeqCst))
    }

    fn check(&self, counter: &AtomicUsize) -> Result<()> {
        counter.fetch_add(1, Ordering::SeqCst);
        match self.is_down.load(Ordering::SeqCst) {
            true => Err(Error::internal("the session store cannot be reached")),
            false => Ok(()),
        }
    }
}

impl SessionStore for Watched {
    fn name(&self) -> &'static str {
        "watched"
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Option<SessionRecord>> {
        Box::pin(async move {
            self.check(&self.reads)?;
            // Gives every other request a chance to come in between.
            tokio::task::yield_now().await;
            self.inner.read(id).await
        })
    }

    fn swap<'a>(
        &'a self,
        id: &'a SessionId,
        expected: Option<u64>,
        record: SessionRecord,
    ) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            self.check(&self.writes)?;
            tokio::task::yield_now().await;
            self.inner.swap(id, expected, record).await
        })
    }

    fn remove<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, ()> {
        self.inner.remove(id)
    }

    fn collect_garbage(&self, now: u64) -> StoreFuture<'_, u64> {
        Box::pin(async move {
            self.sweeps.fetch_add(1, Ordering::SeqCst);
            let _gate = self.sweep_gate.lock().await;
            self.inner.collect_garbage(now).await
        })
    }
}

struct Drivers(Arc<Watched>);

impl Provider for Drivers {
    fn name(&self) -> &'static str {
        "watched sessions"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        app.contribute(|drivers: &mut SessionDrivers| drivers.add(self.0.clone()));
        Ok(())
    }
}

struct Boxed(Box<dyn Provider>);

impl Provider for Boxed {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        self.0.register(app)
    }
}
