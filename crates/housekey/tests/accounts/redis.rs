//! A Redis server of the test's own, which can go away and come back with what it knew.

use std::net::{Ipv4Addr, TcpStream};
use std::process::{Command, Stdio};

use housekey_test_support::{Program, ServerPort, until};

pub(crate) struct RedisServer {
    folder: tempfile::TempDir,
    /// Kept while the server is away.
    port: ServerPort,
    process: Option<Program>,
}

impl RedisServer {
    pub(crate) fn start() -> Self {
        let port = ServerPort::claim().unwrap();
        let mut server = Self { folder: tempfile::tempdir().unwrap(), port, process: None };
        server.come_back();
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port.number())
    }

    /// Starts it again on the same port. Every write went to disk, so it has not forgotten anything: for a revocation
    /// that it missed this is harder than coming back empty.
    pub(crate) fn come_back(&mut self) {
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--port", &self.port.number().to_string(), "--save", ""]);
        command.args(["--appendonly", "yes", "--appendfsync", "always"]);
        command.arg("--dir").arg(self.folder.path()).stdin(Stdio::null());
        let process = self.process.insert(Program::start(&mut command));
        process.says("Ready to accept connections");
        until("Redis answers", || TcpStream::connect((Ipv4Addr::LOCALHOST, self.port.number())).is_ok());
    }

    pub(crate) fn go_away(&mut self) {
        self.process.take().unwrap().kill();
    }
}
