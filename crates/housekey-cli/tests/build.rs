//! `housekey build`, through the binary: a real cargo builds a tiny app, npm is a script.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use housekey_test_support::{DEADLINE, Program};
use support::app::{port_in, write_app, write_version};
use support::{Run, Sandbox};

/// An app with a front end, and an npm that bundles in its way.
fn app_with_a_front_end() -> Sandbox {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    sandbox.write("app/package.json", "{}");
    sandbox.write("app/node_modules/.package-lock.json", "{}");
    sandbox.write("app/public/robots.txt", "User-agent: *\n");
    sandbox.write("app/lang/de.json", "{}");
    sandbox.write("app/.env.example", "APP_KEY=\n");
    sandbox.script("bin/node", "echo v22.12.0\n");
    sandbox.script(
        "bin/npm",
        "case \"$*\" in\n--version) echo 10.0.0 ;;\ninstall*) mkdir node_modules; echo installed >> ../npm ;;\n\
         'run build') mkdir -p public/build/.vite; echo '{}' > public/build/.vite/manifest.json; echo bundled ;;\nesac\n",
    );
    sandbox
}

/// In the debug profile, which a tiny app has in a second.
fn build(sandbox: &Sandbox, arguments: &[&str]) -> Run {
    let path = format!("{}:{}", sandbox.path("bin").display(), std::env::var("PATH").unwrap());
    let mut command = sandbox.command();
    command.current_dir(sandbox.path("app")).args(["build", "--profile=dev"]).args(arguments);
    Run::of(command.env("PATH", path))
}

#[test]
fn everything_the_app_needs_is_put_into_one_folder_and_nothing_secret() {
    let sandbox = app_with_a_front_end();
    sandbox.write("app/.env", "APP_KEY=base64:secret\n");
    sandbox.write("app/public/hot", "http://localhost:5173");
    sandbox.write("app/storage/framework/sessions/one", "{}");

    build(&sandbox, &[])
        .assert_ok()
        .assert_says("bundled")
        .assert_says("Built dist")
        .assert_says("public/")
        .assert_says("./tiny serve");

    assert_eq!(
        sandbox.entries("app/dist"),
        [".env.example", ".housekey-build", "lang", "public", "storage", "tiny"]
    );
    assert_eq!(
        sandbox.entries("app/dist/public"),
        ["build", "robots.txt"],
        "without the note of a dev server"
    );
    assert_eq!(sandbox.read("app/dist/public/build/.vite/manifest.json").trim(), "{}");
    assert!(sandbox.entries("app/dist/storage").is_empty(), "what was written here stays here");
}

#[test]
fn the_folder_works_wherever_it_is_copied_to() {
    let sandbox = app_with_a_front_end();
    build(&sandbox, &["--out", "../out"]).assert_ok();
    fs::rename(sandbox.path("out"), sandbox.path("elsewhere")).unwrap();
    fs::remove_dir_all(sandbox.path("app")).unwrap();

    let mut program = Command::new("./tiny");
    let server = Program::start(program.current_dir(sandbox.path("elsewhere")).args(["serve", "--port=0"]));
    let port = port_in(&server.says("listening on")).unwrap();
    assert!(ask(port).contains("version one"));
}

#[test]
fn building_again_replaces_the_parts_and_keeps_what_the_app_wrote() {
    let sandbox = app_with_a_front_end();
    build(&sandbox, &[]).assert_ok();
    sandbox.write("app/dist/storage/database.sqlite", "people");
    sandbox.write("app/dist/.env", "APP_KEY=base64:the-servers-own\n");
    fs::remove_file(sandbox.path("app/public/robots.txt")).unwrap();
    write_version(&sandbox, "two");
    let before = fs::read(sandbox.path("app/dist/tiny")).unwrap();

    build(&sandbox, &[]).assert_ok();

    assert_ne!(fs::read(sandbox.path("app/dist/tiny")).unwrap(), before);
    assert_eq!(sandbox.entries("app/dist/public"), ["build"], "what is gone here is gone there");
    assert_eq!(sandbox.read("app/dist/storage/database.sqlite"), "people");
    assert_eq!(sandbox.read("app/dist/.env"), "APP_KEY=base64:the-servers-own\n");
}

#[test]
fn a_folder_with_other_things_in_it_is_left_alone() {
    let sandbox = app_with_a_front_end();
    sandbox.write("mine/public/index.html", "precious");
    for (folder, why) in [
        ("../mine", "has something else in it"),
        (".", "holds the app itself"),
        ("..", "holds the app itself"),
        ("missing/../..", "through a folder that does not exist"),
        ("public/dist", "lies inside a folder that is copied into it"),
    ] {
        build(&sandbox, &["--out", folder]).assert_refused(2).assert_says(why).assert_says("--out");
    }
    assert_eq!(sandbox.read("mine/public/index.html"), "precious");
    assert!(!sandbox.path("app/target").exists(), "refused before anything is built");
}

#[test]
fn more_of_the_app_goes_along_when_asked_but_not_its_secrets() {
    let sandbox = app_with_a_front_end();
    sandbox.write("app/templates/invoice/page.html", "<p>");
    sandbox.write("app/.env", "APP_KEY=base64:secret\n");
    sandbox.write("secrets", "");
    for (wish, why) in [
        (".env", "secrets of this machine"),
        ("../secrets", "outside the app"),
        (".", "the whole app"),
        ("missing", "no such file"),
    ] {
        build(&sandbox, &["--with", wish]).assert_refused(2).assert_says(why);
    }
    build(&sandbox, &["--with=templates/invoice"]).assert_ok();
    assert_eq!(sandbox.read("app/dist/templates/invoice/page.html"), "<p>");
}

#[test]
fn a_link_out_of_the_app_does_not_bring_what_it_leads_to() {
    let sandbox = app_with_a_front_end();
    sandbox.write("private", "not for the web");
    std::os::unix::fs::symlink(sandbox.path("private"), sandbox.path("app/public/private")).unwrap();
    build(&sandbox, &[]).assert_ok().assert_says("is a link and is left out");
    assert!(!sandbox.path("app/dist/public/private").exists());
}

#[test]
fn packages_are_installed_first_where_there_are_none() {
    let sandbox = app_with_a_front_end();
    fs::remove_dir_all(sandbox.path("app/node_modules")).unwrap();
    build(&sandbox, &[]).assert_ok().assert_says("Installing");
    assert_eq!(sandbox.read("npm").trim(), "installed");
}

#[test]
fn an_app_without_a_front_end_needs_no_node() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    sandbox.script("bin/node", "exit 1\n");
    build(&sandbox, &[]).assert_ok();
    assert_eq!(sandbox.entries("app/dist"), [".housekey-build", "storage", "tiny"]);
}

#[test]
fn without_node_it_says_what_to_install_before_it_builds_anything() {
    let sandbox = app_with_a_front_end();
    sandbox.script("bin/node", "exit 1\n");
    build(&sandbox, &[])
        .assert_refused(1)
        .assert_says("Node.js is not installed")
        .assert_says("install Node.js");
    assert!(!sandbox.path("app/target").exists());
}

#[test]
fn a_failed_bundler_and_a_failed_compiler_leave_no_folder() {
    let sandbox = app_with_a_front_end();
    sandbox.script(
        "bin/npm",
        "test \"$1\" = --version && exit\necho 'Could not resolve ./missing.css' >&2\nexit 1\n",
    );
    build(&sandbox, &[])
        .assert_refused(1)
        .assert_says("Could not resolve ./missing.css")
        .assert_says("`npm run build` did not succeed");
    assert!(!sandbox.path("app/dist").exists());

    sandbox.write("app/src/version.rs", "oops");
    build(&sandbox, &[]).assert_refused(1).assert_says("src/version.rs:1").assert_says("does not build");
    assert!(!sandbox.path("app/dist").exists());
}

#[test]
fn types_are_written_by_the_app_before_the_bundler_reads_them() {
    let sandbox = app_with_a_front_end();
    sandbox.write(
        "housekey/Cargo.toml",
        "[package]\nname = \"housekey\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[features]\ntypes = []\n",
    );
    let manifest = sandbox.read("app/Cargo.toml");
    let with_types = manifest.replace("\"../housekey\" }", "\"../housekey\", features = [\"types\"] }");
    assert_ne!(manifest, with_types);
    sandbox.write("app/Cargo.toml", &with_types);
    sandbox.script(
        "bin/npm",
        "test \"$1\" = --version && exit\ngrep -q '^types --if-configured$' ../ran && echo types were there\n",
    );
    build(&sandbox, &[]).assert_ok().assert_says("types done").assert_says("types were there");
}

#[test]
fn outside_an_app_there_is_nothing_to_build() {
    Sandbox::new().housekey(&["build"]).assert_refused(2).assert_says("is not inside a Housekey app");
}

fn ask(port: u16) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
