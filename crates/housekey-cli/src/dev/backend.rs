//! One running app process on its private port, and how it leaves: only after its last request.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use super::listen::Address;
use super::process::Process;
use crate::app::App;
use crate::programs;

/// How long requests of a replaced app may still take before it is asked to stop anyway.
const LAST_REQUESTS: Duration = Duration::from_secs(10);
/// How long an app may take to stop once asked.
const STOPPING: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(crate) struct Backend {
    address: SocketAddr,
    in_flight: AtomicUsize,
    process: Mutex<Process>,
}

impl Backend {
    /// Starts the app's own `serve` on a private port. `address` is the one people use.
    pub(crate) fn start(app: &App, executable: &Path, address: &Address) -> io::Result<Self> {
        let port = private_port()?;
        let mut command = console(app, executable, address);
        command.args(["serve", "--host=127.0.0.1"]).arg(format!("--port={port}"));
        Ok(Self {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            in_flight: AtomicUsize::new(0),
            process: Mutex::new(Process::start(command, "app")?),
        })
    }

    pub(crate) fn accepts(&self) -> bool {
        TcpStream::connect_timeout(&self.address, Duration::from_millis(200)).is_ok()
    }

    /// The last words of an app that ended by itself.
    pub(crate) fn ended(&self) -> Option<String> {
        let ending = self.process.lock().unwrap_or_else(PoisonError::into_inner).ended()?;
        Some(format!("{}\n\n(It ended with {}.)", ending.last_words, ending.how()))
    }

    pub(crate) fn lease(backend: &Arc<Self>) -> Lease {
        backend.in_flight.fetch_add(1, Ordering::SeqCst);
        Lease { backend: Arc::clone(backend) }
    }

    /// Lets the requests in flight finish, then asks the process to stop.
    pub(crate) fn retire(backend: Arc<Self>) {
        thread::spawn(move || {
            let deadline = Instant::now() + LAST_REQUESTS;
            while backend.in_flight.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(20));
            }
            backend.stop();
        });
    }

    pub(crate) fn stop(&self) {
        self.process.lock().unwrap_or_else(PoisonError::into_inner).stop(STOPPING);
    }
}

/// A port that nobody listens on. Not one that the system chooses: before the app has it, the system may give the same one
/// to whoever asks next. These are below the range that systems choose from, and every `housekey dev` begins elsewhere.
fn private_port() -> io::Result<u16> {
    const FIRST: u32 = 20_000;
    const COUNT: u32 = 6_000;
    /// So that the second port of one is not the first of its neighbour.
    const STRIDE: u32 = 997;
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    for _ in 0..COUNT {
        let step = u32::try_from(NEXT.fetch_add(1, Ordering::Relaxed)).unwrap_or_default();
        let place = std::process::id().wrapping_add(step.wrapping_mul(STRIDE)) % COUNT;
        let port = u16::try_from(FIRST + place).unwrap_or_default();
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err(io::Error::new(io::ErrorKind::AddrInUse, "no port is free for the app"))
}

/// The app's own console, without a word for it yet.
pub(crate) fn console(app: &App, executable: &Path, address: &Address) -> Command {
    let mut command = Command::new(executable);
    programs::without_our_package(&mut command);
    command.current_dir(app.root()).env("CARGO_MANIFEST_DIR", app.root());
    address.tell(&mut command);
    command
}

/// A request on its way through the app.
#[derive(Debug)]
pub(crate) struct Lease {
    backend: Arc<Backend>,
}

impl Lease {
    pub(crate) fn connect(&self) -> io::Result<TcpStream> {
        TcpStream::connect(self.backend.address)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.backend.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}
