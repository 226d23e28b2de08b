//! The app's program, and what it writes for the bundler.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::app::App;
use crate::artifact::Program;
use crate::failure::Failure;
use crate::{forward, programs, ui};

/// Runs cargo with its own progress and messages in the terminal.
pub(crate) fn build(app: &App, profile: &str) -> Result<PathBuf, Failure> {
    ui::done("Building", &format!("the program (profile `{profile}`)"));
    let mut cargo = programs::cargo(app.root());
    cargo.args(["build", "--profile", profile, "--message-format=json-render-diagnostics"]);
    cargo.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = cargo.spawn().map_err(|error| forward::no_cargo(&error))?;
    let (mut program, manifest) = (Program::default(), app.path("Cargo.toml"));
    if let Some(messages) = child.stdout.take() {
        for line in BufReader::new(messages).lines().map_while(Result::ok) {
            if let Ok(message) = serde_json::from_str(&line) {
                program.note(&message, &manifest);
            }
        }
    }
    let status = child.wait().map_err(|error| Failure::failed(format!("cargo was lost: {error}")))?;
    if !status.success() {
        return Err(
            Failure::failed("the program does not build").help("cargo says why above. Nothing was written.")
        );
    }
    program.path().map(Path::to_owned).ok_or_else(|| {
        Failure::failed("there is no program to build")
            .help("The package has no binary. Is there a src/main.rs?")
    })
}

/// Has the program write the TypeScript of its routes, when it was built to do that and its configuration names a folder.
pub(crate) fn write_types(app: &App, program: &Path) -> Result<(), Failure> {
    if !app.has_feature("types") {
        return Ok(());
    }
    let mut types = Command::new(program);
    programs::without_our_package(&mut types);
    types
        .current_dir(app.root())
        .env("CARGO_MANIFEST_DIR", app.root())
        .args(["types", "--if-configured"])
        .stdin(Stdio::null());
    match types.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Failure::failed("the types were not written").help("`housekey types` says why above.")),
        Err(error) => Err(Failure::failed(format!("{} could not be started: {error}", program.display()))),
    }
}
