//! A process of the app: this test binary, started again.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(crate) const CHILD: &str = "HOUSEKEY_ACCOUNTS_ARGUMENTS";

/// What a command of the app is started with.
pub(crate) fn command(root: &Path, variables: &[(&str, String)], arguments: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "runs_the_console_when_started_as_a_child_process", "--nocapture"]);
    command.env(CHILD, arguments).env("APP_ROOT", root);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command
}

/// A running `serve`.
pub(crate) struct Server {
    child: Child,
    address: String,
}

/// An answer of one.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Server {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("the server ended before it said its address").unwrap();
            if let Some((_, rest)) = line.split_once("is ready on http://") {
                break rest.split_whitespace().next().unwrap().to_owned();
            }
        };
        // Somebody has to go on reading, or the server would block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// Sends a request as the proxy in front would. `lines` are header lines, each with its end.
    pub(crate) fn send(&self, method: &str, path: &str, lines: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: shop.example\r\nx-forwarded-proto: https\r\naccept: application/json\r\n\
             connection: close\r\n{lines}content-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
