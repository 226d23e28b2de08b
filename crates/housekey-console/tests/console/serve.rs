//! `serve`, and what only shows while it runs.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    process::{Command, Stdio},
};

use housekey_test_support::{DEADLINE, Program, run};

use crate::support::Folder;

/// A running server, and what it printed as its address. Ended with the test.
pub(crate) struct Running {
    program: Program,
    address: String,
}

impl Running {
    pub(crate) fn start(folder: &Folder, line: &str, variables: &[(&str, &str)]) -> Self {
        Self::of(folder.command(line).envs(variables.iter().copied()))
    }

    fn of(command: &mut Command) -> Self {
        let program = Program::start(command);
        let line = program.says("is ready on http://");
        let (_, address) = line.split_once("is ready on http://").unwrap();
        let address = address.split_whitespace().next().unwrap().to_owned();
        Self { program, address }
    }

    pub(crate) fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn signal(&self, name: &str) {
        let id = self.program.id().to_string();
        assert!(run(Command::new("kill").args([name, &id])).status.success());
    }
}

#[test]
fn the_server_says_where_it_is_answers_and_stops_when_told() {
    let folder = Folder::new();
    for signal in ["-TERM", "-INT"] {
        let mut server = Running::start(&folder, "serve --port 0", &[]);
        assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
        assert!(server.get("/health").ends_with("ok"));
        server.signal(signal);
        assert!(server.program.ended().success(), "a stop that was asked for is a success");
        assert!(TcpStream::connect(&server.address).is_err());
    }
}

#[test]
fn behind_housekey_dev_the_server_ends_with_its_input_and_not_before() {
    let folder = Folder::new();
    let mut command = folder.command("serve --port 0");
    let mut server = Running::of(command.env("HOUSEKEY_DEV_PIPE", "1").stdin(Stdio::piped()));
    assert!(server.get("/health").ends_with("ok"));
    assert!(server.program.status().is_none(), "the server ended while its input was open");

    server.program.close_input();

    assert!(server.program.ended().success());
}

#[test]
fn a_server_that_nobody_watches_serves_without_any_input() {
    let server = Running::start(&Folder::new(), "serve --port 0", &[]);
    // Its input is closed from the start here, as it is under most process managers.
    assert!(server.get("/health").ends_with("ok"));
}

#[test]
fn host_and_port_come_from_the_environment_also_when_the_configuration_is_frozen() {
    let folder = Folder::new();
    let place = [("HOST", "127.0.0.2"), ("PORT", "0")];
    for prepare in ["config:clear", "config:cache"] {
        folder.run(prepare).ok();
        let server = Running::start(&folder, "serve", &place);
        assert!(server.address.starts_with("127.0.0.2:"), "{}", server.address);
        assert!(!server.address.ends_with(":3000"), "{}", server.address);
    }
}

#[test]
fn options_win_over_the_environment() {
    let server = Running::start(
        &Folder::new(),
        "serve --host localhost --port 0",
        &[("HOST", "127.0.0.2"), ("PORT", "1")],
    );
    assert!(server.get("/health").ends_with("ok"));
    assert!(!server.address.starts_with("127.0.0.2"), "{}", server.address);
}

#[test]
fn a_taken_port_is_told_with_the_way_out() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    Folder::new()
        .run(&format!("serve --port {port}"))
        .code(1)
        .err(&format!("error: port {port} on 127.0.0.1 is taken"))
        .err("--port");
}

#[test]
fn a_host_that_does_not_exist_is_told() {
    Folder::new()
        .run("serve --host nowhere.invalid --port 0")
        .code(1)
        .err("error: cannot listen on nowhere.invalid");
}

#[test]
fn expired_sessions_are_swept() {
    let folder = Folder::new();
    let server = Running::start(&folder, "serve --port 0", &[]);
    assert!(server.get("/visit").contains("set-cookie"));
    folder.run("session:gc").ok().out("0 expired sessions removed.");
    let tomorrow = [("SAMPLE_SECONDS_LATER", "86400")];
    folder.run_with("session:gc", &tomorrow).ok().out("1 expired session removed.");
    folder.run_with("session:gc", &tomorrow).ok().out("0 expired sessions removed.");
}
