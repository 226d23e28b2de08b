//! What is logged about a request, and what never is. A binary of its own, because a log belongs to a whole process.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::Path;
use housekey_cache::CacheConfig;
use housekey_core::{AppConfig, ConfigFiles, Env, Environment, Result};
use housekey_http::session::SessionConfig;
use housekey_http::{App, Kernel, Request, Routes};
use tracing_subscriber::fmt::MakeWriter;

/// A log that a test can read.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

fn web(route: &mut Routes) {
    route.get("/plain/{id}", async |Path(id): Path<u8>| id.to_string());
    route.get("/reset/{token}", async || "reset").sensitive();
    route.get("/broken/{token}", async || -> Result<()> { Err(io::Error::other("disk full"))? }).sensitive();
    route.get("/panic", async || -> &'static str { panic!("the roof is on fire") });
}

/// Sends a request full of secrets and answers the id it was given.
async fn visit(kernel: &Kernel, path: &str) -> String {
    let mut request = Request::new(Body::empty());
    *request.uri_mut() = path.parse().unwrap();
    for (name, value) in
        [("authorization", "Bearer hunter2"), ("cookie", "a=hunter2"), ("x-csrf-token", "hunter2")]
    {
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    let peer: SocketAddr = "203.0.113.5:4711".parse().unwrap();
    let response = kernel.handle(request, Some(peer)).await;
    response.headers()["x-request-id"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn every_request_is_logged_by_path_and_no_secret_is() {
    let lines = Lines::default();
    let log =
        tracing_subscriber::fmt().json().with_max_level(tracing::Level::TRACE).with_writer(lines.clone());
    log.init();
    let folder = tempfile::tempdir().unwrap();
    let application = App::new(ConfigFiles::new())
        .root(folder.path())
        .env(Env::empty())
        .configure(|config| {
            config.update::<AppConfig>(|app| app.env = Environment::Testing);
            config.update::<SessionConfig>(|session| session.driver = "memory".into());
            config.update::<CacheConfig>(|cache| cache.store = "memory".into());
        })
        .routes(web)
        .boot()
        .unwrap();
    let kernel = application.kernel();
    let plain = visit(&kernel, "/plain/7?password=hunter2").await;
    visit(&kernel, "/reset/hunter2?token=hunter2").await;
    visit(&kernel, "/broken/hunter2").await;
    let panic = visit(&kernel, "/panic?x=hunter2").await;

    let text = lines.text();
    assert!(!text.contains("hunter2"), "{text}");
    for said in ["/plain/7", "/reset/{token}", "/broken/{token}", "disk full", "203.0.113.5", plain.as_str()]
    {
        assert!(text.contains(said), "{said} is missing in {text}");
    }
    let report = text.lines().find(|line| line.contains("the roof is on fire")).unwrap();
    assert!(report.contains(&panic), "{report}");
}
