//! The server: sockets in, requests to the [`Kernel`], and a stop that finishes what it started.

mod address_limit;
mod connection;
mod stopping;
mod write_timeout;

use std::fmt;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use housekey_core::{Background, Error, Result, StopSignals};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};

use address_limit::AddressLimit;
pub(crate) use connection::Connection;
pub use stopping::Stopping;

use crate::client_ip::TrustedProxies;
use crate::config::HttpConfig;
use crate::{Application, Kernel, uploads};

/// Listens on a port and answers with an application.
///
/// ```no_run
/// use housekey_core::{ConfigFiles, Result};
/// use housekey_http::{App, Server};
///
/// async fn serve() -> Result<()> {
///     let application = App::new(ConfigFiles::new()).boot()?;
///     Server::bind(&application).await?.run().await
/// }
/// ```
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    kernel: Kernel,
    background: Background,
    config: Arc<HttpConfig>,
}

impl Server {
    /// Takes the port that `config/http.rs` names.
    pub async fn bind(application: &Application) -> Result<Self> {
        let config = application.config().get::<HttpConfig>();
        Self::bind_to(application, &config.host, config.port).await
    }

    pub async fn bind_to(application: &Application, host: &str, port: u16) -> Result<Self> {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let listener = TcpListener::bind((host, port)).await.map_err(|error| refused(&error, host, port))?;
        Self::on(application, listener)
    }

    /// Serves on a listener that exists already.
    pub fn on(application: &Application, listener: TcpListener) -> Result<Self> {
        let address = listener.local_addr()?;
        // spec: DAT-4
        if let Err(error) = uploads::folder_of(application.paths()).sweep() {
            tracing::warn!(%error, "old uploads in storage/framework/uploads could not be removed");
        }
        let (kernel, background) = (application.kernel(), application.background());
        Ok(Self { listener, address, kernel, background, config: application.config().get() })
    }

    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the process is told to stop (`SIGINT`, `SIGTERM`), then finishes what is in flight. A second
    /// signal stops at once.
    pub async fn run(self) -> Result<()> {
        let mut signals = StopSignals::listen()?;
        let background = self.background.clone();
        let (stop, stopped) = watch::channel(false);
        let serving = self.run_until(async move {
            let mut stopped = stopped;
            let _ = stopped.wait_for(|stopped| *stopped).await;
        });
        tokio::pin!(serving);
        tokio::select! {
            result = &mut serving => return result,
            signal = signals.next() => tracing::info!(signal, "stopping; requests in flight are being finished"),
        }
        let _ = stop.send(true);
        tokio::select! {
            result = serving => result,
            _ = signals.next() => {
                tracing::warn!("stopped at once; requests in flight were cut off");
                background.give_up();
                Ok(())
            }
        }
    }

    /// Serves until `stop` completes, then finishes what is in flight, for `http.shutdown_grace` seconds at most: requests
    /// are answered, websockets are told to close, and mail that is on its way is handed over.
    pub async fn run_until(self, stop: impl Future<Output = ()>) -> Result<()> {
        let Self { listener, kernel, background, config, .. } = self;
        let most = config.max_connections.clamp(1, Semaphore::MAX_PERMITS);
        let places = Arc::new(Semaphore::new(most));
        let trusted = TrustedProxies::parse(&config.trusted_proxies)?;
        let addresses = AddressLimit::new(config.max_connections_per_address, trusted);
        // Every connection listens. What is still there when this is dropped is cut off.
        let (stopping, _) = watch::channel(false);
        tokio::pin!(stop);
        loop {
            let accepted = async {
                // The place first: who cannot be served yet waits in the system's queue. It is never closed.
                let place = places.clone().acquire_owned().await;
                (place, accept(&listener).await)
            };
            let (place, (stream, peer)) = tokio::select! {
                biased;
                () = &mut stop => break,
                accepted = accepted => accepted,
            };
            let (Ok(place), Some(of_address)) = (place, addresses.admit(peer.ip())) else {
                tracing::debug!(%peer, "refused a connection; this address has enough of them");
                continue;
            };
            let connection = Connection::new(place, of_address, stopping.subscribe());
            tokio::spawn(connection::serve(stream, peer, kernel.clone(), config.clone(), connection));
        }
        drop(listener);
        stopping.send_replace(true);
        let end = Instant::now() + Duration::from_secs(config.shutdown_grace);
        if timeout_at(end, stopping.closed()).await.is_err() {
            let connections = most - places.available_permits();
            tracing::warn!(connections, "the grace period is over; what was left is cut off");
        }
        // After the requests, which begin such work.
        background.finish(end.saturating_duration_since(Instant::now())).await;
        Ok(())
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The next connection. An error here concerns one connection, or passes: out of file descriptors, for example.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if is_of_the_connection(error.kind()) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted; trying again in a second");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

fn is_of_the_connection(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}

fn refused(error: &std::io::Error, host: &str, port: u16) -> Error {
    Error::internal(match error.kind() {
        ErrorKind::AddrInUse => {
            format!(
                "port {port} on {host} is taken by another process; stop it, or choose another with PORT or --port"
            )
        }
        ErrorKind::PermissionDenied => {
            format!(
                "port {port} on {host} may not be opened by this user; choose one above 1023 with PORT or --port"
            )
        }
        ErrorKind::AddrNotAvailable => {
            format!(
                "{host} is no address of this machine; use 127.0.0.1 for this machine only or 0.0.0.0 for all"
            )
        }
        _ => format!("cannot listen on {host}, port {port}: {error}"),
    })
}
