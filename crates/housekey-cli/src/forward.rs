//! Every command that is not ours belongs to the app: `housekey route:list` is `cargo run --quiet -- route:list`.

use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitCode};

use crate::app::App;
use crate::failure::Failure;
use crate::programs;

const OURS: [&str; 4] = ["build", "create", "dev", "help"];

pub(crate) fn run(name: &str, arguments: &[&OsString]) -> Result<ExitCode, Failure> {
    let app = App::around_here().map_err(|outside| match near(name) {
        Some(meant) => Failure::usage(format!("there is no command `{name}` outside an app"))
            .help(format!("Did you mean `housekey {meant}`?")),
        None => outside,
    })?;
    let mut cargo = programs::cargo(app.root());
    cargo.args(["run", "--quiet", "--"]).arg(name).args(arguments);
    replace_with(&mut cargo).map_err(|error| no_cargo(&error))
}

pub(crate) fn no_cargo(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::NotFound {
        Failure::failed("cargo was not found on PATH")
            .help("Install Rust from https://rustup.rs and open a new terminal.")
    } else {
        Failure::failed(format!("cargo could not be started: {error}"))
    }
}

/// Becomes the other program, so exit code, signals and terminal are its own.
#[cfg(unix)]
fn replace_with(command: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

#[cfg(not(unix))]
fn replace_with(command: &mut Command) -> io::Result<ExitCode> {
    let status = command.status()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The command of ours that was probably meant.
fn near(name: &str) -> Option<&'static str> {
    OURS.into_iter().find(|ours| distance(name, ours) <= 2 && name.len() > 2)
}

/// How many letters must be added, removed, changed or swapped with their neighbour to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut table = vec![vec![0; to.len() + 1]; from.len() + 1];
    for row in 0..=from.len() {
        for column in 0..=to.len() {
            table[row][column] = if row == 0 || column == 0 {
                row + column
            } else {
                let (a, b) = (from[row - 1], to[column - 1]);
                let mut best = (table[row - 1][column] + 1)
                    .min(table[row][column - 1] + 1)
                    .min(table[row - 1][column - 1] + usize::from(a != b));
                if row > 1 && column > 1 && a == to[column - 2] && from[row - 2] == b {
                    best = best.min(table[row - 2][column - 2] + 1);
                }
                best
            };
        }
    }
    table[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_command_of_ours_is_recognised() {
        assert_eq!(near("craete"), Some("create"));
        assert_eq!(near("creat"), Some("create"));
        assert_eq!(near("dve"), Some("dev"));
        assert_eq!(near("biuld"), Some("build"));
    }

    #[test]
    fn an_app_command_is_not_taken_for_ours() {
        assert_eq!(near("route:list"), None);
        assert_eq!(near("x"), None);
    }
}
