//! The bundler's dev server, running beside the app when its packages are installed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use super::listen::Address;
use super::process::Process;
use crate::app::App;
use crate::create::install;
use crate::{programs, ui};

/// The file through which the bundler tells the app where it serves.
const HOT_FILE: &str = "public/hot";

/// How long the first page waits for a bundler that was started. One that has its own ways never writes the file.
const START_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct Bundler {
    state: State,
    hot_file: PathBuf,
}

#[derive(Debug)]
enum State {
    Installing(Process),
    Running(Process, Instant),
    /// Not wished, not possible, or ended by itself.
    Off,
}

impl Bundler {
    /// Starts the bundler, or the installation of its packages first.
    pub(crate) fn start(app: &App, address: &Address, install: bool) -> Self {
        let hot_file = app.path(HOT_FILE);
        // One that is there now is of a bundler that was killed: the app would send browsers to a dead port.
        let _ = fs::remove_file(&hot_file);
        let state = if install { installing(app) } else { running(app, address) };
        Self { state, hot_file }
    }

    /// Goes on when the packages are there. Says it once when the bundler has ended by itself: the app goes on
    /// without it.
    pub(crate) fn check(&mut self, app: &App, address: &Address) {
        let (State::Installing(process) | State::Running(process, _)) = &mut self.state else { return };
        let Some(ending) = process.ended() else { return };
        let was_installing = matches!(self.state, State::Installing(_));
        ui::clear_transient();
        if was_installing && ending.is_success() {
            self.state = running(app, address);
            return;
        }
        self.state = State::Off;
        if was_installing {
            ui::warning(&install::failed(&ending.how(), &app.root().display().to_string()));
        } else {
            let _ = fs::remove_file(&self.hot_file);
            ui::warning(&format!("the bundler stopped ({}); the app goes on without it", ending.how()));
        }
    }

    /// What the first page should wait for, so that nobody sees it without its styles.
    pub(crate) fn getting_ready(&self) -> Option<&'static str> {
        match &self.state {
            State::Installing(_) => Some("Installing npm packages"),
            State::Running(_, since) if since.elapsed() < START_TIMEOUT && !self.hot_file.exists() => {
                Some("Starting the bundler")
            }
            State::Running(..) | State::Off => None,
        }
    }

    pub(crate) fn stop(&mut self) {
        if let State::Installing(process) | State::Running(process, _) = &mut self.state {
            process.stop(Duration::from_secs(3));
        }
        let _ = fs::remove_file(&self.hot_file);
    }
}

fn installing(app: &App) -> State {
    ui::done("Installing", "npm packages, while the app is being built (--no-install leaves this out)");
    start(install::command(app.root()), "npm").map_or(State::Off, State::Installing)
}

fn running(app: &App, address: &Address) -> State {
    if !app.path("package.json").is_file() {
        return State::Off;
    }
    if !app.path("node_modules").is_dir() {
        ui::note("No bundler: the npm packages are not installed (`npm install`, then start again).");
        return State::Off;
    }
    let mut npm = programs::npm(app.root());
    npm.args(["run", "dev"]);
    address.tell(&mut npm);
    start(npm, "vite").map_or(State::Off, |process| State::Running(process, Instant::now()))
}

fn start(npm: Command, label: &'static str) -> Option<Process> {
    Process::start(npm, label)
        .inspect_err(|error| {
            ui::warning(&format!("npm could not be started, so there is no bundler: {error}"));
        })
        .ok()
}
