//! `cargo xtask services`, through the program.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use housekey_test_support::{Program, run};

#[test]
fn servers_whose_input_is_closed_stay_up_until_a_signal_and_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    // Servers run as users of their own where this runs as root, and write here as well.
    run(Command::new("chmod").arg("1777").arg(folder.path()));
    let mut services =
        Program::start(command.arg("services").env("TMPDIR", folder.path()).stdin(Stdio::null()));
    let redis = services.says("export HOUSEKEY_TEST_REDIS_URL=redis://");
    let (_, redis) = redis.split_once("redis://").unwrap();
    services.says("the input is closed");
    TcpStream::connect(redis).unwrap();
    assert_eq!(services.status(), None);
    assert!(!is_empty(folder.path()), "their files are here");

    let asked = run(Command::new("kill").args(["-TERM", &services.id().to_string()]));

    assert!(asked.status.success() && services.ended().success(), "{}", services.said());
    assert!(TcpStream::connect(redis).is_err(), "the servers are gone");
    assert!(is_empty(folder.path()), "and so is what they wrote");
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}
