//! `housekey dev`, through the binary: a real cargo builds a tiny app behind it.

#![cfg(unix)]

mod support;

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use support::Sandbox;
use support::app::{
    Dev, is_alive, kill, terminate, wait_for_line, wait_for_the_end_of, write_app, write_queue, write_version,
};

const HTML: &str = "text/html,application/xhtml+xml";
const JSON: &str = "application/json";

#[test]
fn the_port_answers_while_the_app_is_still_being_built() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    // cargo waits for this one's lock, so the build cannot be over before we have looked.
    sandbox.write("app/build.rs", "fn main() { while !std::path::Path::new(\"../go\").exists() { std::thread::sleep(std::time::Duration::from_millis(10)); } }");
    let dev = Dev::start(&sandbox);

    let page = dev.get("/anything", HTML);
    assert!(page.starts_with("HTTP/1.1 503 ") && page.contains("Building your app"), "{page}");
    assert!(page.contains("Content-Security-Policy: default-src 'none'"), "{page}");

    let json = dev.get("/api/session", JSON);
    assert!(json.starts_with("HTTP/1.1 503 ") && json.contains("Retry-After: 1"), "{json}");
    assert!(json.contains("\"message\":\"The app is being built.\""), "{json}");

    assert!(dev.wait_for("/__housekey/dev/status", JSON, "building").contains("\"turn\""));
    // cargo's progress reaches the page.
    dev.wait_for("/__housekey/dev/status", JSON, "Compiling tiny");

    sandbox.write("go", "");
    assert!(dev.wait_for("/", HTML, "version one").starts_with("HTTP/1.1 200 "));
}

/// Sets a flag at the end of a block, however the block ends.
struct Set<'a>(&'a AtomicBool);

impl Drop for Set<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_change_is_built_and_swapped_in_without_a_single_lost_request() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    let dev = Dev::start(&sandbox);
    dev.wait_for("/", HTML, "version one");
    let first = dev.get("/pid", JSON);

    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !done.load(Ordering::SeqCst) {
                    let answer = dev.get("/", HTML);
                    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("version "), "{answer}");
                }
            });
        }
        let _ends_the_threads = Set(&done);
        for version in ["two", "three"] {
            write_version(&sandbox, version);
            dev.wait_for("/", HTML, &format!("version {version}"));
        }
    });

    assert_ne!(first, dev.get("/pid", JSON));
    assert!(
        sandbox.path("app/storage/framework/restarted").exists(),
        "the bundler is told to reload the browser"
    );
    let old = first.rsplit("\r\n").next().unwrap().to_owned();
    wait_for_the_end_of(&old);
}

#[test]
fn a_mistake_is_shown_to_people_while_programs_reach_the_old_app() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    let dev = Dev::start(&sandbox);
    dev.wait_for("/", HTML, "version one");

    sandbox.write("app/src/version.rs", "pub const VERSION: &str = <oops>;\n");
    let page = dev.wait_for("/", HTML, "The app does not compile");
    assert!(page.starts_with("HTTP/1.1 500 "), "{page}");
    assert!(page.contains("src/version.rs:1") && page.contains("&lt;oops&gt;"), "{page}");
    assert!(!page.contains('\x1b'), "colours of the terminal are not for browsers");
    assert!(dev.get("/", JSON).contains("version one"));
    assert!(dev.get("/app.css", "text/css,*/*;q=0.1").contains("version one"));

    write_version(&sandbox, "two");
    dev.wait_for("/", HTML, "version two");
}

#[test]
fn an_undone_mistake_brings_the_running_app_back() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    let dev = Dev::start(&sandbox);
    dev.wait_for("/", HTML, "version one");

    sandbox.write("app/src/version.rs", "oops");
    dev.wait_for("/", HTML, "The app does not compile");
    write_version(&sandbox, "one");
    dev.wait_for("/", HTML, "version one");
}

#[test]
fn an_app_that_refuses_to_start_says_why() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "broken");
    let dev = Dev::start(&sandbox);

    let page = dev.wait_for("/", HTML, "The app stopped while it was starting");
    assert!(page.contains("APP_KEY is missing") && page.contains("exit code 3"), "{page}");
    assert!(dev.get("/", JSON).starts_with("HTTP/1.1 503 "));

    write_version(&sandbox, "mended");
    dev.wait_for("/", HTML, "version mended");
}

#[test]
fn an_app_that_dies_is_reported_and_started_again_by_the_next_change() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    let dev = Dev::start(&sandbox);
    dev.wait_for("/", HTML, "version one");

    assert!(dev.get("/exit", JSON).starts_with("HTTP/1.1 502 "), "whoever asked last gets an answer too");
    let page = dev.wait_for("/", HTML, "The app has stopped");
    assert!(page.contains("leaving on request") && page.contains("exit code 9"), "{page}");

    // Nothing to compile, but the environment changed: the same program is started anew.
    sandbox.write("app/.env", "APP_URL=http://localhost:3000\nX=1\n");
    dev.wait_for("/", HTML, "version one");
}

#[test]
fn an_app_that_breaks_the_connection_leaves_nobody_without_an_answer() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    let dev = Dev::start(&sandbox);
    dev.wait_for("/", HTML, "version one");
    let answer = dev.request("POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody");
    assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
}

#[test]
fn the_app_learns_the_address_people_use() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    let dev = Dev::start(&sandbox);
    dev.wait_for("/env", JSON, &format!("http://127.0.0.1:{}", dev.port()));
}

#[test]
fn bodies_and_websockets_pass_through() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    let dev = Dev::start(&sandbox);
    dev.wait_for("/", HTML, "version one");

    let body = "x".repeat(3_000_000);
    let answer = dev.request(&format!(
        "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    assert!(answer.ends_with("\r\n\r\n3000000"), "{answer}");

    let mut socket = dev.connect();
    socket
        .write_all(b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        .unwrap();
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"\r\n\r\n") {
        socket.read_exact(&mut byte).unwrap();
        answer.push(byte[0]);
    }
    assert!(answer.starts_with(b"HTTP/1.1 101 "));
    socket.write_all(b"echo").unwrap();
    let mut echo = [0; 4];
    socket.read_exact(&mut echo).unwrap();
    assert_eq!(&echo, b"echo");
}

#[test]
fn nonsense_on_the_port_gets_a_status_and_harms_nobody() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    let dev = Dev::start(&sandbox);
    dev.wait_for("/", HTML, "version one");

    assert!(dev.request("nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
    assert!(dev.request("\u{16}\u{3}\u{1}").starts_with("HTTP/1.1 400 "));
    let endless = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(200_000));
    assert!(dev.request(&endless).starts_with("HTTP/1.1 431 "));
    drop(dev.connect());
    assert!(dev.get("/", HTML).contains("version one"));
}

#[test]
fn create_goes_on_to_serve_and_shows_why_cargo_fails() {
    let sandbox = Sandbox::new();
    sandbox.script("bin/cargo", "echo 'error: no <b>luck</b>' >&2\nexit 101\n");
    let dev = Dev::run(
        sandbox
            .command()
            .args(["create", "my-app", "--kit=none", "--serve", "--port=0", "--no-install", "--no-git"])
            .env("CARGO", sandbox.path("bin/cargo")),
    );

    let page = dev.wait_for("/", HTML, "cargo could not build the app");
    assert!(page.contains("error: no &lt;b&gt;luck&lt;/b&gt;"), "{page}");
    assert!(sandbox.path("my-app/src/main.rs").exists());
}

#[test]
fn packages_are_installed_while_the_app_is_built_and_the_bundler_follows() {
    let sandbox = Sandbox::new();
    sandbox.script("bin/cargo", "exit 101\n");
    sandbox.script("bin/node", "echo v22.12.0\n");
    sandbox.script(
        "bin/npm",
        "case $1 in\n--version) echo 10.0.0 ;;\ninstall) mkdir node_modules ;;\n\
         run) echo \"$APP_URL\" > ../told; exec sleep 1000 ;;\nesac\n",
    );
    let path = format!("{}:{}", sandbox.path("bin").display(), std::env::var("PATH").unwrap());
    let dev = Dev::run(
        sandbox
            .command()
            .args(["create", "my-app", "--kit=none", "--serve", "--port=0", "--no-git"])
            .env("PATH", path)
            .env("CARGO", sandbox.path("bin/cargo")),
    );

    assert_eq!(wait_for_line(&sandbox, "told"), format!("http://localhost:{}", dev.port()));
}

#[test]
fn stopping_ends_the_app_and_the_bundler_with_everything_it_started() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    sandbox.write("app/package.json", "{}");
    sandbox.write("app/node_modules/.package-lock.json", "{}");
    sandbox.write("app/public/hot", "left over from a crash");
    // As npm does it: a shell that starts the bundler, which is the process that matters.
    sandbox.script(
        "bin/npm",
        "echo \"$@\"\n(echo bundling; echo hot > public/hot; exec sleep 1000) &\n\
         echo $! > ../bundler\nwait\n",
    );
    let path = format!("{}:{}", sandbox.path("bin").display(), std::env::var("PATH").unwrap());

    let mut dev = Dev::start_with(&sandbox, &[("PATH", path)]);
    dev.wait_for("/", HTML, "version one");
    let bundler = wait_for_line(&sandbox, "bundler");
    let app = dev.get("/pid", JSON).rsplit("\r\n").next().unwrap().to_owned();
    assert!(is_alive(&app) && is_alive(&bundler));

    terminate(dev.pid());

    assert_eq!(dev.wait().code(), Some(0), "a wished stop is no failure");
    assert!(!is_alive(&app), "the app is gone");
    assert!(!is_alive(&bundler), "the bundler is gone");
    assert!(!sandbox.path("app/public/hot").exists(), "and nobody is sent to its port");
}

#[test]
fn an_app_sees_that_dev_was_killed() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    let mut dev = Dev::start(&sandbox);
    dev.wait_for("/", HTML, "version one");
    let app = dev.get("/pid", JSON).rsplit("\r\n").next().unwrap().to_owned();
    assert!(is_alive(&app));

    kill(dev.pid());
    dev.wait();

    wait_for_the_end_of(&app);
}

/// Waits until a worker says that it works on this version, and gives its process.
fn worker_of(dev: &Dev, version: &str) -> String {
    let line = dev.wait_to_say(&format!("working on {version} as "));
    assert!(line.contains("queue │ "), "its lines say where they come from: {line}");
    line.trim_end_matches('.').rsplit(' ').next().expect("a line has a last word").to_owned()
}

#[test]
fn a_worker_runs_beside_an_app_whose_jobs_wait_and_is_replaced_with_it() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    write_queue(&sandbox, "QUEUE_DRIVER=database\n");
    let mut dev = Dev::start(&sandbox);
    let first = worker_of(&dev, "one");
    assert!(is_alive(&first));

    write_version(&sandbox, "two");
    let second = worker_of(&dev, "two");
    assert_ne!(first, second);
    wait_for_the_end_of(&first);
    assert!(is_alive(&second));

    terminate(dev.pid());
    assert_eq!(dev.wait().code(), Some(0));
    assert!(!is_alive(&second), "the worker is gone");
}

#[test]
fn a_worker_sees_that_dev_was_killed() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    write_queue(&sandbox, "QUEUE_DRIVER=database\n");
    let mut dev = Dev::start(&sandbox);
    let worker = worker_of(&dev, "one");

    kill(dev.pid());
    dev.wait();

    wait_for_the_end_of(&worker);
}

#[test]
fn a_worker_comes_when_jobs_begin_to_wait() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    write_queue(&sandbox, "QUEUE_DRIVER=sync\n");
    let dev = Dev::start(&sandbox);
    dev.wait_to_say("queue │ no worker is needed");
    dev.wait_for("/", HTML, "version one");

    sandbox.write("app/.env", "APP_URL=http://localhost:3000\nQUEUE_DRIVER=database\n");
    assert!(is_alive(&worker_of(&dev, "one")));
}

#[test]
fn a_worker_that_fails_is_started_again() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    write_queue(&sandbox, "QUEUE_DRIVER=database\nTABLES=missing\n");
    let dev = Dev::start(&sandbox);
    dev.wait_to_say("queue │ there is no table jobs");
    dev.wait_to_say("the queue worker stopped (exit code 1)");
    dev.wait_for("/", HTML, "version one");

    sandbox.write("tables", "");
    worker_of(&dev, "one");
}

#[test]
fn stopping_in_the_middle_of_a_build_leaves_nothing_running() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    sandbox.write(
        "app/build.rs",
        "fn main() { std::fs::write(\"../builder\", format!(\"{}\\n\", std::process::id())).unwrap(); \
         std::thread::sleep(std::time::Duration::from_secs(1000)); }",
    );
    let mut dev = Dev::start(&sandbox);
    let builder = wait_for_line(&sandbox, "builder");

    terminate(dev.pid());

    assert_eq!(dev.wait().code(), Some(0));
    assert!(!is_alive(&builder));
}
