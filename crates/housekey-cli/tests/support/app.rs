//! A tiny app that compiles in a moment, and `housekey dev` running on it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, ExitStatus};

use housekey_test_support::{DEADLINE, Program, run, until};

use super::Sandbox;

const SERVER: &str = r#"
use std::io::{Read, Write};

mod version;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words[0] == "queue:work" {
        return work(&words);
    }
    if words[0] != "serve" {
        return console(&words);
    }
    let port: u16 = words.iter().find_map(|word| word.strip_prefix("--port=")?.parse().ok()).expect("a port");
    if version::VERSION == "broken" {
        eprintln!("APP_KEY is \x1b[31mmissing\x1b[0m");
        std::process::exit(3);
    }
    end_with_the_pipe();
    let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    println!("listening on {}", listener.local_addr().unwrap());
    for stream in listener.incoming() {
        std::thread::spawn(move || answer(stream.unwrap()));
    }
}

/// As the framework's own `serve` and `queue:work` do it.
fn end_with_the_pipe() {
    if std::env::var_os("HOUSEKEY_DEV_PIPE").is_some() {
        std::thread::spawn(|| {
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            std::process::exit(0);
        });
    }
}

/// The worker: the driver is what `.env` says, and a worker without tables fails as the framework's does.
fn work(words: &[String]) {
    assert_eq!(words, ["queue:work", "--all", "--if-needed"]);
    let env = std::fs::read_to_string(".env").unwrap();
    if !env.contains("QUEUE_DRIVER=database") {
        return println!("no worker is needed");
    }
    if env.contains("TABLES=missing") && !std::path::Path::new("../tables").exists() {
        eprintln!("there is no table jobs");
        std::process::exit(1);
    }
    end_with_the_pipe();
    println!("working on {} as {}.", version::VERSION, std::process::id());
    std::thread::sleep(std::time::Duration::from_secs(1000));
}

/// The commands of a setup, and a note of each.
fn console(words: &[String]) {
    let ran = std::fs::OpenOptions::new().create(true).append(true).open("../ran");
    writeln!(ran.unwrap(), "{}", words.join(" ")).unwrap();
    match words[0].as_str() {
        "tables" => {
            std::fs::create_dir_all("database/migrations").unwrap();
            std::fs::write("database/migrations/2026_01_01_000000_create_auth_tables.rs", "// made").unwrap();
        }
        "undo" if version::VERSION == "undoing" => {
            let file = "database/migrations/2026_01_01_000000_create_auth_tables.rs";
            std::fs::write(file, "// made").unwrap();
            std::fs::remove_file(file).unwrap();
            std::process::exit(4);
        }
        "wait" => {
            std::fs::write("../waiting", format!("{}\n", std::process::id())).unwrap();
            while std::path::Path::new("..").exists() && !std::path::Path::new("../go").exists() {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
        }
        "seed" if version::VERSION == "unseedable" => {
            eprintln!("there is no table <user>");
            std::process::exit(4);
        }
        _ => println!("{} done", words[0]),
    }
}

fn answer(mut stream: std::net::TcpStream) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).unwrap_or(0) == 0 {
            return;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    if head.starts_with("GET /exit ") {
        eprintln!("leaving on request");
        std::process::exit(9);
    }
    // Whoever closes with bytes unread resets the connection, as the system does for a program that dies.
    if head.starts_with("POST /reset ") {
        stream.peek(&mut byte).unwrap();
        return;
    }
    if head.to_lowercase().contains("upgrade: websocket") {
        stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n").unwrap();
        let mut chunk = [0; 64];
        while let Ok(read @ 1..) = stream.read(&mut chunk) {
            stream.write_all(&chunk[..read]).unwrap();
        }
        return;
    }
    let body = match head.split(' ').nth(1) {
        Some("/pid") => std::process::id().to_string(),
        Some("/env") => std::env::var("APP_URL").unwrap_or_default(),
        Some("/upload") => {
            let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            stream.read_exact(&mut body).unwrap();
            body.len().to_string()
        }
        _ => format!("version {}", version::VERSION),
    };
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).unwrap();
}
"#;

/// Writes the app. Its version is the whole of `src/version.rs`.
pub(crate) fn write_app(sandbox: &Sandbox, version: &str) {
    sandbox.write(
        "housekey/Cargo.toml",
        "[package]\nname = \"housekey\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    sandbox.write("housekey/src/lib.rs", "");
    sandbox.write(
        "app/Cargo.toml",
        "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nhousekey = { path = \"../housekey\" }\n",
    );
    sandbox.write("app/.env", "APP_URL=http://localhost:3000\n");
    sandbox.write("app/src/main.rs", SERVER);
    write_version(sandbox, version);
}

/// The app takes the framework with its queue, and jobs wait where the driver says.
pub(crate) fn write_queue(sandbox: &Sandbox, env: &str) {
    sandbox.write(
        "housekey/Cargo.toml",
        "[package]\nname = \"housekey\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[features]\nqueue = []\n",
    );
    let manifest = sandbox.read("app/Cargo.toml");
    let with_queue = manifest.replace("\"../housekey\"", "\"../housekey\", features = [\"queue\"]");
    sandbox.write("app/Cargo.toml", &with_queue);
    sandbox.write("app/.env", &format!("APP_URL=http://localhost:3000\n{env}"));
}

pub(crate) fn write_version(sandbox: &Sandbox, version: &str) {
    sandbox.write("app/src/version.rs", &format!("pub const VERSION: &str = \"{version}\";\n"));
}

/// A running `housekey dev`. Ended with the test, whatever happens.
pub(crate) struct Dev {
    program: Program,
    port: u16,
}

impl Dev {
    pub(crate) fn start(sandbox: &Sandbox) -> Self {
        Self::start_with(sandbox, &[])
    }

    pub(crate) fn start_with(sandbox: &Sandbox, env: &[(&str, String)]) -> Self {
        let mut command = sandbox.command();
        command.current_dir(sandbox.path("app")).args(["dev", "--host=127.0.0.1", "--port=0"]);
        Self::run(command.envs(env.iter().map(|(name, value)| (name, value))))
    }

    /// Runs any command that ends up serving.
    pub(crate) fn run(command: &mut Command) -> Self {
        let program = Program::start(command);
        let line = program.says("Serving http://");
        let port = port_in(&line).unwrap_or_else(|| panic!("no port in `{line}`"));
        Self { program, port }
    }

    /// Sends one request and gives back the whole answer. A refused or cut connection fails the test.
    pub(crate) fn request(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        assert!(!answer.is_empty(), "the connection was closed without an answer");
        String::from_utf8(answer).unwrap()
    }

    pub(crate) fn get(&self, path: &str, accept: &str) -> String {
        self.request(&format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nConnection: keep-alive\r\n\r\n"
        ))
    }

    /// Asks until the answer contains the text.
    #[track_caller]
    pub(crate) fn wait_for(&self, path: &str, accept: &str, text: &str) -> String {
        let mut answer = String::new();
        until(&format!("`{text}` at {path}"), || {
            answer = self.get(path, accept);
            answer.contains(text)
        });
        answer
    }

    /// Reads on in the output until a line contains the text, and gives that line back.
    #[track_caller]
    pub(crate) fn wait_to_say(&self, text: &str) -> String {
        self.program.says(text)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the port never refuses");
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.program.id()).unwrap()
    }

    /// Waits until it has ended.
    #[track_caller]
    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.program.ended()
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        // Asked first: what it has started goes with it then.
        terminate(self.pid());
        let deadline = std::time::Instant::now() + DEADLINE;
        while self.program.status().is_none() && std::time::Instant::now() < deadline {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

/// The port in a line that names an address.
pub(crate) fn port_in(line: &str) -> Option<u16> {
    let address =
        line.split_whitespace().find(|word| word.contains("127.0.0.1:") || word.contains("localhost:"))?;
    address.rsplit(':').next()?.parse().ok()
}

/// Asks a process to stop.
pub(crate) fn terminate(pid: i32) {
    signal(pid, nix::sys::signal::Signal::SIGTERM);
}

/// Ends a process without asking.
pub(crate) fn kill(pid: i32) {
    signal(pid, nix::sys::signal::Signal::SIGKILL);
}

fn signal(pid: i32, signal: nix::sys::signal::Signal) {
    let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), signal);
}

/// Waits until a process that is not our child has ended.
#[track_caller]
pub(crate) fn wait_for_the_end_of(pid: &str) {
    until(&format!("the end of process {pid}"), || !is_alive(pid));
}

/// Waits for a line that another process writes to a file, and gives it back.
#[track_caller]
pub(crate) fn wait_for_line(sandbox: &Sandbox, file: &str) -> String {
    let mut text = String::new();
    until(&format!("a line in {file}"), || {
        text = std::fs::read_to_string(sandbox.path(file)).unwrap_or_default();
        text.ends_with('\n')
    });
    text.trim().to_owned()
}

pub(crate) fn is_alive(pid: &str) -> bool {
    // A process that has ended and waits for its parent to notice is a zombie, not alive.
    let output = run(Command::new("ps").args(["-o", "stat=", "-p", pid]));
    let state = String::from_utf8_lossy(&output.stdout);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}
