//! The other programs this command runs, and the surroundings they are given.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// cargo, started in `folder` as if typed there.
///
/// `cargo run -- create … --serve` starts us with the variables of *our* package. They are taken out again: an app
/// that reads `CARGO_MANIFEST_DIR` must not find the framework's, and cargo must not rebuild because they differ (ring's
/// build script looks at `OUT_DIR`, and most of an app is compiled after ring).
pub(crate) fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(folder);
    without_our_package(&mut command);
    command
}

/// npm, which is a batch file on Windows.
pub(crate) fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

pub(crate) fn without_our_package(command: &mut Command) {
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(|name| {
            name == "OUT_DIR"
                || ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
                    .iter()
                    .any(|prefix| name.starts_with(prefix))
        }) {
            command.env_remove(name);
        }
    }
}

/// Where a program is, if `PATH` knows it.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(&file)).find(|candidate| candidate.is_file())
}
