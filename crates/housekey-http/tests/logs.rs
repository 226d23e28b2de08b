//! What is logged about a request, and what never is. A binary of its own, because a log belongs to a whole process.

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
    route.get("/invite/{id}/{token}", async || "invited").where_("id", "[0-9]+").sensitive();
    // What is written out whole is shown, also where a token could stand.
    route.get("/signed/{id}", async || "signed").middleware("signed");
    route.get("/reset/help", async || "help");
    route.get("/{page}", async || "a page").where_("page", ".*");
    route.get("/panic", async || -> &'static str { panic!("the roof is on fire") });
}

/// Every way that was thought of to get a token past the mask: the method, the address, and what the log shows.
const ATTACKS: [(&str, &str, &str); 22] = [
    // Methods that the route does not answer, and those that it does.
    ("GET", "/reset/hunter2", "/reset/{token}"),
    ("HEAD", "/reset/hunter2", "/reset/{token}"),
    ("POST", "/reset/hunter2", "/reset/{token}"),
    ("PUT", "/reset/hunter2", "/reset/{token}"),
    ("DELETE", "/reset/hunter2", "/reset/{token}"),
    ("OPTIONS", "/reset/hunter2", "/reset/{token}"),
    ("TRACE", "/reset/hunter2", "/reset/{token}"),
    ("PROPFIND", "/reset/hunter2", "/reset/{token}"),
    // Addresses beside the route's own.
    ("GET", "/reset/hunter2/", "/reset/{token}"),
    ("GET", "/reset//hunter2", "/reset/{token}"),
    ("GET", "//reset/hunter2", "/reset/{token}"),
    ("GET", "/reset/hunter2/more", "/reset/{token}/..."),
    ("GET", "/./reset/../reset/hunter2", "/reset/{token}"),
    // Other spellings.
    ("POST", "/%72eset/hunter2", "/reset/{token}"),
    ("POST", "/reset%2Fhunter2", "/reset/{token}"),
    ("POST", "/reset%252Fhunter2", "/reset/{token}"),
    ("POST", "/reset/%ffhunter2", "/reset/{token}"),
    ("POST", "/reset/hunter2%", "/reset/{token}"),
    ("POST", "/RESET/hunter2", "/reset/{token}"),
    // A parameter of other routes, a constraint that it does not meet, and what is asked for as a file.
    ("POST", "/invite/7/hunter2", "/invite/{id}/{token}"),
    ("GET", "/invite/hunter2", "/invite/{id}"),
    ("GET", "/reset/hunter2.css", "/reset/{token}"),
];

/// Sends a request full of secrets and answers the id it was given.
async fn visit(kernel: &Kernel, path: &str) -> String {
    send(kernel, "GET", path).await
}

async fn send(kernel: &Kernel, method: &str, path: &str) -> String {
    let mut request = Request::new(Body::empty());
    *request.method_mut() = method.parse().unwrap();
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

// spec: NTF-8
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
    visit(&kernel, "/signed/7?expires=9999999999&signature=hunter2").await;
    visit(&kernel, "/plain/7?maintenance=hunter2").await;
    let panic = visit(&kernel, "/panic?x=hunter2").await;

    visit(&kernel, "/reset/help").await;
    for (method, path, shown) in ATTACKS {
        let id = send(&kernel, method, path).await;
        let text = lines.text();
        let line = text.lines().find(|line| line.contains(&id)).unwrap();
        let wanted = format!("\"path\":\"{shown}\"");
        assert!(line.contains(&wanted), "{method} {path}: {shown} is missing in {line}");
    }

    let text = lines.text();
    assert!(!text.contains("hunter2"), "{text}");
    for said in [
        "/plain/7",
        "/reset/{token}",
        "/broken/{token}",
        "/reset/help",
        "/signed/7",
        "disk full",
        "203.0.113.5",
        plain.as_str(),
    ] {
        assert!(text.contains(said), "{said} is missing in {text}");
    }
    let report = text.lines().find(|line| line.contains("the roof is on fire")).unwrap();
    assert!(report.contains(&panic), "{report}");
}
