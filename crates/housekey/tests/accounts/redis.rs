//! A Redis server of the test's own, which can go away and come back with what it knew.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::patience;

pub(crate) struct RedisServer {
    folder: tempfile::TempDir,
    port: u16,
    process: Option<Child>,
}

impl RedisServer {
    pub(crate) fn start() -> Self {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let mut server = Self { folder: tempfile::tempdir().unwrap(), port, process: None };
        server.come_back();
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Starts it again on the same port. Every write went to disk, so it has not forgotten anything: for a revocation
    /// that it missed this is harder than coming back empty.
    pub(crate) fn come_back(&mut self) {
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--port", &self.port.to_string(), "--save", ""]);
        command.args(["--appendonly", "yes", "--appendfsync", "always"]);
        command.arg("--dir").arg(self.folder.path()).stdout(Stdio::null());
        let started = command.spawn();
        self.process = Some(started.unwrap_or_else(|error| {
            panic!("this test starts a `redis-server` of its own, and there is none to start ({error}): install Redis")
        }));
        patience::until("Redis answers", || TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok());
    }

    pub(crate) fn go_away(&mut self) {
        let mut process = self.process.take().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        if self.process.is_some() {
            self.go_away();
        }
    }
}
