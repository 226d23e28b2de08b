//! The servers that tests run against: PostgreSQL, MariaDB and Redis of our own, on loopback, in a folder that is gone
//! afterwards. Nothing that already runs on the machine is touched.

mod mariadb;
pub(crate) mod postgres;
mod redis;
pub(crate) mod s3;

use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::http::free_port;
use crate::process::{self, Background};
use crate::ui;

/// How long a server may take to answer its first connection.
const START_TIMEOUT: Duration = Duration::from_mins(3);

/// Running servers, stopped when dropped.
pub(crate) struct Services {
    servers: Vec<Server>,
    folder: PathBuf,
}

/// One server: the process, and what tests are told about it.
pub(crate) struct Server {
    variable: &'static str,
    pub(crate) url: String,
    /// Stopped when dropped.
    _process: Background,
}

impl Services {
    /// Starts all three.
    pub(crate) fn start() -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("housekey-services-{}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let mut services = Self { servers: Vec::new(), folder };
        for start in [postgres::start, mariadb::start, redis::start] {
            let server = start(&services.folder)?;
            ui::note(format_args!("{}", server.url));
            services.servers.push(server);
        }
        Ok(services)
    }

    /// What tests read: variable and address.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.servers.iter().map(|server| (server.variable, server.url.as_str()))
    }

    /// Keeps the servers up until Enter is pressed or a signal comes. An input that is closed from the start, as it is
    /// for a program in the background, says nothing about how long they are wanted.
    pub(crate) fn hold() -> Result<(), String> {
        let (stop, stopped) = mpsc::channel();
        let by_signal = stop.clone();
        ctrlc::set_handler(move || {
            let _ = by_signal.send(());
        })
        .map_err(|error| format!("cannot listen to signals: {error}"))?;
        let services = Self::start()?;
        for (variable, url) in services.variables() {
            ui::line(format_args!("export {variable}={url}"));
        }
        ui::note("Enter or a signal (Ctrl+C, kill) stops them");
        thread::spawn(move || match std::io::stdin().read_line(&mut String::new()) {
            Ok(1..) => {
                let _ = stop.send(());
            }
            Ok(0) | Err(_) => ui::note("the input is closed: a signal stops them"),
        });
        let _ = stopped.recv();
        Ok(())
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        self.servers.clear();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Waits until the server has said that it is ready and takes connections, or quotes what it said when it ended instead.
/// One that only listens may still be starting, and refuse whoever asks.
fn until_it_answers(process: &mut Background, port: u16, ready: &str) -> Result<(), String> {
    let until = Instant::now() + START_TIMEOUT;
    while Instant::now() < until {
        process.still_running()?;
        if process.output().contains(ready) && TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Err(format!("the server does not answer on port {port}. It said:\n{}", process.output().trim_end()))
}

fn is_root() -> bool {
    process::read(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// A folder that belongs to the user a server runs as: neither server runs as root.
fn folder_of(user: &str, folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    if is_root() {
        process::read(Command::new("chown").arg(user).arg(folder))?;
    }
    Ok(())
}
