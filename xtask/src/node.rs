//! npm, the same way everywhere: without questions, and with the output shown only when it fails.

use std::path::Path;
use std::process::Command;

use crate::process::{self, Finished};
use crate::workspace::program;

/// Runs `npm <arguments>` in a folder.
pub(crate) fn npm(folder: &Path, arguments: &[&str]) -> Result<Finished, String> {
    process::run_quietly(command(folder).args(arguments))
}

/// Runs `npm test` in a folder, with some more variables.
pub(crate) fn test_with(folder: &Path, variables: &[(&str, &Path)]) -> Result<Finished, String> {
    process::run_quietly(command(folder).arg("test").envs(variables.iter().copied()))
}

/// Installs what the folder's package names, in the versions of its lockfile.
///
/// Not with `npm ci`: it refuses a lockfile without the optional packages of other platforms, and npm writes one
/// like that wherever those cannot be had. `--no-save` leaves the lockfile alone, as `ci` would.
pub(crate) fn install(folder: &Path) -> Result<(), String> {
    let done = npm(folder, &["install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline"])?;
    if done.success { Ok(()) } else { Err(format!("npm install failed in {}; see above", folder.display())) }
}

/// npm in a folder, without its chatter about newer versions.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = program("npm");
    command.current_dir(folder).env("NO_UPDATE_NOTIFIER", "1");
    command
}
