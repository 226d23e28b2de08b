//! A small client for the kernel, and one for sockets.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use housekey_cache::CacheConfig;
use housekey_core::{AppConfig, ConfigFiles, Env, Environment};
use housekey_http::session::SessionConfig;
use housekey_http::{App, Application, HttpConfig, Kernel, Request, Routes, Server};
use housekey_test_support::in_time;
use http::{HeaderMap, Method, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tower_service::Service;

/// An app for tests: nothing of the process's environment, nothing on disk but an empty folder.
pub(crate) fn app(routes: impl FnOnce(&mut Routes) + Send + 'static) -> App {
    let folder = tempfile::tempdir().unwrap().keep();
    App::new(ConfigFiles::new())
        .root(folder)
        .env(Env::empty())
        .configure(|config| {
            config.update::<AppConfig>(|app| app.env = Environment::Testing);
            config.update::<SessionConfig>(|session| session.driver = "memory".into());
            config.update::<CacheConfig>(|cache| cache.store = "memory".into());
        })
        .routes(routes)
}

pub(crate) fn with_http(app: App, change: impl FnOnce(&mut HttpConfig) + Send + 'static) -> App {
    app.configure(|config| config.update::<HttpConfig>(change))
}

pub(crate) fn client(app: App) -> Client {
    Client::new(&app.boot().unwrap())
}

/// Speaks to the kernel without a socket.
#[derive(Clone)]
pub(crate) struct Client {
    kernel: Kernel,
    peer: SocketAddr,
}

impl Client {
    pub(crate) fn new(application: &Application) -> Self {
        Self { kernel: application.kernel(), peer: "203.0.113.5:4711".parse().unwrap() }
    }

    /// The same client at another address.
    pub(crate) fn at(&self, ip: &str) -> Self {
        Self { peer: SocketAddr::new(ip.parse().unwrap(), 4711), ..self.clone() }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], Body::empty()).await
    }

    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(Method::GET, path, headers, Body::empty()).await
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = http::Request::builder().method(method).uri(path).header("host", "shop.test");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request: Request = request.body(body.into()).unwrap();
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let response = self.kernel.clone().call(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Answer { status: parts.status, headers: parts.headers, body }
    }
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", self.headers)).to_str().unwrap()
    }
}

/// A server on a port of its own, stopped on purpose.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start(app: App) -> Self {
        let application = app.boot().unwrap();
        let server = Server::bind_to(&application, "127.0.0.1", 0).await.unwrap();
        let address = server.local_addr();
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(async move {
            in_time("the server to stop", server.run_until(async { drop(stopped.await) })).await.unwrap();
        });
        Self { address, stop, serving }
    }

    /// Tells the server to stop, without waiting.
    pub(crate) fn stop(self) -> JoinHandle<()> {
        let _ = self.stop.send(());
        self.serving
    }

    pub(crate) async fn connect(&self) -> Wire {
        Wire(TcpStream::connect(self.address).await.unwrap())
    }

    /// Sends bytes and reads all that comes until the server closes.
    pub(crate) async fn exchange(&self, bytes: &[u8]) -> String {
        let mut wire = self.connect().await;
        wire.write(bytes).await;
        wire.rest().await
    }
}

/// A connection, byte by byte.
pub(crate) struct Wire(pub(crate) TcpStream);

impl Wire {
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.unwrap();
    }

    /// Everything until the server closes. One that does not fails the test.
    pub(crate) async fn rest(&mut self) -> String {
        let mut bytes = Vec::new();
        // A reset after the answer is the server not caring for the rest of our garbage.
        let _ = in_time("the server to close the connection", self.0.read_to_end(&mut bytes)).await;
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Reads one answer with a `content-length`.
    pub(crate) async fn answer(&mut self) -> String {
        let mut bytes = Vec::new();
        loop {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head
                    .lines()
                    .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
                if body.len() >= length.unwrap_or(0) {
                    return text;
                }
            }
            let mut chunk = [0; 4096];
            let read = in_time("an answer", self.0.read(&mut chunk)).await.unwrap();
            assert!(read > 0, "the connection closed after {text:?}");
            bytes.extend_from_slice(&chunk[..read]);
        }
    }
}

/// A door that a handler waits at until the test opens it.
#[derive(Clone, Default)]
pub(crate) struct Door {
    reached: Arc<tokio::sync::Notify>,
    open: Arc<tokio::sync::Notify>,
}

impl Door {
    pub(crate) async fn pass(&self) {
        self.reached.notify_one();
        self.open.notified().await;
    }

    pub(crate) async fn someone_waits(&self) {
        in_time("somebody at the door", self.reached.notified()).await;
    }

    pub(crate) fn open(&self) {
        self.open.notify_one();
    }
}
