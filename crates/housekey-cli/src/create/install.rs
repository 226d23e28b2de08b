//! The npm packages of the new app. Without Node the app works too, only plainer, and that is said.

use std::path::Path;
use std::process::{Command, Stdio};

use super::destination::Destination;
use crate::{programs, ui};

/// The oldest Node the bundler runs on.
const NODE: (u32, u32) = (20, 19);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Installed {
    Done,
    /// The person said so, or the kit has no packages, or there is no Node to install with.
    LeftOut,
    Failed,
}

/// Installs, and waits for it.
pub(crate) fn packages(destination: &Destination) -> Installed {
    if !is_possible(destination) {
        return Installed::LeftOut;
    }
    ui::done("Installing", "npm packages (--no-install leaves this out)");
    let outcome = command(destination.path()).stdin(Stdio::null()).status();
    if outcome.as_ref().is_ok_and(std::process::ExitStatus::success) {
        return Installed::Done;
    }
    let why = outcome.map_or_else(|error| error.to_string(), |status| status.to_string());
    ui::warning(&failed(&why, destination.shown()));
    Installed::Failed
}

/// What installs the packages of an app.
pub(crate) fn command(app: &Path) -> Command {
    let mut npm = programs::npm(app);
    npm.args(["install", "--no-audit", "--no-fund"]);
    npm
}

pub(crate) fn failed(why: &str, folder: &str) -> String {
    format!(
        "`npm install` did not succeed ({why}).\n\
         The app itself is complete. Run `npm install` in {folder} when the cause above is gone."
    )
}

/// Whether there are packages and something to install them with. Says what is missing.
pub(crate) fn is_possible(destination: &Destination) -> bool {
    if !destination.path().join("package.json").is_file() {
        return false;
    }
    if let Some(problem) = obstacle() {
        ui::warning(&format!(
            "{problem}\n\
             {} Then run `npm install` in {}.\n\
             Until then the server, its routes and its tests work; a page that uses styles or scripts says that \
             the front end is not built yet.",
            remedy(),
            destination.shown()
        ));
        return false;
    }
    true
}

/// What stands in the way of the bundler on this machine, if anything.
pub(crate) fn obstacle() -> Option<String> {
    missing(version("node").as_deref(), version("npm").as_deref())
}

/// What to do about it.
pub(crate) fn remedy() -> String {
    format!("What to do: install Node.js {}.{} or newer (https://nodejs.org).", NODE.0, NODE.1)
}

fn missing(node: Option<&str>, npm: Option<&str>) -> Option<String> {
    let Some(node) = node else {
        return Some("Node.js is not installed (there is no `node` on PATH).".to_owned());
    };
    if older_than(node, NODE) {
        return Some(format!("Node.js {} is too old for the bundler.", node.trim_start_matches('v')));
    }
    npm.is_none().then(|| "npm is not installed (there is `node`, but no `npm` on PATH).".to_owned())
}

/// True only for a version that can be read and is lower: an unknown spelling gets the benefit of the doubt.
fn older_than(version: &str, wanted: (u32, u32)) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
    matches!((numbers.next(), numbers.next()), (Some(major), Some(minor)) if (major, minor) < wanted)
}

fn version(program: &str) -> Option<String> {
    let program = if cfg!(windows) && program == "npm" { "npm.cmd" } else { program };
    let output =
        Command::new(program).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        assert!(missing(None, None).unwrap().contains("Node.js is not installed"));
        assert!(missing(Some("v18.20.1"), Some("10.0.0")).unwrap().contains("18.20.1 is too old"));
        assert!(missing(Some("v22.12.0"), None).unwrap().contains("npm is not installed"));
        assert_eq!(missing(Some("v20.19.0"), Some("10.8.2")), None);
        assert_eq!(missing(Some("nightly"), Some("10.8.2")), None);
    }
}
