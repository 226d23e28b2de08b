//! Every command that is not ours belongs to the app: `housekey route:list` is `cargo run --quiet -- route:list`, with
//! a last word when the app does not compile.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::Value;

use crate::app::App;
use crate::artifact::Program;
use crate::failure::Failure;
use crate::{programs, ui};

const OURS: [&str; 6] = ["add", "build", "create", "dev", "help", "upgrade"];

pub(crate) fn run(name: &str, arguments: &[&OsString]) -> Result<ExitCode, Failure> {
    let app = App::around_here().map_err(|outside| match near(name) {
        Some(meant) => Failure::usage(format!("there is no command `{name}` outside an app"))
            .help(format!("Did you mean `housekey {meant}`?")),
        None => outside,
    })?;
    let program = build(&app, name)?;
    let mut console = Command::new(&program);
    programs::without_our_package(&mut console);
    // As `cargo run` would tell it: where the app is.
    console.current_dir(app.root()).env("CARGO_MANIFEST_DIR", app.root()).arg(name).args(arguments);
    replace_with(&mut console)
        .map_err(|error| Failure::failed(format!("{} could not be started: {error}", program.display())))
}

/// Builds the app, with the compiler's own words in the terminal.
fn build(app: &App, name: &str) -> Result<PathBuf, Failure> {
    let mut cargo = programs::cargo(app.root());
    cargo.args(["build", "--quiet", "--message-format=json-diagnostic-rendered-ansi"]);
    cargo.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = cargo.spawn().map_err(|error| no_cargo(&error))?;
    let (mut program, mut first_error, manifest) = (Program::default(), None, app.path("Cargo.toml"));
    if let Some(messages) = child.stdout.take() {
        for line in BufReader::new(messages).lines().map_while(Result::ok) {
            let Ok(message) = serde_json::from_str(&line) else { continue };
            program.note(&message, &manifest);
            show(&message);
            first_error = first_error.or_else(|| place_of_error(&message));
        }
    }
    let status = child.wait().map_err(|error| Failure::failed(format!("cargo was lost: {error}")))?;
    if !status.success() {
        return Err(Failure::failed(format!("the app does not build, so `{name}` was not run")).help(
            match first_error {
                Some(place) => format!("The first error is in {place}. The compiler says more above."),
                None => "cargo says why above.".to_owned(),
            },
        ));
    }
    program.path().map(Path::to_owned).ok_or_else(|| {
        Failure::failed("there is no program to run")
            .help("The package has no binary. Is there a src/main.rs?")
    })
}

/// The compiler's words. How many errors there were is cargo's to say, and it does.
fn show(message: &Value) {
    let text = message["message"]["message"].as_str().unwrap_or_default();
    if let Some(rendered) = message["message"]["rendered"].as_str()
        && !text.starts_with("aborting due to")
    {
        ui::foreign(rendered);
        ui::foreign("");
    }
}

/// `src/views/pages/about.rs:3`, when a message of the compiler is an error with a place in the code.
fn place_of_error(message: &Value) -> Option<String> {
    let message = &message["message"];
    let mut spans = message["spans"].as_array()?.iter().filter(|_| message["level"] == "error");
    let span = spans.find(|span| span["is_primary"] == true)?;
    Some(format!("{}:{}", span["file_name"].as_str()?, span["line_start"]))
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
