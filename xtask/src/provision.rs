//! The programs that the suite needs: found, installed where that is ours to do, or asked for by name.
//!
//! Nothing is skipped because a program is missing: a suite that passes has run everything.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::services::postgres;
use crate::ui;

/// A program, and how it gets onto a machine.
pub(crate) struct Need {
    pub(crate) name: &'static str,
    why: &'static str,
    found: fn() -> Option<PathBuf>,
    /// Debian packages. Empty: Debian's are too old or absent, so a person decides.
    packages: &'static [&'static str],
    by_hand: &'static str,
}

/// A browser for the pages.
pub(crate) const CHROMIUM: Need = Need {
    name: "chromium",
    why: "the pages are looked at in a real browser",
    found: chromium,
    packages: &["chromium"],
    by_hand: "install chromium with the system's package manager, or set HOUSEKEY_CHROMIUM to the path of one",
};

/// Node and npm for the bundler.
pub(crate) const NODE: Need = Need {
    name: "node 20.19, 22.12 or newer, with npm",
    why: "the bundler plugin and the kits' assets are built with it",
    found: node,
    packages: &[],
    by_hand: "install Node.js 22 with npm (nodejs.org, or a version manager), and see that `node` and `npm` are on the PATH",
};

/// The three servers that data is kept on.
pub(crate) const POSTGRES: Need = Need {
    name: "PostgreSQL",
    why: "the database suite runs on it; a private one is started on loopback",
    found: postgres::programs,
    packages: &["postgresql"],
    by_hand: "install the PostgreSQL server; a private one is started, no existing one is touched",
};

/// See [`POSTGRES`].
pub(crate) const MARIADB: Need = Need {
    name: "MariaDB",
    why: "the database suite runs on it; a private one is started on loopback",
    found: || process::which("mariadb-install-db").and_then(|_| process::which("mariadbd")),
    packages: &["mariadb-server"],
    by_hand: "install the MariaDB server, and see that `mariadbd` and `mariadb-install-db` are on the PATH",
};

/// See [`POSTGRES`].
pub(crate) const REDIS: Need = Need {
    name: "Redis",
    why: "the cache, session and queue suites run on it; a private one is started on loopback",
    found: || process::which("redis-server"),
    packages: &["redis-server"],
    by_hand: "install redis-server, and see that it is on the PATH",
};

/// Where the browser is.
pub(crate) fn chromium() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("HOUSEKEY_CHROMIUM") {
        return Some(PathBuf::from(named)).filter(|file| file.is_file());
    }
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        .into_iter()
        .find_map(process::which)
}

fn node() -> Option<PathBuf> {
    process::which("npm")?;
    let node = process::which("node")?;
    let version = process::read(Command::new(&node).arg("--version")).ok()?;
    node_is_new_enough(&version).then_some(node)
}

/// What Vite asks for: 20.19, 22.12, or anything newer.
fn node_is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim().trim_start_matches('v').split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(20)), Some(Ok(minor))) => minor >= 19,
        (Some(Ok(22)), Some(Ok(minor))) => minor >= 12,
        (Some(Ok(major)), _) => major > 22,
        _ => false,
    }
}

/// Sees that all are there; the error names every one that is not, and what to do about it.
pub(crate) fn provide(needs: &[&Need]) -> Result<(), String> {
    let missing: Vec<&Need> = needs.iter().copied().filter(|need| (need.found)().is_none()).collect();
    let packages: Vec<&str> = missing.iter().flat_map(|need| need.packages).copied().collect();
    if !packages.is_empty() && may_install() {
        install(&packages)?;
    }
    let still: Vec<&&Need> = missing.iter().filter(|need| (need.found)().is_none()).collect();
    if still.is_empty() {
        for need in needs {
            if let Some(path) = (need.found)() {
                ui::note(format_args!("{}: {}", need.name, path.display()));
            }
        }
        return Ok(());
    }
    Err(advice(&still))
}

fn advice(missing: &[&&Need]) -> String {
    let mut text = String::from("missing on this machine:");
    for need in missing {
        text += &format!("\n  {} ({})\n    {}", need.name, need.why, need.by_hand);
        if !need.packages.is_empty() {
            text += &format!("\n    on Debian or Ubuntu: sudo apt-get install {}", need.packages.join(" "));
        }
    }
    text
}

/// Root on Debian: the usual build machine, where installing is expected of us.
fn may_install() -> bool {
    let root = process::read(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    root && Path::new("/etc/debian_version").is_file() && process::which("apt-get").is_some()
}

fn install(packages: &[&str]) -> Result<(), String> {
    ui::note(format_args!("installing {} with apt-get", packages.join(", ")));
    let apt = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    // Without fresh lists a minimal image knows no package at all.
    process::run_quietly(apt().args(["update", "-qq"]))?;
    let done =
        process::run_quietly(apt().args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))?;
    if done.success {
        Ok(())
    } else {
        Err(format!("apt-get could not install {}; see above", packages.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_must_be_one_that_the_bundler_takes() {
        assert!(node_is_new_enough("v20.20.2\n"));
        assert!(node_is_new_enough("v22.12.0"));
        assert!(node_is_new_enough("v100.0.0"));
        assert!(!node_is_new_enough("v18.20.4"));
        assert!(!node_is_new_enough("v20.9.0"));
        assert!(!node_is_new_enough("v21.7.0"));
        assert!(!node_is_new_enough("nonsense"));
    }

    #[test]
    fn what_is_missing_is_named_with_the_command_that_installs_it() {
        let text = advice(&[&&CHROMIUM, &&NODE]);
        assert!(text.contains("sudo apt-get install chromium"), "{text}");
        assert!(text.contains("Node.js 22"), "{text}");
    }
}
