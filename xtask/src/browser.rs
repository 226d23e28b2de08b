//! The browser tests under `tests/browser`: Playwright driving the machine's own chromium.

use std::process::Command;

use crate::count::Count;
use crate::node;
use crate::process;
use crate::provision;
use crate::suite::Failure;
use crate::workspace::{Workspace, program};

/// Runs one file of tests against a server.
pub(crate) fn test(workspace: &Workspace, file: &str, url: &str) -> Result<Count, Failure> {
    test_with(workspace, file, |command| {
        command.env("HOUSEKEY_URL", url);
    })
}

/// Runs one file of tests that is told of other things than a server.
pub(crate) fn test_with(
    workspace: &Workspace,
    file: &str,
    prepare: impl FnOnce(&mut Command),
) -> Result<Count, Failure> {
    let mut command = command(workspace, &["--test", "--test-timeout=900000", "--test-reporter=spec", file])?;
    prepare(&mut command);
    let done = process::run(&mut command)?;
    let count = Failure::unless_green(&done, file)?;
    if count.passed == 0 { Err(format!("{file} ran no test").into()) } else { Ok(count) }
}

/// A node command in `tests/browser` that knows the server and the browser.
pub(crate) fn script(workspace: &Workspace, arguments: &[&str], url: &str) -> Result<Command, String> {
    let mut command = command(workspace, arguments)?;
    command.env("HOUSEKEY_URL", url);
    Ok(command)
}

fn command(workspace: &Workspace, arguments: &[&str]) -> Result<Command, String> {
    let folder = workspace.path("tests/browser");
    node::install(&folder)?;
    let chromium = provision::chromium().ok_or("chromium is gone")?;
    let mut command = program("node");
    command.current_dir(folder).args(arguments).env("HOUSEKEY_CHROMIUM", chromium);
    Ok(command)
}
