use std::{net::SocketAddr, sync::Arc};

use housekey_http::Server;
use tokio::{sync::oneshot, task::JoinHandle};

use super::SharedApp;

/// The app behind a real socket on a free port of this machine. It stops when it is dropped.
///
/// ```
/// # use housekey_core::ConfigFiles;
/// # use housekey_http::App;
/// # use tokio::{io::{AsyncReadExt, AsyncWriteExt}, net::TcpStream};
/// # fn app() -> App { App::new(ConfigFiles::new()).routes(|route| { route.get("/health", async || "ok"); }) }
/// # housekey_testing::run(app, async |app: housekey_testing::TestApp| {
/// let server = app.serve().await;
/// let mut socket = TcpStream::connect(server.address()).await.unwrap();
/// # socket.write_all(b"GET /health HTTP/1.0\r\n\r\n").await.unwrap();
/// # let mut text = String::new();
/// # socket.read_to_string(&mut text).await.unwrap();
/// # assert!(text.ends_with("ok"), "{text}");
/// # });
/// ```
#[must_use = "the server stops when it is dropped"]
pub struct TestServer {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
    // The app's folder must outlive its server.
    _shared: Arc<SharedApp>,
}

impl TestServer {
    pub(crate) async fn start(shared: &Arc<SharedApp>) -> Self {
        let server = match Server::bind_to(&shared.application, "127.0.0.1", 0).await {
            Ok(server) => server,
            Err(error) => panic!("the test server cannot listen: {error}"),
        };
        let address = server.local_addr();
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(async move {
            let outcome = server.run_until(async { drop(stopped.await) }).await;
            outcome.unwrap_or_else(|error| panic!("the test server failed: {error}"));
        });
        Self { address, stop: Some(stop), serving, _shared: shared.clone() }
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The full address of a path: `http://127.0.0.1:49213/health`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Stops, and waits until requests in flight are answered.
    ///
    /// # Panics
    /// When the server failed.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        if let Err(failed) = (&mut self.serving).await {
            std::panic::resume_unwind(failed.into_panic());
        }
    }
}

impl std::fmt::Debug for TestServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TestServer({})", self.address)
    }
}
