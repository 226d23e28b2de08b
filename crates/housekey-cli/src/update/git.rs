//! Whether what is there now can be brought back with git.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::Failure;

/// Changes that are not committed would be mixed with ours, and nobody could tell them apart afterwards.
pub(super) fn refuse_if_dirty(app: &Path, force: bool) -> Result<(), Failure> {
    if force {
        return Ok(());
    }
    let status = Command::new("git")
        .args(["status", "--porcelain", "--untracked-files=normal", "--", "."])
        .current_dir(app)
        .stdin(Stdio::null())
        .output();
    let changed = match status {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        Ok(output) => return Err(without_git(String::from_utf8_lossy(&output.stderr).trim())),
        Err(error) => return Err(without_git(&error.to_string())),
    };
    let mut lines = changed.lines();
    let first: Vec<&str> = lines.by_ref().take(5).collect();
    if first.is_empty() {
        return Ok(());
    }
    let more = lines.count();
    let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
    Err(Failure::failed("there are changes that are not committed").help(format!(
        "{}{more}\n\nNothing was written. Commit or stash them, so that you can tell them from what comes now, or go on: --force",
        first.iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
    )))
}

fn without_git(said: &str) -> Failure {
    Failure::failed("this app is in no git repository: what is changed now could not be taken back").help(format!(
        "git says: {said}\n\nNothing was written. Make one (`git init`, then commit), or go on without: --force"
    ))
}
