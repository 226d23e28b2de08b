//! The bundler's production build.

use std::io;
use std::process::{Command, Stdio};

use crate::app::App;
use crate::create::install;
use crate::failure::Failure;
use crate::{programs, ui};

/// An app with a `package.json`, on a machine that can do what it says.
#[derive(Debug)]
pub(crate) struct Bundler;

impl Bundler {
    /// None for an app without a front end. A machine without Node is refused here, before the long part begins: a
    /// program without its styles and scripts is nothing to put on a server.
    pub(crate) fn of(app: &App) -> Result<Option<Self>, Failure> {
        if !app.path("package.json").is_file() {
            return Ok(None);
        }
        match install::obstacle() {
            Some(problem) => Err(Failure::failed(problem).help(format!(
                "{}\nIts styles and scripts are built with it. An app without any can do without package.json.",
                install::remedy()
            ))),
            None => Ok(Some(Self)),
        }
    }

    /// `npm run build` in the app's folder, which is what builds the front end of every kit.
    pub(crate) fn build(&self, app: &App) -> Result<(), Failure> {
        if !app.path("node_modules").is_dir() {
            ui::done("Installing", "npm packages");
            run(&mut install::command(app.root()), "npm install")?;
        }
        ui::done("Bundling", "styles and scripts (npm run build)");
        run(programs::npm(app.root()).args(["run", "build"]), "npm run build")
    }
}

fn run(npm: &mut Command, name: &str) -> Result<(), Failure> {
    // The output is the bundler's own, and goes to the terminal as it comes.
    let status = npm
        .stdin(Stdio::null())
        .status()
        .map_err(|error: io::Error| Failure::failed(format!("npm could not be started: {error}")))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::failed(format!("`{name}` did not succeed ({status})"))
        .help("npm says why above. The program is built, but no folder was written."))
}
