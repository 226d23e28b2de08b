//! `/dev/queue`, through the front door.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use housekey_core::{
    AppConfig, AppKey, Config, ConfigFiles, EncryptionConfig, Env, Environment, Error, Result,
};
use housekey_database::Databases;
use housekey_http::axum::body::Body;
use housekey_http::{App, Application};
use housekey_queue::{
    AppJobs, Job, Queue, QueueConfig, QueueProvider, Worker, batch, job, permanent_failure, tables,
};
use housekey_view::ViewProvider;
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

const EVIL: &str = "<img src=x onerror=alert(1)>";

#[derive(Serialize, Deserialize)]
struct Greet {
    name: String,
    fails: bool,
}

impl Job for Greet {
    const NAME: &'static str = "greet";

    async fn handle(self) -> Result<()> {
        if self.fails {
            return Err(permanent_failure(Error::internal(format!("the door is shut {EVIL}"))));
        }
        Ok(())
    }

    fn queue(&self) -> &str {
        "doors"
    }
}

fn greet(fails: bool) -> Greet {
    Greet { name: "a very secret name".into(), fails }
}

fn boot(folder: &TempDir, env: Environment, url: &str, driver: &'static str) -> Application {
    let url = url.to_owned();
    let change = move |config: &mut Config| {
        config.update::<AppConfig>(|app| {
            app.env = env;
            app.url = url;
        });
        config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
        config.update::<QueueConfig>(|queue| queue.driver = driver.into());
    };
    App::new(ConfigFiles::new())
        .root(folder.path())
        .env(Env::empty())
        .configure(change)
        .provider(ViewProvider)
        .provider(QueueProvider)
        .jobs([job::<Greet>()])
        .boot()
        .unwrap()
}

/// An app in development with its tables, and a browser on the same machine.
struct DevApp {
    application: Application,
    cookies: Mutex<BTreeMap<String, String>>,
    _folder: TempDir,
}

struct Answer {
    status: StatusCode,
    policy: String,
    location: String,
    body: String,
}

impl DevApp {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let application = boot(&folder, Environment::Development, "http://localhost:3000", "database");
        let databases = application.services().require::<Databases>().unwrap();
        databases.connection(None).unwrap().schema(tables::create).await.unwrap();
        Self { application, cookies: Mutex::default(), _folder: folder }
    }

    fn queue(&self) -> Queue {
        (*self.application.services().require::<Queue>().unwrap()).clone()
    }

    async fn work(&self) {
        let worker = Worker::new(self.queue(), self.application.services().clone()).every_queue();
        worker.stop_when_empty().run_until(std::future::pending()).await.unwrap();
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, "127.0.0.1", &[("host", "localhost:3000")], "").await
    }

    /// Sends a form as the page has it: with the token that stands in it.
    async fn press(&self, path: &str) -> Answer {
        let page = self.get("/dev/queue").await.body;
        assert!(page.contains(&format!("action=\"{path}\"")), "{path} is not on the page:\n{page}");
        let token = page.split("name=\"_token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
        self.post(path, &format!("_token={token}")).await
    }

    async fn post(&self, path: &str, form: &str) -> Answer {
        let headers = [("host", "localhost:3000"), ("content-type", "application/x-www-form-urlencoded")];
        self.ask(Method::POST, path, "127.0.0.1", &headers, form).await
    }

    async fn ask(
        &self,
        method: Method,
        path: &str,
        ip: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let cookies: Vec<String> =
            self.cookies.lock().unwrap().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header("cookie", cookies.join("; "));
        }
        let peer = SocketAddr::new(ip.parse().unwrap(), 40_000);
        let request = request.body(Body::from(body.to_owned())).unwrap();
        let response = self.application.kernel().handle(request, Some(peer)).await;
        let (parts, body) = response.into_parts();
        for cookie in parts.headers.get_all("set-cookie") {
            let (name, value) = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
        }
        let header =
            |name: &str| parts.headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        let (policy, location) = (header("content-security-policy"), header("location"));
        let body = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Answer { status: parts.status, policy, location, body }
    }
}

// spec: WRK-2
#[tokio::test]
async fn it_shows_what_waits_runs_and_failed_and_how_far_batches_are() {
    let app = DevApp::new().await;
    let page = app.get("/dev/queue").await;
    assert_eq!(page.status, 200);
    for words in ["No job has failed.", "No job is running.", "No job waits."] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    let queue = app.queue();
    queue.dispatch(greet(true)).await.unwrap();
    app.work().await;
    queue.dispatch_batch(batch([greet(false), greet(false)]).name(format!("visitors {EVIL}"))).await.unwrap();
    queue.driver().reserve("doors", Duration::from_secs(60)).await.unwrap().unwrap();
    queue.dispatch_after(greet(false), Duration::from_secs(7250)).await.unwrap();

    let page = app.get("/dev/queue").await;
    let expected = [
        "<b>doors</b>",
        "the door is shut &lt;img",
        "visitors &lt;img",
        "0 of 2 done",
        "its worker is heard from",
        "in 2 hours",
        "1 due",
        "1 later",
        "1 running",
    ];
    for words in expected {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    for words in ["<img", "<script", "style=\"", "a very secret name"] {
        assert!(!page.body.contains(words), "{words}: {}", page.body);
    }
    assert!(page.policy.starts_with("default-src 'none'; style-src 'nonce-"), "{}", page.policy);
    assert!(!page.policy.contains("script-src") && page.policy.contains("form-action 'self'"));
}

// spec: WRK-2
#[tokio::test]
async fn failed_jobs_are_retried_and_forgotten_and_batches_cancelled_by_its_buttons() {
    let app = DevApp::new().await;
    let queue = app.queue();
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(queue.dispatch(greet(true)).await.unwrap());
    }
    app.work().await;
    let failed = async || queue.driver().failed(10).await.unwrap().len();
    let waiting = async || queue.driver().size("doors").await.unwrap().total();
    assert_eq!((failed().await, waiting().await), (3, 0));

    let answer = app.press(&format!("/dev/queue/failed/{}/retry", ids[0])).await;
    assert_eq!((answer.status.is_redirection(), answer.location.as_str()), (true, "/dev/queue"));
    assert_eq!((failed().await, waiting().await), (2, 1));
    app.press(&format!("/dev/queue/failed/{}/forget", ids[1])).await;
    assert_eq!((failed().await, waiting().await), (1, 1));
    app.press("/dev/queue/failed/retry").await;
    assert_eq!((failed().await, waiting().await), (0, 2));
    app.work().await;
    app.press("/dev/queue/failed/forget").await;
    assert_eq!((failed().await, waiting().await), (0, 0));

    let batch = queue.dispatch_batch(batch([greet(false)])).await.unwrap();
    app.press(&format!("/dev/queue/batches/{batch}/cancel")).await;
    assert!(queue.batch(&batch).await.unwrap().unwrap().is_cancelled);
    assert!(!app.get("/dev/queue").await.body.contains("/cancel"), "there is nothing left to cancel");
    for path in ["/dev/queue/failed/nobody/retry", "/dev/queue/batches/nobody/cancel"] {
        let page = app.get("/dev/queue").await.body;
        assert!(!page.contains(path));
    }
}

// spec: SEC-6
#[tokio::test]
async fn nothing_is_done_without_the_token_or_by_looking() {
    let app = DevApp::new().await;
    let queue = app.queue();
    let id = queue.dispatch(greet(true)).await.unwrap();
    app.work().await;
    app.get("/dev/queue").await;
    for path in [
        "/dev/queue/failed/retry".to_owned(),
        "/dev/queue/failed/forget".to_owned(),
        format!("/dev/queue/failed/{id}/retry"),
        format!("/dev/queue/failed/{id}/forget"),
    ] {
        for form in ["", "_token=", "_token=guessed"] {
            let answer = app.post(&path, form).await;
            assert!(!answer.status.is_success() && answer.location != "/dev/queue", "{path} {form}");
        }
        assert!(!app.get(&path).await.status.is_success(), "{path}");
    }
    assert_eq!(queue.driver().failed(10).await.unwrap().len(), 1);
    assert_eq!(queue.driver().size("doors").await.unwrap().total(), 0);
}

// spec: SEC-6
#[tokio::test]
async fn it_opens_for_this_machine_only() {
    let app = DevApp::new().await;
    assert_eq!(app.ask(Method::GET, "/dev/queue", "::1", &[("host", "localhost")], "").await.status, 200);
    let from = async |ip: &str, headers: &[(&str, &str)]| {
        app.ask(Method::GET, "/dev/queue", ip, headers, "").await.status
    };
    for ip in ["203.0.113.9", "192.168.0.7"] {
        assert_eq!(from(ip, &[("host", "localhost")]).await, 404, "{ip}");
    }
    for (name, value) in [
        ("x-forwarded-for", "203.0.113.9"),
        ("x-forwarded-for", "127.0.0.1, 203.0.113.9"),
        ("x-real-ip", "203.0.113.9"),
        ("forwarded", "for=203.0.113.9"),
    ] {
        let headers = [("host", "localhost"), (name, value)];
        assert_eq!(from("127.0.0.1", &headers).await, 404, "{name}: {value}");
    }
    // A page of evil.example whose name points to this machine.
    assert_eq!(from("127.0.0.1", &[("host", "evil.example")]).await, 404);
}

// spec: SEC-6
#[tokio::test]
async fn production_has_no_such_page_and_an_address_in_the_world_neither() {
    let local = "http://localhost:3000";
    for (env, url, exists) in [
        (Environment::Development, local, true),
        (Environment::Development, "https://shop.example", false),
        (Environment::Production, local, false),
        (Environment::Other("staging".into()), local, false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let application = boot(&folder, env.clone(), url, "database");
        assert_eq!(application.url("dev.queue.index", &[]).is_ok(), exists, "{env} {url}");
        let warned = application.warnings().join("\n");
        assert_eq!(warned.contains("/dev/queue is not served"), url != local, "{env} {url}: {warned}");
    }
}

#[tokio::test]
async fn where_no_job_ever_waits_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let application = boot(&folder, Environment::Development, "http://localhost:3000", "sync");
    let app = DevApp { application, cookies: Mutex::default(), _folder: folder };
    let page = app.get("/dev/queue").await;
    assert!(
        page.body.contains("No job ever waits here") && page.body.contains("QUEUE_DRIVER"),
        "{}",
        page.body
    );
}
