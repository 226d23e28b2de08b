//! A git repository for the new app, unless it already lives in one.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::ui;

/// True when a repository was made.
pub(crate) fn start(folder: &Path) -> bool {
    if is_inside_one(folder) {
        return false;
    }
    let made =
        Command::new("git").args(["init", "--quiet"]).current_dir(folder).stdin(Stdio::null()).status();
    match made {
        Ok(status) if status.success() => true,
        Ok(_) => {
            ui::warning("`git init` failed; the app has no repository yet");
            false
        }
        Err(_) => {
            ui::note("git is not installed, so the app has no repository yet.");
            false
        }
    }
}

fn is_inside_one(folder: &Path) -> bool {
    folder
        .ancestors()
        .any(|folder| [".git", ".hg", ".jj", ".svn"].iter().any(|mark| folder.join(mark).exists()))
}
