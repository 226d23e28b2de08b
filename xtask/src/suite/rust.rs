//! The Rust side: formatting, lints, tests, doctests.

use crate::count::Count;
use crate::process::{self, which};
use crate::services::Services;
use crate::suite::{Failure, Progress};
use crate::ui;
use crate::workspace::Workspace;

pub(crate) fn fmt(workspace: &Workspace, progress: &mut Progress) {
    progress.step("fmt", || {
        let done =
            process::run(&mut workspace.cargo(&["fmt", "--all", "--", "--check", "--files-with-diff"]))?;
        if done.success {
            Ok(Count::ONE)
        } else {
            Err("the code is not formatted: run `cargo fmt --all`".into())
        }
    });
}

pub(crate) fn clippy(workspace: &Workspace, progress: &mut Progress) {
    progress.step("clippy", || {
        let arguments = ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
        let done = process::run(&mut workspace.cargo(&arguments))?;
        if done.success { Ok(Count::ONE) } else { Err("clippy has something to say; see above".into()) }
    });
}

/// All of them, and once more those about what a release leaves out, built as a release is.
pub(crate) fn tests(workspace: &Workspace, progress: &mut Progress) {
    debug(workspace, progress);
    release(workspace, progress);
}

/// The development account is compiled where debug assertions are; that a release has none is seen without them. The features are
/// those of the tests before, so that only what has changed is compiled again.
// spec: SOC-10
fn release(workspace: &Workspace, progress: &mut Progress) {
    progress.step("what a release leaves out", || {
        let done = process::run(&mut workspace.cargo(&[
            "test",
            "--workspace",
            "--all-features",
            "--test=providers",
            "--config=profile.dev.package.housekey-auth.debug-assertions=false",
        ]))?;
        Failure::unless_green(&done, "a test")
    });
}

/// With nextest when it is there: it runs the binaries side by side. Otherwise with cargo itself.
fn debug(workspace: &Workspace, progress: &mut Progress) {
    progress.step("unit and integration tests", || {
        let mut command = if which("cargo-nextest").is_some() {
            let quiet = ["--status-level", "slow", "--final-status-level", "fail", "--hide-progress-bar"];
            let mut command =
                workspace.cargo(&["nextest", "run", "--workspace", "--all-features", "--no-fail-fast"]);
            command.args(quiet).args(["--test-threads", &side_by_side().to_string()]);
            command
        } else {
            ui::note("cargo-nextest is not installed; cargo runs the tests, which takes longer");
            workspace.cargo(&[
                "test",
                "--workspace",
                "--all-features",
                "--lib",
                "--bins",
                "--tests",
                "--no-fail-fast",
            ])
        };
        let services = Services::start()?;
        command.envs(services.variables());
        let count = Failure::unless_green(&process::run(&mut command)?, "a test")?;
        // A filter gone wrong must not look like success.
        if count.passed == 0 { Err("no test ran at all".into()) } else { Ok(count) }
    });
}

/// Twice as many as there are cores: most of the time a test waits for a server, a lock or a clock, and the cores with it.
fn side_by_side() -> usize {
    2 * std::thread::available_parallelism().map_or(1, usize::from)
}

/// The examples in the documentation, and every Rust block of the guide (through `tests/guide`).
pub(crate) fn doctests(workspace: &Workspace, progress: &mut Progress) {
    progress.step("doctests and the guide's examples", || {
        let arguments = ["test", "--doc", "--workspace", "--all-features", "--no-fail-fast", "--quiet"];
        let done = process::run(&mut workspace.cargo(&arguments))?;
        Failure::unless_green(&done, "an example")
    });
}
