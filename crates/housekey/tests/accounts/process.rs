//! A process of the app: this test binary, started again.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use housekey_test_support::{DEADLINE, Program, this_test};

pub(crate) const CHILD: &str = "HOUSEKEY_ACCOUNTS_ARGUMENTS";

/// What a command of the app is started with.
pub(crate) fn command(root: &Path, variables: &[(&str, String)], arguments: &str) -> Command {
    let mut command = this_test("runs_the_console_when_started_as_a_child_process");
    command.env(CHILD, arguments).env("APP_ROOT", root);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command
}

/// A running `serve`, ended with the test.
pub(crate) struct Server {
    _program: Program,
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
        let program = Program::start(&mut command);
        let line = program.says("is ready on http://");
        let (_, address) = line.split_once("is ready on http://").unwrap();
        let address = address.split_whitespace().next().unwrap().to_owned();
        Self { _program: program, address }
    }

    /// Sends a request as the proxy in front would. `lines` are header lines, each with its end.
    pub(crate) fn send(&self, method: &str, path: &str, lines: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
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
